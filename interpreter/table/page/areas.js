// What belongs to everybody and to each player: values as numbers, tracks and markers; places.

import { h, capital } from "./dom.js";
import { key } from "./choose.js";
import { isDie } from "./look.js";
import { slot } from "./cards.js";
import { isSide } from "./board.js";
import { alone, die, drawn, emblem } from "./things.js";
import { valueWords, words } from "./telling.js";
import { s } from "./dom.js";
/** @import { Look } from "./look.js" */
/** @import { Area, BoardScene, Place, Scene, Told, Type } from "./types.js" */

/**
 * @typedef {{look: Look, scene: Scene, onPiece: Map<string, Place[]>, panels: Set<string>}} Table
 */

/** @param {Look} look Boards whose cells hold cards: they are drawn as panels side by side. */
export function panelBoards(look) {
  const found = new Set();
  for (const member of Object.values(look.plan.members)) {
    if (member.sort !== "place" || !member.kind || look.as(member.kind) !== "card") continue;
    for (const index of member.indexes) if (index.sort === "board") found.add(index.name);
  }
  for (const name of Object.keys(look.plan.boards)) {
    if (look.board(name).as === "panels") found.add(name);
    if (look.board(name).as === "board") found.delete(name);
  }
  return found;
}

/**
 * Places that lie on pieces which are drawn as cards.
 * @param {Look} look
 * @param {Scene} scene
 */
export function placesOnPieces(look, scene) {
  const found = new Map();
  for (const area of scene.areas)
    for (const place of area.places) {
      const at = bearer(look, place);
      if (at !== undefined) found.set(at, [...(found.get(at) ?? []), place]);
    }
  return found;
}

/** @param {Look} look @param {Place} place @returns {string | undefined} */
function bearer(look, place) {
  const number = look.plan.members[place.member].indexes.findIndex(
    (index) => index.sort === "kind" && look.as(index.name ?? "") === "card");
  return number < 0 ? undefined : String(place.index[number]);
}

/** @param {Type} index */
const isNamed = (index) => ["enum", "table", "row", "kind"].includes(index.sort);

/** @param {Look} look @param {string} name @returns {Type[]} */
function besidesOwner(look, name) {
  return look.plan.members[name].indexes.filter((index) => index.sort !== "player");
}

/**
 * @param {Look} look
 * @param {string} member
 * @param {(number | string | boolean)[]} index
 * @param {Scene} scene
 */
function indexWords(look, member, index, scene) {
  return look.plan.members[member].indexes
    .map((type, number) => {
      const part = index[number];
      if (type.sort === "player") return "";
      if (type.sort === "board") return look.plan.boards[type.name ?? ""].cells[Number(part)].label;
      if (type.sort === "enum" || type.sort === "table") return look.value(type.name ?? "", String(part)).label;
      if (type.sort === "kind" || type.sort === "row") return lying(scene, String(part)) ?? look.row(type.name ?? "", String(part)).label;
      return String(part);
    })
    .filter(Boolean)
    .join(" ");
}

/** @param {Scene} scene @param {string} id The label of the piece that lies there. */
function lying(scene, id) {
  for (const area of scene.areas)
    for (const place of area.places)
      for (const thing of place.things) if (thing.id === id) return thing.label;
  return undefined;
}

/**
 * @param {Table} table
 * @param {Area} area
 * @param {boolean} small
 */
export function drawArea(table, area, small) {
  const { look, scene } = table;
  const mine = area.owner === null || area.owner === scene.seat;
  const drawing = { look, scene, onPiece: table.onPiece, small, mine };
  const members = byMember([...area.values, ...area.places]);
  const parts = { chips: /** @type {any[]} */ ([]), tracks: /** @type {any[]} */ ([]), places: /** @type {any[]} */ ([]) };
  for (const name of ordered(look, [...members.keys()])) {
    const entries = members.get(name) ?? [];
    const said = look.member(name);
    if (said.as === "hidden" || isSide(look, name)) continue;
    const plan = look.plan.members[name];
    if (plan.sort === "place") {
      const drawnPlace = places(table, drawing, area, /** @type {Place[]} */ (entries));
      if (drawnPlace) parts.places.push(drawnPlace);
    } else values(table, area, name, /** @type {Told[]} */ (entries), parts);
  }
  return [
    parts.chips.length ? h("div", { class: "chips" }, parts.chips) : null,
    parts.tracks.length ? h("div", { class: "tracks" }, parts.tracks) : null,
    parts.places.length ? h("div", { class: "places" }, parts.places) : null,
  ];
}

/** @template {Told | Place} T @param {T[]} entries */
function byMember(entries) {
  /** @type {Map<string, T[]>} */
  const found = new Map();
  for (const each of entries) found.set(each.member, [...(found.get(each.member) ?? []), each]);
  return found;
}

/** @param {Look} look @param {string[]} names */
export function ordered(look, names) {
  const order = look.data.order ?? [];
  const rank = (/** @type {string} */ name) => {
    const at = order.indexOf(name);
    return at < 0 ? order.length : at;
  };
  return [...names].sort((a, b) => rank(a) - rank(b));
}

/**
 * @param {Table} table
 * @param {import("./cards.js").Drawing} drawing
 * @param {Area} area
 * @param {Place[]} entries
 */
function places(table, drawing, area, entries) {
  const { look, scene } = table;
  const name = entries[0].member;
  const plan = look.plan.members[name];
  if (plan.indexes.some((index) => index.sort === "board" && table.panels.has(index.name ?? ""))) return null;
  const shown = entries.filter((place) => bearer(look, place) === undefined && (place.count || isKept(plan, entries)));
  if (!shown.length || (look.member(name).as === "quiet" && shown.every((place) => !place.count)) || (drawing.small && shown.length > 3 && shown.every((place) => !place.count))) return null;
  const label = capital(look.words(name));
  if (entries.length === 1 && !besidesOwner(look, name).length) return slot(drawing, shown[0], label);
  return h("div", { class: "group", role: "group", "aria-label": label },
    h("span", { class: "place-name" }, label),
    h("div", { class: "group-places" }, shown.map((place) =>
      slot(drawing, place, capital(indexWords(look, name, place.index, scene)), attached(look, area, place)))));
}

/** @param {import("./types.js").Member} plan @param {Place[]} entries Places that show when they are empty. */
function isKept(plan, entries) {
  if (plan.indexes.some((index) => index.sort === "kind")) return false;
  return plan.word === "slot" || plan.word === "stack" || (plan.word === "row" && entries.length === 1) || entries.length > 1;
}

/**
 * Values that are kept for just what a place is kept for are told beside it.
 * @param {Look} look
 * @param {Area} area
 * @param {Place} place
 */
function attached(look, area, place) {
  const same = area.values.filter((told) => belongs(look, told.member, place.member) && String(told.index) === String(place.index) && told.value !== false && told.value !== 0 && told.value !== null);
  return same.map((told) => h("span", { class: "note" }, typeof told.value === "boolean" ? look.words(told.member) : `${look.words(told.member)} ${valueWords(look, told.member, told.value, told.label)}`));
}

/** @param {Look} look @param {string} value @param {string} place */
function belongs(look, value, place) {
  const a = look.plan.members[value].indexes;
  const b = look.plan.members[place].indexes;
  return a.length > 0 && a.some(isNamed) && a.length === b.length && a.every((index, n) => index.sort === b[n].sort && index.name === b[n].name);
}

/** @param {Look} look @param {string} name Values that stand in a table with a column for each player. */
export function isSheet(look, name) {
  const plan = look.plan.members[name];
  if (plan.sort !== "value" || plan.indexes.length !== 2 || plan.indexes[0].sort !== "player" || !isNamed(plan.indexes[1])) return false;
  if (look.member(name).as === "hidden") return false;
  return !Object.keys(look.plan.members).some((other) => look.plan.members[other].sort === "place" && belongs(look, name, other));
}

/**
 * @param {Table} table
 * @param {Area} area
 * @param {string} name
 * @param {Told[]} entries
 * @param {{chips: any[], tracks: any[]}} parts
 */
function values(table, area, name, entries, parts) {
  const { look, scene } = table;
  const plan = look.plan.members[name];
  const said = look.member(name);
  if (isSheet(look, name)) return;
  if (Object.keys(look.plan.members).some((other) => look.plan.members[other].sort === "place" && belongs(look, name, other))) return;
  const extra = besidesOwner(look, name);
  const mine = area.owner === null || area.owner === scene.seat;
  if (!extra.length) {
    const told = entries[0];
    if (plan.type?.sort === "board" || told.value === false || told.value === null) return;
    if (said.as === "quiet" && told.value === 0) return;
    const as = said.as ?? (plan.show === "track" && (plan.type?.high ?? 99) - (plan.type?.low ?? 0) <= 12 ? "track" : "number");
    if (as === "track" && typeof told.value === "number") parts.tracks.push(track(look, told, capital(look.words(name))));
    else if (as === "die" && typeof told.value === "number") parts.tracks.push(dice(look, name, [told], mine));
    else parts.chips.push(chip(look, told));
    return;
  }
  const numbers = extra.length === 1 && extra[0].sort === "int";
  if (numbers && (said.as === "die" || (isDie(plan.type) && !said.as))) {
    parts.tracks.push(dice(look, name, entries, mine, marksOf(table, area, name)));
    return;
  }
  if (isMarkOfDice(table, area, name)) return;
  if (plan.show === "track" && (plan.type?.high ?? 99) <= 12 && typeof entries[0].value === "number") {
    parts.tracks.push(h("div", { class: "track-group" }, h("span", { class: "place-name" }, capital(look.words(name))),
      entries.map((told) => track(look, told, capital(indexWords(look, name, told.index, scene)), mine))));
    return;
  }
  const shown = entries.filter(({ value }) => value !== false && value !== null && value !== 0);
  if (shown.length)
    parts.tracks.push(h("div", { class: "track-group" }, h("span", { class: "place-name" }, capital(look.words(name))),
      h("div", { class: "chips" }, shown.map((told) =>
        h("span", { class: "chip", "data-key": told.id, "data-sig": `${told.id}=${told.value}` },
          h("span", { class: "chip-name" }, indexWords(look, name, told.index, scene)),
          told.value === true ? "" : h("b", {}, valueWords(look, name, told.value, told.label)))))));
}

/** @param {Table} table @param {Area} area @param {string} name Flags kept for the same numbers as dice. */
function marksOf({ look }, area, name) {
  return area.values.filter((told) => told.value === true && told.member !== name && sameIndexes(look, told.member, name));
}

/** @param {Table} table @param {Area} area @param {string} name */
function isMarkOfDice({ look }, area, name) {
  const plan = look.plan.members[name];
  return plan.type?.sort === "bool" && area.values.some((told) => told.member !== name && isDie(look.plan.members[told.member].type) && sameIndexes(look, told.member, name));
}

/** @param {Look} look @param {string} a @param {string} b */
function sameIndexes(look, a, b) {
  return JSON.stringify(look.plan.members[a].indexes) === JSON.stringify(look.plan.members[b].indexes);
}

/**
 * @param {Look} look
 * @param {string} name
 * @param {Told[]} entries
 * @param {boolean} mine
 * @param {Told[]} [marks]
 */
function dice(look, name, entries, mine, marks = []) {
  const colour = look.colour(look.member(name).colour ?? "white");
  return h("div", { class: "track-group" }, h("span", { class: "place-name" }, capital(look.words(name))),
    h("div", { class: "things dice" }, entries.map((told) => {
      const number = told.index[told.index.length - 1];
      const flags = marks.filter((mark) => String(mark.index) === String(told.index));
      const face = typeof told.value === "number" ? told.value : null;
      const label = `${look.words(name)} ${number ?? ""}: ${face ?? "?"}${flags.map((mark) => `, ${look.words(mark.member)}`).join("")}`;
      return h("span", {
        class: `piece ${flags.length ? "marked" : ""}`, role: "img", "data-key": told.id, "data-sig": `${told.id}=${face}`,
        "data-at": mine && number !== undefined ? key("number", number) : undefined,
        "data-say": String(number), "aria-label": label, title: label,
      }, alone(die(colour, face)), flags.map((mark) => h("span", { class: "under" }, look.words(mark.member))));
    })));
}

/** @param {Look} look @param {Told} told */
function chip(look, told) {
  const said = look.member(told.member);
  const type = look.plan.members[told.member].type;
  const path = look.path(said.symbol);
  const style = typeof told.value === "string" && type?.name ? look.value(type.name, told.value) : undefined;
  const text = valueWords(look, told.member, told.value, told.label);
  const seat = type?.sort === "player" && typeof told.value === "number" ? told.value : null;
  const symbol = path ? s("svg", { class: "chip-symbol", viewBox: "-13 -13 26 26", "aria-hidden": "true" }, drawn(path, 24, { fill: look.colour(said.colour ?? "currentColor"), stroke: "none" })) : null;
  const counts = typeof told.value === "number" && seat === null;
  return h("span", { class: counts ? "chip stat" : "chip", "data-key": told.id, "data-sig": `${told.id}=${JSON.stringify(told.value)}` },
    counts ? null : symbol,
    h("span", { class: "chip-name" }, look.words(told.member)),
    told.value === true ? null : [
      seat === null ? null : emblem(look, seat),
      style && look.data.names?.[type?.name ?? ""]?.[String(told.value)] ? h("i", { class: "swatch", style: { background: style.colour } }) : null,
      h("b", {}, counts ? symbol : null, `${text}${said.unit ?? ""}`)]);
}

/**
 * A range as a way with a stone on it.
 * @param {Look} look
 * @param {Told} told
 * @param {string} label
 * @param {boolean} [mine]
 */
function track(look, told, label, mine = false) {
  const plan = look.plan.members[told.member];
  const low = plan.type?.low ?? 0;
  const high = plan.type?.high ?? low;
  const here = Number(told.value);
  const last = plan.indexes[plan.indexes.length - 1];
  const pointed = mine && last && isNamed(last) ? key("name", last.name, told.index[told.index.length - 1]) : undefined;
  const style = last && isNamed(last) ? look.value(last.name ?? "", String(told.index[told.index.length - 1])) : undefined;
  const colour = look.colour(look.member(told.member).colour ?? (style && look.data.names?.[last.name ?? ""] ? style.colour : "var(--accent)"));
  return h("div", { class: "track", "data-at": pointed, "data-key": told.id, "data-say": label, role: "img", "aria-label": `${label}: ${here} of ${high}` },
    h("span", { class: "track-name" }, label),
    h("span", { class: "track-way" }, [...Array(high - low + 1).keys()].map((n) => {
      const value = low + n;
      return h("span", { class: `space ${value === here ? "here" : value < here ? "past" : ""}`, style: value === here ? { background: colour } : undefined,
        "data-key": value === here ? `${told.id} stone` : undefined, "data-sig": value === here ? `${told.id} stone` : undefined }, String(value));
    })));
}

/**
 * A board whose cells hold cards: panels side by side, each with what lies there.
 * @param {Table} table
 * @param {BoardScene} board
 * @param {boolean} small
 */
export function drawPanels(table, board, small) {
  const { look, scene } = table;
  const plan = look.plan.boards[board.board];
  const mine = board.owner === null || board.owner === scene.seat;
  const drawing = { look, scene, onPiece: table.onPiece, small, mine };
  const things = new Map(board.cells.map((each) => [each.cell, each.things]));
  const area = scene.areas.find((each) => each.owner === board.owner);
  const shown = look.board(board.board).shown;
  return h("div", { class: `panels ${small ? "small" : ""}`, role: "group", "aria-label": look.board(board.board).name ?? board.board },
    plan.cells.map((cell, number) => {
      const style = look.board(board.board).cells?.[cell.name] ?? {};
      const inside = things.get(number) ?? [];
      const pieces = inside.filter((thing) => thing.sort !== "value");
      const told = inside.filter((thing) => thing.sort === "value" && thing.value !== 0);
      const slots = (area?.places ?? []).filter((place) => onCell(look, place, board.board, number));
      const fields = (cell.fields ?? []).filter((field) => shown?.includes(field.name));
      const path = look.path(style.symbol);
      const member = pieces.length ? undefined : Object.keys(look.plan.members).find((name) => {
        const each = look.plan.members[name];
        return each.sort === "place" && each.indexes.some((i) => i.name === board.board) && each.indexes.length <= 2;
      });
      return h("div", {
        class: "panel", role: "group", "data-at": mine ? key("cell", board.board, number) : undefined,
        "data-key": `${board.board}/${board.owner ?? ""}/${number}`, "data-say": cell.name, "aria-label": cell.label,
        style: { "--own": style.colour ? look.colour(style.colour) : undefined },
      },
        path ? s("svg", { class: "panel-ghost", viewBox: "-13 -13 26 26", "aria-hidden": "true" }, drawn(path, 24, { fill: look.colour(style.colour ?? "grey"), stroke: "none" })) : null,
        h("div", { class: "panel-head" },
          path ? s("svg", { class: "chip-symbol", viewBox: "-13 -13 26 26", "aria-hidden": "true" }, drawn(path, 24, { fill: "currentColor", stroke: "none" })) : null,
          h("span", {}, capital(style.name ?? cell.label)),
          told.map((thing) => h("span", { class: "note", "data-key": thing.id, "data-sig": `${thing.id}=${thing.value}` },
            typeof thing.value === "boolean" ? look.words(thing.member) : words(look, thing)))),
        slots.length ? h("div", { class: "way" }, slots.map((place) => slot(drawing, place, null))) : null,
        pieces.length ? slot(drawing, { id: `${board.board}/${board.owner}/${number}`, member: pieces[0].member, index: [], count: pieces.length, things: pieces }, null)
          : member ? h("div", { class: "place bare" }, h("span", { class: "empty card" })) : null,
        fields.length ? h("div", { class: "card-fields" }, fields.map((field) => h("div", {}, h("dt", {}, field.words), h("dd", {}, field.value)))) : null);
    }));
}

/** @param {Look} look @param {Place} place @param {string} board @param {number} cell */
function onCell(look, place, board, cell) {
  return look.plan.members[place.member].indexes.some((index, n) => index.sort === "board" && index.name === board && place.index[n] === cell);
}
