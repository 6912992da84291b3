// Small things: stones, tokens, pawns, dice. All are drawn around 0,0 with a radius of about 40.

import { s } from "./dom.js";
import { isLight, SHAPES } from "./look.js";
/** @import { Drawn } from "./dom.js" */
/** @import { Look } from "./look.js" */
/** @import { Part, Symbol } from "./types.js" */

const LIGHT = "#fffdf6";
export const DARK = "#22211d";

/** @param {string} colour */
export function ink(colour) {
  return isLight(colour) ? DARK : LIGHT;
}

/**
 * A symbol, drawn in a square of a size: a path of the box of 24 by 24, or a picture of its own.
 * @param {Symbol} path
 * @param {number} size
 * @param {Record<string, any>} attributes
 */
export function drawn(path, size, attributes) {
  if (typeof path !== "string") {
    const [left, top, width, height] = path.box;
    const scale = size / Math.max(width, height);
    return s("g", { fill: attributes.fill, transform: `scale(${scale}) translate(${-left - width / 2} ${-top - height / 2})` },
      s("g", path.with, shapes(path.parts)));
  }
  const scale = size / 24;
  return s("path", {
    d: path,
    transform: `translate(${-size / 2} ${-size / 2}) scale(${scale})`,
    "stroke-width": 1.4,
    "stroke-linejoin": "round",
    ...attributes,
  });
}

/** @param {Part[]} parts @returns {Drawn[]} */
function shapes(parts) {
  return parts.map((part) => s(part.name, part.with, shapes(part.parts ?? [])));
}

/**
 * @typedef {{colour: string, path?: Symbol, text?: string, seat?: number | null, count?: number,
 *   turn?: number, disc?: boolean, faint?: boolean}} Spec
 *
 * @param {Look} look
 * @param {Spec} spec
 */
export function token(look, spec) {
  return s("g", { class: spec.faint ? "token faint" : "token" },
    spec.turn === undefined ? null : s("path", {
      d: "M20 -36L64 0L20 36Z", class: "facing", transform: `rotate(${spec.turn})`,
      fill: spec.colour, stroke: DARK, "stroke-width": 3,
    }),
    spec.path && !isOwned(spec) && !spec.disc
      ? drawn(spec.path, 74, { fill: spec.colour, stroke: DARK, "stroke-opacity": 0.75 }) : disc(look, spec),
    spec.count !== undefined && spec.count !== 1 ? badge(String(spec.count)) : null);
}

/** @param {Spec} spec */
function isOwned(spec) {
  return spec.seat !== undefined && spec.seat !== null;
}

/** @param {Look} look @param {Spec} spec A round token with what is on it, and the sign of its owner. */
function disc(look, spec) {
  const fill = ink(spec.colour);
  const text = spec.path ? "" : spec.text ?? "";
  const size = [0, 46, 34, 25, 20][Math.min(text.length, 4)];
  const shape = isOwned(spec) ? look.path(look.seat(spec.seat).shape) ?? "" : null;
  return [
    s("circle", { r: 38, cy: 3, class: "shade" }),
    s("circle", { r: 38, fill: spec.colour, stroke: DARK, "stroke-opacity": 0.55, "stroke-width": 2.5 }),
    s("circle", { r: 32, fill: "none", stroke: fill, "stroke-opacity": 0.35, "stroke-width": 1.5 }),
    spec.path ? drawn(spec.path, 46, { fill, stroke: "none" }) : null,
    text ? s("text", { class: "letter", fill, "font-size": size, y: size * 0.36 }, text) : null,
    shape === null ? null
      : !spec.path && !text ? drawn(shape, 34, { fill, stroke: "none" })
        : s("g", { transform: "translate(-27 27)" }, drawn(shape, 22, { fill: spec.colour, stroke: DARK, "stroke-width": 2 })),
  ];
}

/** @param {string} text How many there are. */
function badge(text) {
  return s("g", { transform: "translate(24 24)" },
    s("rect", { x: -11 - 9 * text.length, y: -17, width: 22 + 18 * text.length, height: 34, rx: 17, class: "badge" }),
    s("text", { class: "letter badge-text", "font-size": 27, y: 10 }, text));
}

/** Where the pips of each side are. @type {number[][][]} */
export const PIPS = [
  [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [1, -1], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];

/**
 * A die with its upper side; a question mark if that cannot be seen.
 * @param {string} colour
 * @param {number | null} face
 */
export function die(colour, face) {
  const fill = ink(colour);
  const pips =
    face !== null && face >= 1 && face <= 6
      ? PIPS[face].map(([x, y]) => s("circle", { cx: x * 19, cy: y * 19, r: 7, fill }))
      : [s("text", { class: "letter", fill, "font-size": 44, y: 16 }, face === null ? "?" : String(face))];
  return s("g", { class: "die" },
    s("rect", { x: -36, y: -32, width: 72, height: 72, rx: 14, class: "shade" }),
    s("rect", { x: -36, y: -36, width: 72, height: 72, rx: 14, fill: colour, stroke: DARK, "stroke-opacity": 0.5, "stroke-width": 2.5 }),
    s("rect", { x: -30, y: -30, width: 60, height: 60, rx: 12, fill: LIGHT, "fill-opacity": 0.1 }),
    ...pips);
}

/**
 * The sign of a player: a shape in their colour.
 * @param {Look} look
 * @param {number | null} seat
 */
export function emblem(look, seat) {
  const { colour, shape } = look.seat(seat);
  return s("svg", { class: "emblem", viewBox: "-13 -13 26 26", "aria-hidden": "true" },
    drawn(look.path(shape) ?? SHAPES[0], 24, { fill: colour, stroke: DARK, "stroke-width": 1 }));
}

/**
 * Something small on its own, beside text.
 * @param {Drawn} inside
 * @param {string} kind
 */
export function alone(inside, kind = "small-thing") {
  return s("svg", { class: kind, viewBox: "-46 -46 92 92", "aria-hidden": "true" }, inside);
}
