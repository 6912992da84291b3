// What a choice leads to, shown while it is pointed at: what moves as ghosts, numbers with what they
// become, and ways that a card describes.

import { live, made, s } from "./dom.js";
import { arrange, gathered, placed } from "./board.js";
import { bearing } from "./geometry.js";
import { signature } from "./telling.js";
/** @import { Look } from "./look.js" */
/** @import { Line } from "./protocol.js" */
/** @import { Option, Scene, Thing } from "./types.js" */
/** @typedef {{final: boolean, scene: Scene | null}} Foreseen */

const PAUSE = 70; // milliseconds somebody rests on something before the server is asked

export class Preview {
  /** @param {HTMLElement} felt @param {Line} line */
  constructor(felt, line) {
    this.felt = felt;
    this.line = line;
    /** @type {Map<string, Promise<Foreseen | null>>} what was asked since the table changed */
    this.known = new Map();
    /** @type {string | null} */
    this.shown = null;
  }

  forget() {
    this.known.clear();
    this.clear();
  }

  /** @param {Option} option @returns {Promise<Foreseen | null>} */
  ask(option) {
    const known = this.known.get(option.text);
    if (known) return known;
    const asked = this.line.ask("preview", { option: option.text }).then((answer) => (answer.type === "done" ? answer : null));
    this.known.set(option.text, asked);
    return asked;
  }

  /**
   * @param {Look} look
   * @param {Scene} scene
   * @param {Option | null} option
   */
  async show(look, scene, option) {
    if (this.shown === (option?.text ?? null)) return;
    this.clear();
    if (!option) return;
    this.shown = option.text;
    drawRoutes(this.felt, look, scene, option);
    await new Promise((done) => setTimeout(done, PAUSE));
    if (this.shown !== option.text) return;
    const answer = await this.ask(option);
    if (this.shown === option.text && answer?.scene) drawGhosts(this.felt, look, scene, answer.scene);
  }

  clear() {
    this.shown = null;
    for (const each of this.felt.querySelectorAll(".ghost")) each.remove();
    for (const each of this.felt.querySelectorAll(".leaving")) each.classList.remove("leaving");
  }
}

/** @param {HTMLElement} felt @param {string} name @returns {Element | null} */
function at(felt, name) {
  return felt.querySelector(`[data-key="${CSS.escape(name)}"]`);
}

/**
 * @param {HTMLElement} felt
 * @param {Look} look
 * @param {Scene} now
 * @param {Scene} then
 */
function drawGhosts(felt, look, now, then) {
  for (const board of then.boards) {
    const before = now.boards.find((each) => each.board === board.board && each.owner === board.owner);
    const was = new Map(before?.cells.map(({ cell, things }) => [cell, things]));
    const will = new Map(board.cells.map(({ cell, things }) => [cell, things]));
    /** @type {Map<string, number>} */
    const left = new Map();
    for (const [cell, things] of was) {
      for (const thing of without(things, will.get(cell) ?? [])) {
        left.set(what(thing), cell);
        at(felt, thing.id)?.classList.add("leaving");
      }
    }
    for (const [cell, things] of will) {
      const fresh = without(things, was.get(cell) ?? []).filter((thing) => thing.value !== 0 || look.plan.members[thing.member]?.type?.sort !== "int");
      const spot = at(felt, `${board.board}/${board.owner ?? ""}/${cell}`);
      if (!fresh.length || !(spot instanceof SVGElement)) continue;
      const shape = spot.closest("svg")?.classList.contains("hex") ? "hex" : "square";
      spot.append(made(s("g", { class: "ghost" }, arrange(gathered(look, fresh), shape, true))));
      for (const thing of fresh) {
        const from = left.get(what(thing));
        const origin = from === undefined ? null : at(felt, `${board.board}/${board.owner ?? ""}/${from}`);
        if (origin) spot.parentElement?.append(made(way([middle(origin), middle(spot)], "ghost ghost-way")));
      }
    }
  }
  for (const area of then.areas) {
    const told = new Map(now.areas.find(({ owner }) => owner === area.owner)?.values.map((each) => [each.id, each.value]));
    for (const { id, member, value } of area.values)
      if (look.plan.members[member].type?.sort === "int" && typeof value === "number" && typeof told.get(id) === "number" && told.get(id) !== value)
        at(felt, id)?.append(live("span", { class: "ghost becomes" }, `→ ${value.toLocaleString("en")}`));
    const places = new Map(now.areas.find(({ owner }) => owner === area.owner)?.places.map((each) => [each.id, each.things]));
    for (const place of area.places)
      for (const thing of without(places.get(place.id) ?? [], place.things)) at(felt, thing.id)?.classList.add("leaving");
  }
}

/** @param {Thing} thing What makes it look the same, wherever it is. */
function what(thing) {
  return `${signature(thing)} ${thing.sort === "value" ? JSON.stringify(thing.value) : ""} ${thing.count ?? ""} ${thing.facing ?? ""}`;
}

/** @param {Thing[]} things @param {Thing[]} others Those that have no like among the others. */
function without(things, others) {
  const rest = others.map(what);
  return things.filter((thing) => {
    const found = rest.indexOf(what(thing));
    if (found >= 0) rest.splice(found, 1);
    return found < 0;
  });
}

/** @param {Element} spot @returns {{x: number, y: number}} */
function middle(spot) {
  const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(spot.getAttribute("transform") ?? "") ?? [];
  return { x: Number(x), y: Number(y) };
}

/** @param {{x: number, y: number}[]} points @param {string} name */
function way(points, name) {
  return s("path", { class: name, d: `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}` });
}

// ---- ways that a card describes

/**
 * A look says which field of a kind holds ways: each is a row with turns before single steps, and
 * with turns that are allowed at the end. They are drawn for every piece that could go them.
 * @param {HTMLElement} felt
 * @param {Look} look
 * @param {Scene} scene
 * @param {Option} option
 */
function drawRoutes(felt, look, scene, option) {
  for (const pointed of option.about) {
    const kind = pointed.sort === "row" ? pointed.kind : kindOf(scene, pointed.id);
    const row = pointed.sort === "row" ? pointed.row : thingOf(scene, pointed.id)?.row;
    const said = kind ? look.data.routes?.[kind] : undefined;
    const field = said && look.plan.kinds[kind ?? ""]?.rows.find((each) => each.name === row)?.fields?.find(({ name }) => name === said.by);
    if (!field) continue;
    for (const { board, cell, thing } of walkers(scene, option)) {
      const spot = at(felt, `${board}//${cell}`);
      if (!spot || !thing.facing) continue;
      for (const name of field.value.split(", ")) {
        const found = look.rowOf(name);
        const numbers = (/** @type {string} */ part) => (found?.fields?.find((each) => each.name === part)?.value ?? "").split(", ").filter(Boolean).map(Number);
        spot.parentElement?.append(...route(look, board, cell, thing.facing, numbers(said.steps), numbers(said.end)).map(made));
      }
    }
  }
}

/** @param {Scene} scene @param {string | undefined} id @returns {Thing | undefined} */
function thingOf(scene, id) {
  for (const area of scene.areas)
    for (const place of area.places) for (const thing of place.things) if (thing.id === id) return thing;
  return undefined;
}

/** @param {Scene} scene @param {string | undefined} id */
function kindOf(scene, id) {
  return thingOf(scene, id)?.kind;
}

/** @param {Scene} scene @param {Option} option Pieces that look somewhere: those it is about, else one's own. */
function walkers(scene, option) {
  const all = scene.boards.flatMap(({ board, cells }) =>
    cells.flatMap(({ cell, things }) => things.filter((thing) => thing.facing).map((thing) => ({ board, cell, thing }))));
  const named = all.filter(({ thing }) => option.about.some(({ id }) => id === thing.id));
  return named.length ? named : all.filter(({ thing }) => thing.owner === scene.seat);
}

/**
 * @param {Look} look
 * @param {string} board
 * @param {number} cell
 * @param {string} facing
 * @param {number[]} steps
 * @param {number[]} end
 */
function route(look, board, cell, facing, steps, end) {
  const { at: cells, shape } = placed(look, board);
  const turn = shape === "hex" ? 60 : 90;
  let way_ = bearing(facing, shape) ?? 0;
  let here = cells[cell];
  const points = [here];
  for (const step of steps) {
    way_ += step * turn;
    const next = beyond(here, way_, 1);
    if (!cells.some(({ x, y }) => Math.hypot(x - next.x, y - next.y) < 0.2)) {
      points.push(beyond(here, way_, 0.5)); // it ends at the rim
      break;
    }
    here = next;
    points.push(here);
  }
  const scaled = points.map(({ x, y }) => ({ x: x * 100, y: y * 100 }));
  const last = scaled[scaled.length - 1];
  const ends = points.length > steps.length ? end : [];
  return [
    way(scaled, "ghost ghost-way route"),
    ...ends.map((each) => s("path", { class: "ghost route-end", d: "M0 -17L30 0L0 17Z", transform: `translate(${last.x} ${last.y}) rotate(${way_ + each * turn})` })),
  ];
}

/** @param {{x: number, y: number}} from @param {number} degrees @param {number} far */
function beyond(from, degrees, far) {
  const angle = (degrees * Math.PI) / 180;
  return { x: from.x + Math.cos(angle) * far, y: from.y + Math.sin(angle) * far };
}
