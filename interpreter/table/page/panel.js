// What can be chosen, as buttons: all that cannot be pointed at, and everything for those who
// would rather read than point.

import { h, lay, live, capital, spaced } from "./dom.js";
import { keyOf } from "./choose.js";
import { namesIn } from "./log.js";
/** @import { Choice } from "./choose.js" */
/** @import { Look } from "./look.js" */
/** @import { Option } from "./types.js" */

const FEW = 9;
const MANY_NUMBERS = 6;

/**
 * @param {Look} look
 * @param {Choice} choice
 * @param {Set<string>} drawn
 * @param {{play: (option: Option) => void, back: () => void, show: (option: Option | null) => void}} told
 */
export function buttons(look, choice, drawn, told) {
  const unpointed = choice.unpointed(drawn).map(({ option }) => option);
  const all = choice.options;
  const listed = all.length <= FEW || !unpointed.length && choice.picked.length > 0 ? all : unpointed;
  const numbers = numberGroups(listed);
  const plain = listed.filter((option) => !numbers.some((group) => group.includes(option)));
  let digit = 0;
  const button = (/** @type {Option} */ option) => {
    digit += 1;
    return optionButton(look, option, digit <= 9 ? digit : null, told);
  };
  const rest = all.length - listed.length;
  return [
    choice.picked.length
      ? h("button", { class: "quiet", type: "button", click: told.back, "data-key": "choose back" }, "‹ Choose again") : null,
    numbers.map((group) => numberChooser(look, group, told)),
    h("div", { class: "options" }, plain.map(button)),
    rest > 0
      ? h("p", { class: "hint" }, listed.length ? "Or point at what is lit on the table." : "Point at what is lit on the table.") : null,
    rest > 0 ? everything(look, all.filter((option) => !listed.includes(option)), told) : null,
  ];
}

/**
 * @param {Look} look
 * @param {Option} option
 * @param {number | null} digit
 * @param {any} told
 */
function optionButton(look, option, digit, told) {
  return h("button", {
    type: "button", class: "option", "data-option": option.text, "data-key": `option ${option.text}`,
    click: () => told.play(option),
    pointerenter: () => told.show(option), pointerleave: () => told.show(null),
    focus: () => told.show(option), blur: () => told.show(null),
  }, digit ? h("kbd", { "aria-hidden": "true" }, String(digit)) : null, h("span", {}, capital(namesIn(look, option.words))));
}

/** Options that differ in one number only, when there are many.
 * @param {Option[]} options */
function numberGroups(options) {
  /** @type {Map<string, Option[]>} */
  const groups = new Map();
  for (const option of options) {
    const numbers = option.about.filter(({ sort }) => sort === "number");
    if (numbers.length !== 1) continue;
    const rest = option.about.filter(({ sort }) => sort !== "number").map(keyOf);
    const name = [option.action, ...rest].join(" ");
    groups.set(name, [...(groups.get(name) ?? []), option]);
  }
  return [...groups.values()].filter((group) => group.length > MANY_NUMBERS);
}

/** @param {Option} option */
function numberOf(option) {
  return Number(option.about.find(({ sort }) => sort === "number")?.value);
}

/**
 * A slider over the numbers that can be chosen.
 * @param {Look} look
 * @param {Option[]} group
 * @param {any} told
 */
function numberChooser(look, group, told) {
  const sorted = [...group].sort((a, b) => numberOf(a) - numberOf(b));
  let at = 0;
  const say = live("button", { type: "button", class: "option", click: () => told.play(sorted[at]) });
  const range = /** @type {HTMLInputElement} */ (live("input", {
    type: "range", min: 0, max: sorted.length - 1, step: 1, value: 0,
    "aria-label": spaced(sorted[0].about.find(({ sort }) => sort === "number")?.name ?? "number"),
    "data-key": `number ${sorted[0].action}`,
  }));
  const show = (/** @type {number} */ to) => {
    at = Math.max(0, Math.min(sorted.length - 1, to));
    range.value = String(at);
    range.setAttribute("aria-valuetext", sorted[at].words);
    say.setAttribute("data-option", sorted[at].text);
    say.textContent = capital(namesIn(look, sorted[at].words));
  };
  range.addEventListener("input", () => show(Number(range.value)));
  show(0);
  return h("div", { class: "number" },
    h("div", { class: "number-row" },
      h("button", { type: "button", class: "quiet", "aria-label": "less", click: () => show(at - 1) }, "−"),
      range,
      h("button", { type: "button", class: "quiet", "aria-label": "more", click: () => show(at + 1) }, "+")),
    say);
}

/**
 * @param {Look} look
 * @param {Option[]} options
 * @param {any} told
 */
function everything(look, options, told) {
  const list = live("div", { class: "options" });
  const find = /** @type {HTMLInputElement} */ (live("input", { type: "search", placeholder: "Find a choice", "aria-label": "Find a choice", "data-key": "find" }));
  const fill = () => {
    const wanted = find.value.toLowerCase();
    const found = options.filter((option) => option.words.toLowerCase().includes(wanted));
    lay(list, found.slice(0, 60).map((option) => optionButton(look, option, null, told)),
      found.length > 60 ? h("p", { class: "hint" }, `and ${found.length - 60} more`) : null);
  };
  find.addEventListener("input", fill);
  return live("details", { class: "everything", "data-key": "everything", toggle: fill },
    h("summary", { "data-key": "everything summary" }, `List the ${options.length} choices on the table`), find, list);
}
