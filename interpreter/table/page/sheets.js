// Values of all players for the same names: a table to read, or spots with everybody's signs on them.

import { h, s, capital } from "./dom.js";
import { key } from "./choose.js";
import { isSheet, ordered } from "./areas.js";
import { drawn, emblem } from "./things.js";
import { valueWords } from "./telling.js";
/** @import { Look } from "./look.js" */
/** @import { Scene, Told, Type } from "./types.js" */

const FEW = 5; // as many as are drawn one by one

/**
 * @typedef {{look: Look, name: string, rows: string[], seats: number[], index: Type,
 *   at: (seat: number, row: string) => Told | undefined}} Sheet
 */

/** @param {{look: Look, scene: Scene}} table */
export function sheets({ look, scene }) {
  const names = ordered(look, Object.keys(look.plan.members).filter((name) => isSheet(look, name)));
  return names.map((name) => {
    const all = scene.areas.flatMap((area) => area.values.filter((told) => told.member === name));
    const found = new Map(all.map((told) => [`${told.index[0]} ${told.index[1]}`, told]));
    /** @type {Sheet} */
    const sheet = {
      look, name, index: look.plan.members[name].indexes[1],
      rows: [...new Set(all.map((told) => String(told.index[1])))],
      seats: [...new Set(all.map((told) => Number(told.index[0])))],
      at: (seat, row) => found.get(`${seat} ${row}`),
    };
    return look.member(name).as === "spots" ? spots(sheet) : written(sheet);
  });
}

/** @param {Sheet} sheet @param {string} row */
function sign({ look, index }, row) {
  const style = look.value(index.name ?? "", row);
  const path = look.path(style.symbol);
  return path ? s("svg", { class: "chip-symbol", viewBox: "-13 -13 26 26", "aria-hidden": "true" },
    drawn(path, 24, { fill: style.colour, stroke: "#22211d", "stroke-width": 0.6 })) : null;
}

/** @param {Sheet} sheet @param {number} seat @param {number} value */
function signs({ look, name }, seat, value) {
  const path = look.path(look.member(name).symbol) ?? look.path(look.seat(seat).shape) ?? "";
  return [...Array(value).keys()].map(() => s("svg", { class: "chip-symbol", viewBox: "-13 -13 26 26", "aria-hidden": "true" },
    drawn(path, 24, { fill: look.seat(seat).colour, stroke: "#22211d", "stroke-width": 1 })));
}

/** @param {Sheet} sheet @param {Told | undefined} told */
function text({ look, name }, told) {
  const value = told?.value ?? null;
  const type = look.plan.members[name].type;
  if (value === null) return "";
  if (type?.sort === "bool") return value ? "✓" : "";
  return value === 0 && !type?.optional ? "·" : valueWords(look, name, value, told?.label);
}

/** @param {Sheet} sheet */
function written(sheet) {
  const { look, name, rows, seats, index } = sheet;
  return h("table", { class: "sheet" },
    h("caption", {}, capital(look.words(name))),
    h("thead", {}, h("tr", {}, h("td", {}), seats.map((seat) => h("th", { scope: "col", title: look.names?.[seat] }, emblem(look, seat), h("span", { class: "hidden-words" }, look.names?.[seat]))))),
    h("tbody", {}, rows.map((row) => {
      const { label } = look.value(index.name ?? "", row);
      return h("tr", { "data-at": key("name", index.name, row), "data-key": `sheet ${name} ${row}`, "data-say": row, "aria-label": label },
        h("th", { scope: "row" }, sign(sheet, row), capital(label)),
        seats.map((seat) => {
          const told = sheet.at(seat, row);
          const value = told?.value;
          const few = look.member(name).symbol && typeof value === "number" && value > 0 && value <= FEW;
          return h("td", { "data-key": told?.id, "data-sig": told ? `${told.id}=${value}` : undefined, "aria-label": text(sheet, told) },
            few ? signs(sheet, seat, value) : text(sheet, told));
        }));
    })));
}

/** @param {Sheet} sheet */
function spots(sheet) {
  const { look, name, rows, seats, index } = sheet;
  return h("div", { class: "spots-box" },
    h("span", { class: "place-name" }, capital(look.words(name))),
    h("div", { class: "spots" }, rows.map((row) => {
      const style = look.value(index.name ?? "", row);
      const here = seats.map((seat) => ({ seat, told: sheet.at(seat, row) })).filter(({ told }) => told?.value);
      const label = [style.label, ...here.map(({ seat, told }) => `${look.names?.[seat]} ${text(sheet, told)}`)].join(", ");
      return h("div", { class: "spot-tile", role: "group", "data-at": key("name", index.name, row), "data-key": `sheet ${name} ${row}`, "data-say": row, "aria-label": label, style: { "--own": style.colour } },
        h("span", { class: "spot-name" }, sign(sheet, row), capital(style.label)),
        h("span", { class: "spot-signs" }, here.map(({ seat, told }) => {
          const value = Number(told?.value);
          return h("span", { class: "signs", "data-key": told?.id, "data-sig": `${told?.id}=${told?.value}` },
            value <= FEW ? signs(sheet, seat, value) : [emblem(look, seat), text(sheet, told)]);
        })));
    })));
}
