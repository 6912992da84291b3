// Dice of which more than the top can be seen. Opposite sides add up to seven, and all dice turn the
// same way round, so the top and the side turned to its owner tell all the others.

import { h, s } from "./dom.js";
import { DARK, PIPS, alone, emblem, ink } from "./things.js";
/** @import { Drawn } from "./dom.js" */
/** @import { Look } from "./look.js" */
/** @import { Place, Scene, Thing } from "./types.js" */
/** @typedef {{near: string, read: Record<string, string[]>}} Sides */

const SIZE = 56;
const ROUND = ["near", "right", "back", "left"]; // seen from above, against the clock

/** The side on the right, by the top and the near side; undefined if no die lies so.
 * @param {number} top @param {number} near */
export function rightOf(top, near) {
  const axis = (/** @type {number} */ face) => (face <= 3 ? face : 7 - face) - 1;
  const sign = (/** @type {number} */ face) => (face <= 3 ? 1 : -1);
  const [a, b] = [axis(top), axis(near)];
  if (a === b) return undefined;
  const c = 3 - a - b;
  const even = (b - a + 3) % 3 === 1 ? 1 : -1;
  const positive = sign(top) * sign(near) * even > 0;
  return positive ? c + 1 : 6 - c;
}

/** @param {number} top @param {number} near @returns {Record<string, number> | undefined} */
export function sidesOf(top, near) {
  const right = rightOf(top, near);
  return right === undefined ? undefined : { near, right, back: 7 - near, left: 7 - right };
}

/**
 * A die as it lies before everybody: from where this seat sits, and what each of the others reads.
 * @param {Look} look
 * @param {Scene} scene
 * @param {Place} place
 * @param {Thing} thing
 * @param {string} colour
 * @param {number | null | undefined} top
 * @returns {Drawn | null}
 */
export function seenDie(look, scene, place, thing, colour, top) {
  /** @type {Sides | undefined} */
  const said = look.member(place.member).sides;
  const owner = thing.owner;
  if (!said || typeof top !== "number" || owner === null || owner === undefined) return null;
  const sides = sidesOf(top, nearSide(look, scene, owner, said.near) ?? 0);
  if (!sides) return null;
  const players = look.plan.players.length;
  const reads = (/** @type {number} */ seat) => said.read[String(players)]?.[((seat - owner + players) % players) - 1];
  const front = scene.seat === null || scene.seat === owner ? "near" : reads(scene.seat) ?? "near";
  const right = ROUND[(ROUND.indexOf(front) + 1) % ROUND.length];
  const others = look.plan.players.map((_, seat) => seat).filter((seat) => seat !== owner && reads(seat));
  const told = others.map((seat) => `${look.names?.[seat]} reads ${sides[reads(seat) ?? ""]}`);
  return h("span", { class: "piece seen-die", title: [`${top} on top`, ...told].join(", ") },
    alone(cube(colour, top, sides[front], sides[right])),
    h("span", { class: "readers" }, others.map((seat) => h("span", {}, emblem(look, seat), String(sides[reads(seat) ?? ""])))));
}

/**
 * The side turned to the owner: `place.field.field` of the piece that was put there last.
 * @param {Look} look
 * @param {Scene} scene
 * @param {number} owner
 * @param {string} path
 */
function nearSide(look, scene, owner, path) {
  const [member, field, inner] = path.split(".");
  const things = scene.areas[owner + 1].places.find((each) => each.member === member)?.things ?? [];
  const last = things[things.length - 1];
  const printed = look.plan.kinds[last?.kind ?? ""]?.rows.find(({ name }) => name === last.row);
  const value = printed?.fields?.find(({ name }) => name === field)?.value ?? "";
  const found = inner ? look.rowOf(value)?.fields?.find(({ name }) => name === inner)?.value : value;
  return found ? Number(found) : undefined;
}

/**
 * @param {string} colour
 * @param {number} top
 * @param {number} front
 * @param {number} right
 */
function cube(colour, top, front, right) {
  return s("g", { class: "die cube" },
    side(colour, front, 0.12, "matrix(1 0 0 1 -38 -14)"),
    side(colour, top, 0, "matrix(1 0 -0.36 0.48 -17.84 -40.88)"),
    side(colour, right, 0.28, "matrix(0.36 -0.48 0 1 18 -14)"));
}

/** @param {string} colour @param {number} face @param {number} shade @param {string} transform */
function side(colour, face, shade, transform) {
  return s("g", { transform },
    s("rect", { width: SIZE, height: SIZE, rx: 5, fill: colour, stroke: DARK, "stroke-width": 2 }),
    s("rect", { width: SIZE, height: SIZE, rx: 5, fill: "#000", "fill-opacity": shade }),
    PIPS[face].map(([x, y]) => s("circle", { cx: SIZE / 2 + x * 15, cy: SIZE / 2 + y * 15, r: 6, fill: ink(colour) })));
}
