// Asking once more before what cannot be taken back.

import { h, live, capital } from "./dom.js";
import { namesIn } from "./log.js";
/** @import { Table } from "./table.js" */
/** @import { Look } from "./look.js" */
/** @import { Option } from "./types.js" */

const KEY = "rulerun.ask";
const WAYS = { once: "Ask once", always: "Always ask", never: "Never ask" }; // for each kind of choice

/** @returns {keyof typeof WAYS} */
export function asking() {
  const kept = localStorage.getItem(KEY);
  return kept === "always" || kept === "never" ? kept : "once";
}

/**
 * Whether somebody is asked before a choice: there is another, and this one would be final. A look
 * may name actions that are always asked about.
 * @param {Table} table
 * @param {Option} option
 */
export async function asksBefore(table, option) {
  const named = (table.look?.data.ask ?? []).includes(option.action);
  if (asking() === "never" || (table.scene?.decision?.options.length ?? 0) < 2) return false;
  if (named) return true;
  if (asking() === "once" && table.confirmed.has(option.action)) return false;
  return Boolean((await table.preview.ask(option))?.final);
}

/** @param {Table} table @param {Option} option The question, in place of the choices. */
export function confirming(table, option) {
  const look = /** @type {Look} */ (table.look);
  const go = (/** @type {boolean} */ enough) => {
    if (enough) localStorage.setItem(KEY, "never");
    table.confirmed.add(option.action);
    table.play(option);
  };
  const yes = live("button", { type: "button", class: "option", "data-key": "confirm", "data-option": option.text, click: () => go(false) }, "Do it");
  queueMicrotask(() => yes.isConnected && yes.focus()); // as soon as it is on the page
  return h("div", { class: "confirm", role: "alertdialog", "aria-label": "This cannot be taken back" },
    h("p", {}, h("b", {}, capital(namesIn(look, option.words))), " – this cannot be taken back."),
    h("div", { class: "options" }, yes),
    h("div", { class: "tool-row" },
      h("button", { type: "button", class: "quiet", "data-key": "choose back", click: () => table.again() }, "‹ Choose again"),
      h("button", { type: "button", class: "quiet", "data-key": "ask no more", click: () => go(true) }, "Do it, and never ask again")));
}

/** @type {HTMLSelectElement | undefined} */
let setting;

/** When to ask, as a setting of this browser. */
export function askingSetting() {
  setting ??= /** @type {HTMLSelectElement} */ (live("select", { "aria-label": "Before what cannot be taken back", "data-key": "asking", change: (/** @type {any} */ event) => localStorage.setItem(KEY, event.target.value) },
    Object.entries(WAYS).map(([value, text]) => h("option", { value, title: "before what cannot be taken back" }, text))));
  setting.value = asking();
  return setting;
}
