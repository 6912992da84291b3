// Boards in SVG. One unit of the geometry is 100 units of the drawing.

import { h, s, capital } from "./dom.js";
import { layOut, bearing } from "./geometry.js";
import { key } from "./choose.js";
import { drawn, ink, token } from "./things.js";
import { keysOf, picture, signature, words } from "./telling.js";
/** @import { Drawn } from "./dom.js" */
/** @import { Look } from "./look.js" */
/** @import { BoardScene, Scene, Thing } from "./types.js" */

const UNIT = 100;

/** @param {Look} look @param {string} board Where its cells are on this screen. */
export function placed(look, board) {
  const said = look.board(board);
  const narrow = matchMedia("(max-width: 720px)").matches;
  return layOut(look.plan.boards[board], { ...said, turned: said.turned && !narrow });
}

/**
 * @param {Look} look
 * @param {Scene} scene
 * @param {BoardScene} board
 * @param {Set<string>} grounds members that are the ground things stand on
 */
export function drawBoard(look, scene, board, grounds) {
  const plan = look.plan.boards[board.board];
  const said = look.board(board.board);
  const { at, outline, shape } = placed(look, board.board);
  const xs = at.map(({ x }) => x * UNIT);
  const ys = at.map(({ y }) => y * UNIT);
  const pad = shape === "square" ? 62 : 70;
  const named = said.labels ?? (shape === "square" && plan.shape === "square" && plan.cells.length > 12 && plan.cells.every((c) => /^[a-z]{1,2}\d+$/i.test(c.name)));
  const edge = named && !said.turned ? 26 : 0;
  const left = Math.min(...xs) - pad - edge;
  const top = Math.min(...ys) - pad;
  const width = Math.max(...xs) - left + pad;
  const height = Math.max(...ys) - top + pad + edge;
  const cellsWide = width / UNIT;
  const things = new Map(board.cells.map((each) => [each.cell, each.things]));
  const mine = board.owner === null || board.owner === scene.seat;
  const flat = !outline;
  const spots = plan.cells.map((cell, number) => {
    const inside = things.get(number) ?? [];
    const ground = inside.filter((thing) => grounds.has(thing.member));
    const standing = gathered(look, inside.filter((thing) => !grounds.has(thing.member)));
    const said_ = cellStyle(look, board.board, cell, ground);
    const label = [said.cellNames === false ? "" : cell.label, ...ground.map((g) => words(look, g)), ...standing.map((each) => each.words)].filter(Boolean).join(", ");
    const place = flat
      ? s("circle", { class: "cell", r: 46, fill: said_.colour })
      : s("path", { class: `cell ${chequered(said, plan, number)}`, d: outlined(outline ?? []), fill: said_.colour });
    return s("g", {
      class: "spot",
      role: "group",
      transform: `translate(${xs[number]} ${ys[number]})`,
      "data-at": mine ? key("cell", board.board, number) : undefined,
      "data-key": `${board.board}/${board.owner ?? ""}/${number}`,
      "data-say": cell.name,
      "aria-label": label,
    },
      place,
      flat ? s("circle", { class: "glow", r: 46 }) : s("path", { class: "glow", d: outlined(outline ?? []) }),
      said_.path ? groundSymbol(said_.path, said_.colour, standing.length > 0)
        : said_.text && !standing.length ? s("text", { class: "ground-text", y: 38 }, said_.text) : null,
      cell.sign && !said_.path ? s("text", { class: "ground-text", y: 38 }, cell.sign) : null,
      flat && plan.cells.length <= 60 && said.labels !== false ? s("text", { class: "cell-name", y: 61 }, cell.label) : null,
      arrange(standing, shape));
  });
  const svg = s("svg", {
    class: `board ${shape}`,
    viewBox: `${left} ${top} ${width} ${height}`,
    role: "group",
    "aria-label": said.name ?? capital(board.board),
  },
    shape === "round" ? joinLines(plan.joins, at) : null,
    outline ? s("path", { class: "rim", d: at.map(({ x, y }) => outlined(outline, x, y)).join("") }) : null,
    spots,
    walls(look, scene, board.board, at, shape),
    edge ? edges(plan.cells, xs, ys) : null);
  const size = {
    "--most": `${Math.round(cellsWide * (said.size ?? 88))}px`,
    "--ratio": width / height,
    "--cell": said.colour ? look.colour(said.colour) : undefined,
    "--rim": said.rim ? look.colour(said.rim) : undefined,
  };
  return h("figure", { class: "board-frame", style: size },
    board.owner !== null || Object.keys(look.plan.boards).length > 1 || said.name
      ? h("figcaption", {}, said.name ?? capital(board.board), board.owner === null ? "" : ` of ${look.names?.[board.owner]}`) : null,
    svg);
}

/** @param {any} said @param {any} plan @param {number} number */
function chequered(said, plan, number) {
  const { x = 0, y = 0 } = plan.cells[number];
  return plan.shape === "square" && said.chequered !== false && (x + y) % 2 ? "odd" : "";
}

/** @param {{x: number, y: number}[]} outline @param {number} [left] @param {number} [top] where its middle is */
function outlined(outline, left = 0, top = 0) {
  return `M${outline.map(({ x, y }) => `${(x * 97 + left * UNIT).toFixed(1)} ${(y * 97 + top * UNIT).toFixed(1)}`).join("L")}Z`;
}

/** @param {import("./types.js").Symbol} path @param {string | undefined} colour @param {boolean} busy */
function groundSymbol(path, colour, busy) {
  const size = busy ? 34 : 62;
  const shift = busy ? "translate(-28 -28)" : "";
  return s("g", { transform: shift, class: "ground-symbol" },
    drawn(path, size, { fill: ink(colour ?? "#ffffff"), "fill-opacity": busy ? 0.3 : 0.34, stroke: "none" }));
}

/**
 * What a cell looks like: by what lies there as ground, else by what is printed on it.
 * @param {Look} look
 * @param {string} board
 * @param {any} cell
 * @param {Thing[]} ground
 */
function cellStyle(look, board, cell, ground) {
  for (const thing of ground) {
    const type = look.plan.members[thing.member].type;
    if (typeof thing.value === "string" && type?.name) {
      const style = look.value(type.name, thing.value);
      return { colour: style.colour, path: look.path(style.symbol), text: style.symbol ? "" : style.short };
    }
  }
  const said = look.board(board);
  const field = cell.fields?.find((/** @type {any} */ each) => each.name === said.by);
  const own = field ? said.cells?.[field.value] : undefined;
  if (own) return { colour: own.colour ? look.colour(own.colour) : undefined, path: look.path(own.symbol), text: own.sign ?? "" };
  return { colour: undefined, path: undefined, text: "" };
}

/**
 * What stands in a cell, as pictures: an owner and what is owned are one piece.
 * @param {Look} look
 * @param {Thing[]} things
 */
export function gathered(look, things) {
  const typeOf = (/** @type {Thing} */ thing) => look.plan.members[thing.member]?.type?.sort;
  const shown = things.filter((thing) => look.member(thing.member).as !== "hidden" && !(thing.sort === "value" && thing.value === 0 && typeOf(thing) === "int"));
  const owner = shown.find((thing) => thing.sort === "value" && typeOf(thing) === "player");
  const owned = shown.filter((thing) => thing.sort === "value" && thing !== owner && typeof thing.value === "string");
  const numbers = shown.filter((thing) => thing.sort === "value" && typeof thing.value === "number" && thing !== owner);
  const keys = keysOf(shown);
  /** @type {{thing: Thing, keys: string[], picture: (shape: string) => Drawn, words: string, sig: string}[]} */
  const found = [];
  const used = new Set();
  if (owner && owned.length === 1) {
    const type = look.plan.members[owned[0].member].type;
    const style = look.value(type?.name ?? "", String(owned[0].value));
    const seat = Number(owner.value);
    found.push({
      thing: owned[0],
      keys: [],
      picture: () => token(look, { colour: look.seat(seat).colour, path: look.path(style.symbol), text: style.symbol ? undefined : style.short, seat }),
      words: `${style.label} of ${look.names?.[seat]}`,
      sig: `${owned[0].member} ${owned[0].value} ${seat}`,
    });
    used.add(owner).add(owned[0]);
  } else if (owner && numbers.length === 1) {
    const seat = Number(owner.value);
    found.push({
      thing: numbers[0],
      keys: [],
      picture: () => token(look, { colour: look.seat(seat).colour, text: String(numbers[0].value), seat }),
      words: `${look.words(numbers[0].member)} ${numbers[0].value} of ${look.names?.[seat]}`,
      sig: `${numbers[0].id} ${numbers[0].value}`,
    });
    used.add(owner).add(numbers[0]);
  }
  for (const thing of shown) {
    if (used.has(thing)) continue;
    const value = thing.sort === "value" ? ` ${thing.value}` : "";
    found.push({
      thing,
      keys: keys.get(thing) ?? [],
      picture: (shape) => picture(look, thing, shape),
      words: words(look, thing),
      sig: signature(thing) + value,
    });
  }
  return found;
}

/**
 * Pictures in rows, as large as there is room for.
 * @param {ReturnType<typeof gathered>} standing
 * @param {string} shape
 * @param {boolean} [idle] only to be looked at
 */
export function arrange(standing, shape, idle = false) {
  const count = standing.length;
  const across = count <= 1 ? 1 : count <= 4 ? 2 : count <= 9 ? 3 : 4;
  const down = Math.ceil(count / across);
  const room = shape === "hex" ? 76 : 84;
  const step = room / Math.max(across, down);
  const scale = count === 1 ? 0.85 : step / 80;
  return standing.map((each, number) => {
    const row = Math.floor(number / across);
    const inRow = Math.min(across, count - row * across);
    const x = count === 1 ? 0 : ((number % across) - (inRow - 1) / 2) * step;
    const y = count === 1 ? 0 : (row - (down - 1) / 2) * step;
    return s("g", { transform: `translate(${x} ${y}) scale(${scale})` },
      s("g", {
        class: "thing",
        ...(idle ? { "aria-hidden": "true" } : {
          role: "img",
          "data-at": each.keys.join(" ") || undefined,
          "data-key": each.thing.id,
          "data-sig": each.sig,
          "data-say": each.thing.row ?? undefined,
          "aria-label": each.words,
        }),
      }, idle ? null : s("title", {}, each.words), each.picture(shape)));
  });
}

/** @param {number[][]} joins @param {{x: number, y: number}[]} at */
function joinLines(joins, at) {
  return s("g", { class: "joins" }, joins.map(([a, b]) =>
    s("line", { x1: at[a].x * UNIT, y1: at[a].y * UNIT, x2: at[b].x * UNIT, y2: at[b].y * UNIT })));
}

/**
 * Flags that are kept for a cell and a direction are on the side of the cell.
 * @param {Look} look
 * @param {Scene} scene
 * @param {string} board
 * @param {{x: number, y: number}[]} at
 * @param {string} shape
 */
function walls(look, scene, board, at, shape) {
  const flags = scene.areas.flatMap((area) => area.values.filter((told) => told.value === true && isSide(look, told.member, board)));
  return s("g", { class: "walls" }, flags.map((told) => {
    const cell = Number(told.index.find((part) => typeof part === "number"));
    const direction = String(told.index.find((part) => typeof part === "string"));
    const turn = bearing(direction, shape);
    if (turn === undefined || (shape === "square" && turn % 90)) return null;
    return s("line", {
      x1: 50, y1: -50, x2: 50, y2: 50,
      transform: `translate(${at[cell].x * UNIT} ${at[cell].y * UNIT}) rotate(${turn})`,
      "data-sig": told.id, "data-key": told.id,
    });
  }));
}

/**
 * @param {Look} look
 * @param {string} name
 * @param {string} [board]
 */
export function isSide(look, name, board) {
  const member = look.plan.members[name];
  if (!member || member.type?.sort !== "bool") return false;
  const [cell, direction, ...rest] = member.indexes;
  return !rest.length && cell?.sort === "board" && direction?.sort === "direction" && (!board || cell.name === board);
}

/** @param {any[]} cells @param {number[]} xs @param {number[]} ys */
function edges(cells, xs, ys) {
  const left = Math.min(...xs);
  const bottom = Math.max(...ys);
  return s("g", { class: "edges" }, cells.map((cell, number) => {
    const [, letters, digits] = /^([a-z]+)(\d+)$/i.exec(cell.name) ?? [];
    return letters ? [
      xs[number] === left ? s("text", { x: left - 66, y: ys[number] + 8 }, digits) : null,
      ys[number] === bottom ? s("text", { x: xs[number], y: bottom + 76 }, letters) : null,
    ] : null;
  }));
}
