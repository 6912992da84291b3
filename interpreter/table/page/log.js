// The log: who did what, newest at the bottom, spoken to screen readers as it grows.

import { h, lay, live } from "./dom.js";
import { emblem } from "./things.js";
/** @import { Look } from "./look.js" */
/** @import { Line } from "./types.js" */

/**
 * Names of players in a text, as they are called at this table.
 * @param {Look} look
 * @param {string} text
 * @returns {any[]}
 */
export function withNames(look, text) {
  return text.split(/\b(P[1-9]\d?)\b/).map((part, number) => {
    if (number % 2 === 0) return part;
    const seat = Number(part.slice(1)) - 1;
    if (!look.names || seat >= look.names.length) return part;
    return h("span", { class: "who" }, emblem(look, seat), look.names[seat]);
  });
}

/** @param {Look} look @param {string} text */
export function namesIn(look, text) {
  return text.replace(/\bP([1-9]\d?)\b/g, (whole, number) => look.names?.[Number(number) - 1] ?? whole);
}

export class Log {
  constructor() {
    /** @type {Line[]} */
    this.lines = [];
    this.list = live("ol");
    this.box = live("div", { class: "log", role: "log", "aria-live": "polite", "aria-label": "What has happened", tabindex: "0" }, this.list);
  }

  /**
   * @param {Look} look
   * @param {number} from how many lines are kept
   * @param {Line[]} lines what comes after them
   */
  write(look, from, lines) {
    this.lines = [...this.lines.slice(0, from), ...lines];
    this.draw(look);
    requestAnimationFrame(() => this.box.scrollTo(0, this.box.scrollHeight)); // when all is laid out anyway
  }

  /** @param {Look} look Names and colours of players may have changed since. */
  draw(look) {
    lay(this.list, this.lines.map((line) =>
      h("li", { "data-n": line.n, class: line.text.startsWith("  ") ? "detail" : "" }, withNames(look, line.text.trim()))));
  }
}
