// Pieces off the boards: cards, tiles, tokens and dice, and the places they lie in.

import { h, s, capital, spaced } from "./dom.js";
import { key } from "./choose.js";
import { alone, drawn, ink } from "./things.js";
import { seenDie } from "./sides.js";
import { faceOf, keysOf, picture, signature, words } from "./telling.js";
/** @import { Drawn } from "./dom.js" */
/** @import { Look } from "./look.js" */
/** @import { Place, Scene, Thing, Printed } from "./types.js" */

const SHOWN_BACKS = 8;
const SHORT = 4; // letters of a name that can be written large

/**
 * @typedef {{look: Look, scene: Scene, onPiece: Map<string, Place[]>, small: boolean, mine: boolean}} Drawing
 */

/**
 * @param {Drawing} drawing
 * @param {Thing} thing
 * @param {string[]} keys
 * @param {Place} [place] it lies in
 * @returns {Drawn}
 */
export function piece(drawing, thing, keys, place) {
  const { look } = drawing;
  const as = thing.kind ? look.as(thing.kind) : "token";
  const attributes = {
    role: "group",
    "data-at": keys.join(" ") || undefined,
    "data-key": thing.id,
    "data-sig": signature(thing),
    "data-say": thing.row ?? thing.label,
    "aria-label": words(look, thing),
  };
  const seen = as === "die" && place ? seenDie(look, drawing.scene, place, thing, look.row(thing.kind ?? "", thing.row ?? "").colour, faceOf(look, thing)) : null;
  const inside = seen ?? (as === "card" || as === "tile" ? card(drawing, thing, as) : small(look, thing));
  Object.assign(inside.with, attributes);
  const on = drawing.onPiece.get(thing.id) ?? [];
  if (!on.some((each) => each.count)) return inside;
  return h("div", { class: "bearer" }, inside,
    h("div", { class: "borne" }, on.map((place) => slot(drawing, place, null))));
}

/** @param {Look} look @param {Thing} thing */
function small(look, thing) {
  const label = words(look, thing);
  return h("span", { class: "piece", title: label }, alone(picture(look, { ...thing, facing: null })),
    look.as(thing.kind ?? "") === "token" && thing.sort === "piece"
      ? h("span", { class: "under" }, look.row(thing.kind ?? "", thing.row ?? "").label) : null);
}

/**
 * @param {Drawing} drawing
 * @param {Thing} thing
 * @param {string} as
 */
function card({ look, small: compact }, thing, as) {
  const kind = thing.kind ?? "";
  if (!thing.row) return back(look, kind, thing.label === "?" ? undefined : thing.label, compact, as);
  const printed = /** @type {Printed} */ (look.plan.kinds[kind].rows.find((row) => row.name === thing.row));
  const style = look.row(kind, thing.row);
  const said = look.kind(kind);
  const path = look.path(style.symbol);
  const large = new Set(said.large ?? []);
  const hidden = new Set(said.unsaid ?? []);
  const fields = (printed?.fields ?? []).filter(
    ({ name, value }) => !hidden.has(name) && !large.has(name) && !(as === "tile") && !mentioned(style.label, value),
  );
  /** @type {import("./types.js").Field[]} */
  const bigs = (said.large ?? []).flatMap((/** @type {string} */ name) => (printed?.fields ?? []).filter((field) => field.name === name));
  const [, head, aside] = /^(.{1,24}?) \((.+)\)$/.exec(style.label) ?? ["", style.label, ""];
  const corner = bigs.length > 0 && said.corner;
  const bare = as === "card" && !bigs.length && !fields.length && !aside && !printed?.text; // nothing but its name
  const alike = bare && head.length <= SHORT;
  const marks = Object.entries(thing.marks ?? {})
    .filter(([name, { value }]) => value !== false && value !== null && value !== 0 && !["board", "direction"].includes(look.plan.members[name]?.type?.sort ?? ""))
    .map(([, mark]) => mark);
  return h("div", {
    class: `card ${as} ${compact ? "compact" : ""} ${corner ? "corner" : ""} ${bare && !alike ? "brief" : ""}`,
    title: [style.label, printed?.text].filter(Boolean).join("\n"),
    style: { "--own": style.colour, "--ink": ink(style.colour), color: corner ? signColour(look, bigs) : undefined },
  },
    corner ? bigs.map((field) => big(look, kind, field)) : [
      h("div", { class: "card-head" },
        path ? s("svg", { class: "card-symbol", viewBox: "-13 -13 26 26", "aria-hidden": "true" }, drawn(path, 24, { fill: ink(style.colour), stroke: "none" })) : null,
        alike ? null : h("span", { class: "card-name" }, capital(head))),
      alike ? h("div", { class: "card-large sole" }, h("span", { class: "big" }, capital(head))) : null,
      bigs.length ? h("div", { class: "card-large" }, bigs.map((field) => big(look, kind, field))) : null,
      fields.length ? h("dl", { class: "card-fields" }, fields.map(({ words: name, value }) =>
        h("div", {}, h("dt", {}, name), h("dd", {}, value)))) : null,
      aside ? h("p", { class: "card-text" }, capital(aside)) : null,
      printed?.text ? h("p", { class: "card-text" }, printed.text) : null,
    ],
    marks.length ? h("p", { class: "card-marks" }, marks.map((mark) => h("span", {}, `${mark.words} ${typeof mark.value === "object" ? "?" : mark.label ?? mark.value}`))) : null);
}

/**
 * A field that is shown large: by its sign, if its values have one.
 * @param {Look} look
 * @param {string} kind
 * @param {{name: string, words: string, value: string}} field
 */
function big(look, kind, field) {
  for (const [group, values] of Object.entries(look.data.names ?? {})) {
    const found = Object.entries(/** @type {any} */ (values)).find(([name, own]) => {
      const label = look.plan.names[group]?.find((each) => each.name === name)?.label;
      return (label ?? name) === field.value && (own.sign || own.symbol);
    });
    if (!found) continue;
    const [name] = found;
    const style = look.value(group, name);
    const path = look.path(style.symbol);
    const colour = /** @type {any} */ (found[1]).colour ? style.colour : undefined;
    return h("span", { class: "big", title: `${field.words} ${field.value}`, style: { "--sign": colour } },
      path ? s("svg", { viewBox: "-13 -13 26 26", class: "card-symbol" }, drawn(path, 24, { fill: "currentColor", stroke: "none" })) : style.sign,
      path ? h("small", {}, field.value) : null);
  }
  const number = /^\d{4,}$/.test(field.value) ? Number(field.value).toLocaleString("en") : field.value;
  return h("span", { class: "big", title: `${field.words} ${field.value}` }, number,
    h("small", {}, field.words));
}

/**
 * The colour of the first sign that has one.
 * @param {Look} look
 * @param {{value: string}[]} fields
 */
function signColour(look, fields) {
  for (const { value } of fields)
    for (const values of Object.values(look.data.names ?? {})) {
      const own = /** @type {any} */ (values)[value];
      if (own?.colour) return look.colour(own.colour);
    }
  return undefined;
}

/** @param {string} label @param {string} value */
function mentioned(label, value) {
  return value.length > 0 && label.toLowerCase().split(/[^\p{L}\p{N}]+/u).join(" ").includes(value.toLowerCase());
}

/**
 * @param {Look} look
 * @param {string} kind
 * @param {string | undefined} label
 * @param {boolean} compact
 * @param {string} as
 */
function back(look, kind, label, compact, as) {
  const said = look.kind(kind);
  const path = look.path((label ? said.backs?.[label]?.symbol : undefined) ?? said.symbol);
  const own = label ? said.backs?.[label] ?? {} : {};
  const colour = label ? look.style("", [], label, own, said).colour : look.colour(said.colour ?? "#5d6f86");
  return h("div", { class: `card back ${as} ${compact ? "compact" : ""}`, style: { "--own": colour, "--ink": ink(colour) }, title: label ?? look.plan.kinds[kind]?.words },
    path ? s("svg", { class: "back-symbol", viewBox: "-13 -13 26 26", "aria-hidden": "true" }, drawn(path, 24, { fill: "currentColor", stroke: "none" })) : null,
    label || !path ? h("span", { class: "back-name" }, label ?? said.name ?? spaced(look.plan.kinds[kind]?.words ?? "")) : null);
}

/**
 * What lies in a place, as its word asks for: stacks show their top, hands fan out.
 * @param {Drawing} drawing
 * @param {Place} place
 * @returns {(Drawn | null)[]}
 */
export function contents(drawing, place) {
  const { look } = drawing;
  const member = look.plan.members[place.member];
  const word = look.member(place.member).as ?? member.word;
  const keys = keysOf(place.things);
  const draw = (/** @type {Thing} */ thing) => piece(drawing, thing, keys.get(thing) ?? [], place);
  const backs = place.things.filter((thing) => thing.row === null);
  if (!place.count) return [h("span", { class: `empty ${look.as(member.kind ?? "")} ${look.kind(member.kind ?? "").corner ? "corner" : ""}`, role: "img", "aria-label": "empty" })];
  if (word === "stack" || word === "bag" || word === "pile") {
    const top = place.things[0] ?? { sort: "piece", id: place.id, member: place.member, kind: member.kind, row: null, label: "?" };
    return [h("div", { class: "stack" }, draw(top), h("span", { class: "count" }, String(place.count)))];
  }
  if (backs.length > 3 && !drawing.mine) {
    const known = place.things.filter((thing) => thing.row !== null);
    return [...known.map(draw), h("div", { class: "fan" }, backs.slice(0, SHOWN_BACKS).map(draw), h("span", { class: "count" }, String(place.count - known.length)))];
  }
  const more = place.count - place.things.length;
  const rest = member.word !== "pool" && more > 0 ? h("span", { class: "count" }, `+${more}`) : null;
  return [...place.things.map(draw), rest];
}

/**
 * One place with its name.
 * @param {Drawing} drawing
 * @param {Place} place
 * @param {string | null} label
 * @param {...any} more
 * @returns {Drawn}
 */
export function slot(drawing, place, label, ...more) {
  const { look } = drawing;
  const member = look.plan.members[place.member];
  const keys = member.indexes.flatMap((index, number) =>
    ["enum", "table"].includes(index.sort) && drawing.mine ? [key("name", index.name, place.index[number])] : []);
  const wide = place.things.length > 6 && member.word !== "stack" ? "wide" : "";
  return h("div", {
    class: `place word-${member.word} ${wide} ${place.count ? "" : "bare"}`,
    "data-at": keys.join(" ") || undefined,
    "data-key": `place ${place.id}`,
    "data-say": place.id,
    role: "group",
    "aria-label": `${label ?? look.words(place.member)}, ${place.count}`,
  },
    label === null ? null : h("span", { class: "place-name" }, label),
    h("div", { class: "things" }, contents(drawing, place)), more);
}
