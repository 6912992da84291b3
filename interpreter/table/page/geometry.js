// Where the cells of a board are: one unit is the width of a cell.

/** @import { BoardPlan } from "./types.js" */
/** @typedef {{x: number, y: number}} Point */

const ROOT = Math.sqrt(3) / 2;

/**
 * @param {BoardPlan} board
 * @param {{turned?: boolean, panels?: number}} look
 * @returns {{at: Point[], outline: Point[] | null, shape: string}}
 */
export function layOut(board, look) {
  const raw = board.cells.map((cell) => ({ x: cell.x ?? 0, y: cell.y ?? 0 }));
  switch (board.shape) {
    case "hex":
      return { at: hexes(raw, board.joins), outline: hexagon(), shape: "hex" };
    case "ring":
      return { at: ring(raw.length), outline: null, shape: "round" };
    case "line":
      return { at: line(raw.length), outline: square(), shape: "square" };
    case "graph": {
      const placed = new Set(raw.map(({ x, y }) => `${x},${y}`)).size === raw.length;
      const flat = raw.every(({ x, y }, number) => x === number && y === 0);
      const at = placed && !flat ? scaled(raw, board.joins) : relaxed(raw.length, board.joins);
      return { at, outline: null, shape: "round" };
    }
    default: {
      const every = look.panels ?? 0;
      const gap = (/** @type {number} */ n) => n + (every ? Math.floor(n / every) * 0.16 : 0);
      const high = Math.max(...raw.map(({ y }) => y));
      const at = raw.map(({ x, y }) => (look.turned ? { x: gap(high - y), y: x } : { x, y: gap(y) }));
      return { at, outline: square(), shape: "square" };
    }
  }
}

/** @returns {Point[]} */
function square() {
  return [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([x, y]) => ({ x, y }));
}

/** @returns {Point[]} */
function hexagon() {
  const radius = 0.5 / ROOT;
  return [...Array(6).keys()].map((n) => {
    const angle = (Math.PI / 3) * n + Math.PI / 6;
    return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius };
  });
}

/**
 * Rules write slanting columns or shifted rows; whichever brings neighbours together is meant.
 * @param {Point[]} raw
 * @param {number[][]} joins
 */
function hexes(raw, joins) {
  const odd = (/** @type {number} */ y) => Math.abs(y % 2);
  /** @type {((point: Point) => Point)[]} */
  const ways = [
    ({ x, y }) => ({ x: x + y / 2, y: y * ROOT }),
    ({ x, y }) => ({ x: x - y / 2, y: y * ROOT }),
    ({ x, y }) => ({ x: x + odd(y) / 2, y: y * ROOT }),
    ({ x, y }) => ({ x: x - odd(y) / 2, y: y * ROOT }),
  ];
  const fits = ways.map((way) => {
    const at = raw.map(way);
    return joins.filter(([a, b]) => Math.abs(apart(at[a], at[b]) - 1) < 0.01).length;
  });
  return raw.map(ways[fits.indexOf(Math.max(...fits))]);
}

/** @param {number} count */
function line(count) {
  const wide = count <= 14 ? count : Math.ceil(Math.sqrt(count * 2));
  return [...Array(count).keys()].map((n) => {
    const row = Math.floor(n / wide);
    const column = n % wide;
    return { x: row % 2 ? wide - 1 - column : column, y: row };
  });
}

/** @param {number} count */
function ring(count) {
  if (count % 2 === 0 && count >= 6 && count <= 16) {
    const half = count / 2;
    return [...Array(count).keys()].map((n) =>
      n < half ? { x: n * 1.05, y: 1.1 } : { x: (count - 1 - n) * 1.05, y: 0 },
    );
  }
  const radius = count / (2 * Math.PI) + 0.25;
  return [...Array(count).keys()].map((n) => {
    const angle = (2 * Math.PI * n) / count - Math.PI / 2;
    return { x: Math.cos(angle) * radius * 1.15, y: Math.sin(angle) * radius * 1.15 };
  });
}

/** @param {Point} a @param {Point} b */
function apart(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** @param {Point[]} raw @param {number[][]} joins */
function scaled(raw, joins) {
  let least = Infinity;
  for (let a = 0; a < raw.length; a += 1)
    for (let b = a + 1; b < raw.length; b += 1) least = Math.min(least, apart(raw[a], raw[b]));
  const lengths = joins.map(([a, b]) => apart(raw[a], raw[b])).sort((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length / 2)] ?? least;
  const scale = 1.35 / Math.max(Math.min(usual, least * 2), 1e-9);
  return raw.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
}

/**
 * Springs along joins, and everybody keeps apart. It starts from a circle and draws no lots, so
 * a board looks the same for everybody.
 * @param {number} count
 * @param {number[][]} joins
 */
function relaxed(count, joins) {
  const radius = Math.max(1, count / 5);
  const at = [...Array(count).keys()].map((n) => {
    const angle = (2 * Math.PI * n) / count;
    return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius };
  });
  const rounds = count > 150 ? 60 : 300;
  for (let round = 0; round < rounds; round += 1) {
    const heat = 0.3 * (1 - round / rounds);
    const push = at.map(() => ({ x: 0, y: 0 }));
    for (let a = 0; a < count; a += 1) {
      for (let b = a + 1; b < count; b += 1) {
        const dx = at[a].x - at[b].x || 0.01 * (a - b);
        const dy = at[a].y - at[b].y || 0.013 * (a + b);
        const force = 1.8 / (dx * dx + dy * dy + 0.01);
        push[a].x += dx * force; push[a].y += dy * force;
        push[b].x -= dx * force; push[b].y -= dy * force;
      }
    }
    for (const [a, b] of joins) {
      const dx = at[b].x - at[a].x;
      const dy = at[b].y - at[a].y;
      const force = Math.hypot(dx, dy) * 0.6;
      push[a].x += dx * force; push[a].y += dy * force;
      push[b].x -= dx * force; push[b].y -= dy * force;
    }
    for (const [n, { x, y }] of push.entries()) {
      const size = Math.hypot(x, y) || 1;
      at[n].x += (x / size) * Math.min(size, heat);
      at[n].y += (y / size) * Math.min(size, heat);
    }
  }
  return scaled(at, joins);
}

/** Where a direction by name points, in degrees clockwise from the right. */
const COMPASS = /** @type {Record<string, number>} */ ({
  east: 0, southeast: 45, south: 90, southwest: 135, west: 180, northwest: 225, north: 270,
  northeast: 315, right: 0, down: 90, left: 180, up: 270, next: 0, previous: 180,
});

/**
 * @param {string} direction
 * @param {string} shape
 * @returns {number | undefined}
 */
export function bearing(direction, shape) {
  const found = COMPASS[direction.toLowerCase()];
  if (found === undefined || shape !== "hex" || found % 90 === 0) return found;
  return { 45: 60, 135: 120, 225: 240, 315: 300 }[found];
}
