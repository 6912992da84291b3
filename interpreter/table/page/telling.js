// What a thing is, in pictures and in words: one answer for boards, mats and screen readers.

import { isDie } from "./look.js";
import { die, token } from "./things.js";
import { key } from "./choose.js";
import { bearing } from "./geometry.js";
/** @import { Drawn } from "./dom.js" */
/** @import { Look } from "./look.js" */
/** @import { Thing, Value } from "./types.js" */

/** @param {Value | undefined} value */
export function isHidden(value) {
  return typeof value === "object" && value !== null;
}

/**
 * @param {Look} look
 * @param {string} member
 * @param {Value} value
 * @param {string} [label]
 */
export function valueWords(look, member, value, label) {
  const type = look.plan.members[member]?.type;
  if (isHidden(value)) return "?";
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (type?.sort === "player") return look.names?.[Number(value)] ?? `P${Number(value) + 1}`;
  if (type?.sort === "board") return look.plan.boards[type.name ?? ""]?.cells[Number(value)]?.label ?? "";
  if (typeof value === "string" && type?.name) {
    const own = look.data.names?.[type.name]?.[value]?.name;
    return own ?? label ?? value;
  }
  if (typeof value === "number") return value.toLocaleString("en");
  return label ?? String(value);
}

/**
 * Things that cannot be told apart stand for each other when one of them can be chosen.
 * @param {Thing[]} things
 * @returns {Map<Thing, string[]>}
 */
export function keysOf(things) {
  /** @type {Map<string, Thing[]>} */
  const alike = new Map();
  for (const thing of things) {
    const name = thing.row === null ? thing.id : signature(thing);
    alike.set(name, [...(alike.get(name) ?? []), thing]);
  }
  const found = new Map();
  for (const group of alike.values()) {
    for (const thing of group) {
      const keys = [key("piece", thing.id)];
      for (const other of group) if (other !== thing) keys.push(key("piece", other.id));
      if (thing.kind && thing.row) keys.push(key("row", thing.kind, thing.row));
      found.set(thing, keys);
    }
  }
  return found;
}

/** What makes a thing the same thing when it has moved.
 * @param {Thing} thing */
export function signature(thing) {
  if (thing.sort === "pawn") return thing.id;
  const marks = Object.entries(thing.marks ?? {})
    .filter(([, { value }]) => typeof value === "number" || isHidden(value))
    .map(([name, { value }]) => `${name}=${isHidden(value) ? "?" : value}`);
  return [thing.kind ?? thing.member, thing.row ?? "?", ...marks].join(" ");
}

/**
 * @param {Look} look
 * @param {Thing} thing
 * @returns {string}
 */
export function words(look, thing) {
  const kind = thing.kind ? look.plan.kinds[thing.kind] : undefined;
  if (thing.sort === "piece") {
    const face = faceOf(look, thing);
    const label = thing.row && thing.kind ? look.row(thing.kind, thing.row).label : `hidden ${kind?.words.toLowerCase() ?? "piece"}`;
    const more = face === undefined ? "" : ` ${face === null ? "?" : face}`;
    const way = thing.facing ? `, facing ${thing.facing}` : "";
    return `${label}${more}${way}`;
  }
  if (thing.sort === "count") {
    if (!thing.kind || !thing.row) return `${thing.count} hidden`;
    return `${thing.count} ${look.row(thing.kind, thing.row).label}`;
  }
  if (thing.sort === "pawn") return `${look.words(thing.member)}${ownerWords(look, thing.owner)}`;
  return `${look.words(thing.member)} ${valueWords(look, thing.member, thing.value ?? null, thing.label)}`;
}

/** @param {Look} look @param {number | null | undefined} owner */
function ownerWords(look, owner) {
  return owner === null || owner === undefined ? "" : ` of ${look.names?.[owner] ?? `P${owner + 1}`}`;
}

/**
 * The upper side of a die; null if it cannot be seen, undefined for what is no die.
 * @param {Look} look
 * @param {Thing} thing
 */
export function faceOf(look, thing) {
  const member = thing.kind ? look.face(thing.kind) : undefined;
  if (!member) return undefined;
  const value = thing.marks?.[member]?.value;
  return typeof value === "number" ? value : null;
}

/**
 * A thing as a small picture around 0,0.
 * @param {Look} look
 * @param {Thing} thing
 * @param {string} shape of the board it lies on
 * @returns {Drawn}
 */
export function picture(look, thing, shape = "square") {
  const turn = thing.facing ? bearing(thing.facing, shape) : undefined;
  if (thing.sort === "pawn") {
    const said = look.member(thing.member);
    const seat = look.seat(thing.owner);
    const colour = thing.owner === null || thing.owner === undefined ? look.colour(said.colour ?? "#8d8f8b") : seat.colour;
    const letter = thing.owner === null || thing.owner === undefined ? look.words(thing.member).charAt(0).toUpperCase() : undefined;
    return token(look, { colour, path: look.path(said.symbol), text: said.sign ?? letter, seat: thing.owner, turn, disc: true });
  }
  if (thing.sort === "value") return valuePicture(look, thing);
  if (!thing.kind || !thing.row)
    return token(look, { colour: "#8d8f8b", text: "?", count: thing.count });
  const style = look.row(thing.kind, thing.row);
  const face = faceOf(look, thing);
  if (face !== undefined) return die(style.colour, face);
  const owned = thing.sort === "piece" && thing.owner !== null && thing.owner !== undefined;
  return token(look, {
    colour: owned && !look.kind(thing.kind).own ? look.seat(thing.owner).colour : style.colour,
    path: look.path(style.symbol),
    text: style.symbol ? undefined : style.short,
    seat: owned ? thing.owner : undefined,
    count: thing.sort === "count" ? thing.count : undefined,
    turn,
    disc: thing.sort === "piece",
  });
}

/** @param {Look} look @param {Thing} thing */
function valuePicture(look, thing) {
  const type = look.plan.members[thing.member]?.type;
  const value = thing.value ?? null;
  const said = look.member(thing.member);
  if (isHidden(value)) return token(look, { colour: "#8d8f8b", text: "?" });
  if (type?.sort === "player") return token(look, { colour: look.seat(Number(value)).colour, seat: Number(value), path: look.path(said.symbol) });
  if (typeof value === "number" && isDie(type) && said.as === "die") return die(look.colour(said.colour ?? "white"), value);
  if (typeof value === "number") return token(look, { colour: look.colour(said.colour ?? "#efe6cf"), path: look.path(said.symbol), text: said.symbol ? undefined : String(value), count: said.symbol ? value : undefined });
  if (typeof value === "string" && type?.name) {
    const style = look.value(type.name, value);
    return token(look, { colour: style.colour, path: look.path(style.symbol), text: style.symbol ? undefined : style.short });
  }
  return token(look, { colour: look.colour(said.colour ?? "#d8a826"), path: look.path(said.symbol), text: look.words(thing.member).charAt(0).toUpperCase() });
}
