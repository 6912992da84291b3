// What stands beside the choice: taking back, hints, bots, names, chat; and the end of a game.

import { h, live, capital } from "./dom.js";
import { withNames } from "./log.js";
import { askingSetting } from "./asking.js";
import { emblem } from "./things.js";
/** @import { Table } from "./table.js" */

/** @param {Table} table */
export function tools(table) {
  const { info, scene, look } = table;
  if (!info || !scene || !look) return [];
  const choosing = Boolean(scene.decision);
  const person = info.you === null ? null : info.seats[info.you];
  const buttons = [
    info.you === null || (scene.over && !table.undo) ? null : h("button", { type: "button", disabled: !table.undo, click: () => table.takeBack(), title: "Take the last choice back (u)", "data-key": "undo" }, "Undo"),
    choosing ? h("button", { type: "button", click: () => table.hint(), title: "What a bot would do", "data-key": "hint" }, "Hint") : null,
    person && !scene.over ? h("button", { type: "button", click: () => rename(table, person), "data-key": "name" }, "Your name") : null,
    ...info.seats.filter((/** @type {any} */ each) => !scene.over && replaceable(table, each)).map((/** @type {any} */ each) =>
      h("button", { type: "button", "data-key": `bot ${each.seat}`, click: () => seat(table, each.seat, each.who === "person" ? "bot best" : "person") },
        each.who === "person" ? (each.seat === info.you ? "Let a bot play for me" : `Let a bot play for ${each.name}`) : each.seat === info.you ? "Play myself again" : `Give ${each.name} back the seat`)),
    person && !scene.over ? askingSetting() : null,
  ].filter(Boolean);
  return [
    buttons.length ? h("div", { class: "tool-row" }, buttons) : null,
    info.all ? everySeat(table) : null,
    info.chat ? chat(table) : null,
  ].filter((each) => each !== null);
}

/** @param {Table} table @param {any} each */
function replaceable({ info }, each) {
  if (info.all) return false;
  if (each.seat === info.you) return true;
  return info.you !== null && each.who === "person" && !each.here;
}

/** @param {Table} table @param {any} person */
function rename(table, person) {
  const name = prompt("What shall the others call you?", person.name);
  if (name?.trim()) table.line.ask("seat", { seat: person.seat, name: name.trim().slice(0, 40) });
}

/** @param {Table} table @param {number} at @param {string} who */
async function seat(table, at, who) {
  const answer = await table.line.ask("seat", { seat: at, who });
  if (answer.type === "refused") table.say(answer.lines.join("\n"), "bad");
}

/** @param {Table} table */
function everySeat(table) {
  const { info } = table;
  const choose = live("select", { "aria-label": "Whose eyes", "data-key": "eyes", change: (/** @type {any} */ event) => {
    const value = event.target.value;
    table.stays = value !== "turn";
    if (value === "turn") table.follow();
    else table.line.lookAs(Number(value));
  } },
    h("option", { value: "turn", selected: !table.stays }, "Whoever is to choose"),
    info.seats.map((/** @type {any} */ each) => h("option", { value: each.seat, selected: table.stays && each.seat === info.you }, `As ${each.name}`)));
  return h("div", { class: "tool-row" }, choose,
    h("button", { type: "button", click: () => keep(table), "data-key": "scenario" }, "Keep as a scenario"));
}

/** @param {Table} table */
async function keep(table) {
  const title = prompt("What is it about?");
  if (!title) return;
  const answer = await table.line.ask("scenario", { title });
  table.say(answer.lines?.join("\n") ?? (answer.text ? `Kept:\n${answer.text}` : "Kept."));
}

/** @param {Table} table */
function chat(table) {
  table.saying ??= /** @type {HTMLInputElement} */ (live("input", { maxlength: 500, placeholder: "Say something", "aria-label": "Say something", "data-key": "chat" }));
  const field = table.saying;
  return h("form", { class: "chat", submit: (/** @type {Event} */ event) => {
    event.preventDefault();
    if (field.value.trim()) table.line.ask("chat", { text: field.value.trim() });
    field.value = "";
  } },
    h("ol", { "aria-live": "polite" }, table.said.slice(-20).map(({ seat: who, text }) =>
      h("li", {}, h("b", {}, who === null ? "Somebody" : table.info.seats[who].name), ` ${text}`))),
    field);
}

/** @param {Table} table The end: how it ended, a replay, the record, another game. */
export function ending(table) {
  const { scene, look, info, over } = table;
  if (!scene || !look) return [];
  const last = scene.moves;
  const at = table.past?.moves ?? last;
  const slider = /** @type {HTMLInputElement} */ (live("input", { type: "range", min: 0, max: last, value: at, "aria-label": "Replay", "data-key": "replay", change: () => table.lookAt(Number(slider.value)) }));
  return [
    h("h2", {}, "The game is over"),
    h("p", { class: "ending" }, withNames(look, sentence(scene.ending ?? ""))),
    scene.because ? h("p", {}, withNames(look, sentence(scene.because))) : null,
    look.plan.scored && scene.scores.length > 1 ? standing(look, scene) : null,
    h("label", { class: "replay" }, `Replay: ${at} of ${last}`, slider),
    h("div", { class: "tool-row" },
      info.rematch ? h("a", { class: "button", href: `/t/${info.rematch}#${table.token}` }, "To the rematch")
        : info.you === null ? null : h("button", { type: "button", click: () => table.line.ask("rematch"), "data-key": "rematch" }, "Rematch"),
      h("button", { type: "button", click: () => download(table), "data-key": "record" }, "Record"),
      h("button", { type: "button", click: () => share(table, at), "data-key": "link" }, "Link to this move"),
      info.you === null ? null : h("button", { type: "button", click: () => review(table), "data-key": "review" }, "Review by a bot")),
    table.reviewed ? reviewed(table, table.reviewed) : null,
    over ? h("details", { class: "seed" }, h("summary", {}, "Verify the shuffle"),
      h("p", {}, "At the start the table showed ", h("code", {}, info.seedHash), ". The seed was ", h("code", {}, over.seed), " with ", h("code", {}, over.salt), ".")) : null,
  ];
}

/** @param {string} text */
function sentence(text) {
  return text && `${capital(text)}.`;
}

/** Everybody with their points, the best first.
 * @param {import("./look.js").Look} look @param {import("./types.js").Scene} scene */
function standing(look, scene) {
  const rank = (/** @type {number} */ seat) => Number(scene.winners.includes(seat));
  const seats = scene.scores.map((_, seat) => seat).sort((a, b) => rank(b) - rank(a) || scene.scores[b] - scene.scores[a]);
  return h("ol", { class: "standing", "aria-label": "Points" }, seats.map((seat) => h("li", { class: rank(seat) ? "first" : "" },
    emblem(look, seat), h("span", {}, look.names?.[seat]), h("b", {}, scene.scores[seat]))));
}

/** @param {Table} table @param {number} at */
async function share(table, at) {
  history.replaceState(null, "", `?at=${at}#${table.token}`);
  const told = table.info.you === null ? "The link to this move is copied." : "The link to this move is copied. It opens your own seat, so keep it to yourself.";
  try {
    await navigator.clipboard.writeText(location.href);
    table.say(told);
  } catch {
    prompt("Copy this link:", location.href);
  }
}

/** @param {Table} table */
async function review(table) {
  table.say("A bot is looking the game over …");
  const answer = await table.line.ask("review");
  table.reviewed = answer.decisions ?? null;
  table.say(answer.lines ? answer.lines.join("\n") : "");
  table.drawDecision();
}

/** @param {Table} table @param {{n: number, chosen: {words: string}, better: {words: string}}[]} decisions */
function reviewed(table, decisions) {
  const look = /** @type {import("./look.js").Look} */ (table.look);
  if (!decisions.length) return h("p", { class: "hint" }, "A bot would have changed nothing that mattered.");
  return h("ol", { class: "reviewed", "aria-label": "Review by a bot" }, decisions.map(({ n, chosen, better }) => h("li", {},
    h("button", { type: "button", class: "quiet", click: () => table.lookAt(n) }, `Move ${n}`),
    h("span", {}, "you: ", withNames(look, chosen.words), "; a bot: ", h("b", {}, withNames(look, better.words))))));
}

/** @param {Table} table */
async function download(table) {
  const answer = await fetch(`/api/tables/${table.id}/record`, { headers: { authorization: `Bearer ${table.token}` } });
  if (!answer.ok) return table.say((await answer.json()).problem, "bad");
  const link = /** @type {HTMLAnchorElement} */ (live("a", { download: `${table.id}.record`, href: URL.createObjectURL(await answer.blob()) }));
  link.click();
  URL.revokeObjectURL(link.href);
}
