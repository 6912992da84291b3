// The lobby: choose a game, say who plays, and get a link for everybody.

import { live as h, capital, spaced } from "./dom.js";

const PERSON = "person";
/** @type {[string, number, number][]} what each player has, in seconds, and some more for each choice */
const CLOCKS = [["none", 0, 0], ["5 minutes and 10 s a choice", 300, 10], ["15 minutes and 20 s a choice", 900, 20], ["an hour and 30 s a choice", 3600, 30], ["a day for each choice", 86400, 86400]];

/** @param {HTMLElement} page */
export async function openLobby(page) {
  page.className = "lobby";
  document.title = "rulerun";
  let games;
  try {
    games = (await (await fetch("/api/games")).json()).games;
  } catch {
    page.replaceChildren(h("p", { class: "trouble", role: "alert" }, "The server does not answer."));
    return;
  }
  const room = h("section", { class: "room", "aria-live": "polite" });
  const list = h("ul", { class: "games" }, games.map((/** @type {any} */ game) => gameCard(game, room)));
  page.replaceChildren(
    h("header", { class: "lobby-head" }, h("h1", {}, "Sit down and play"),
      h("p", {}, "Choose a game, say who plays, and send everybody their own link.")),
    h("main", { class: "lobby-body" }, list, room));
  if (games.length === 1) list.querySelector("button")?.click();
}

/** @param {any} game @param {HTMLElement} room */
function gameCard(game, room) {
  if (game.problem) {
    const where = game.problem.line ? `${game.problem.file ?? game.file}:${game.problem.line}: ` : "";
    return h("li", {}, h("div", { class: "game broken" }, h("b", {}, game.title ?? game.file), h("span", {}, `${where}${game.problem.text}`)));
  }
  const [least, most] = game.players;
  const players = least === most ? `${least} players` : `${least} to ${most} players`;
  return h("li", {}, h("button", { class: "game", type: "button", "data-game": game.game, click: (/** @type {any} */ event) => {
    for (const each of document.querySelectorAll(".game")) each.setAttribute("aria-pressed", String(each === event.currentTarget));
    room.replaceChildren(form(game, room));
    room.scrollIntoView({ block: "nearest", behavior: "smooth" });
  } }, h("b", {}, game.title), h("span", {}, players.replace("1 players", "1 player"))));
}

/** @param {any} game @param {HTMLElement} room */
function form(game, room) {
  const [least, most] = game.players;
  let players = Math.max(least, Math.min(2, most));
  /** @type {string[]} */
  let seats = [];
  const seatBox = h("div", { class: "seats" });
  const problem = h("p", { class: "problem", role: "alert" });
  const bots = [...game.bots].sort((a, b) => Number(b === "best") - Number(a === "best"));
  const drawSeats = () => {
    seats = [...Array(players).keys()].map((seat) => seats[seat] ?? PERSON);
    seatBox.replaceChildren(...seats.map((who, seat) => h("label", {}, `Seat ${seat + 1}`,
      h("select", { "data-seat": seat, change: (/** @type {any} */ event) => { seats[seat] = event.target.value; } },
        h("option", { value: PERSON, selected: who === PERSON }, "a person"),
        bots.map((bot) => h("option", { value: `bot ${bot}`, selected: who === `bot ${bot}` }, bot === "best" ? "the best bot" : `a bot: ${bot}`))))));
  };
  drawSeats();
  const count = h("select", { name: "players", "aria-label": "Players", change: (/** @type {any} */ event) => { players = Number(event.target.value); drawSeats(); } },
    [...Array(most - least + 1).keys()].map((n) => h("option", { value: least + n, selected: least + n === players }, String(least + n))));
  const options = game.options.map((/** @type {any} */ option) => h("label", {}, capital(spaced(option.name)), optionField(option)));
  const begins = game.scenarios?.length ? h("select", { "data-begin": true }, h("option", { value: "" }, "the beginning"),
    game.scenarios.map((/** @type {string} */ title) => h("option", { value: title }, title))) : null;
  const clock = h("select", { "data-clock": true }, CLOCKS.map(([label, seconds, more]) => h("option", { value: seconds ? JSON.stringify({ seconds, more }) : "" }, label)));
  const talk = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", name: "chat" }));
  return h("form", { class: "setup", submit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = Object.fromEntries([.../** @type {HTMLFormElement} */ (event.target).querySelectorAll("[data-setting]")].flatMap((/** @type {any} */ field) =>
      field.value === "" ? [] : [[field.dataset.setting, field.type === "number" ? Number(field.value) : field.value]]));
    const answer = await fetch("/api/tables", { method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ game: game.game, players, seats, options: chosen, chat: talk.checked,
        clock: JSON.parse(/** @type {HTMLSelectElement} */ (clock).value || "null"),
        scenario: /** @type {HTMLSelectElement | null} */ (begins)?.value || null }) });
    const made = await answer.json();
    if (!answer.ok) problem.textContent = made.problem;
    else room.replaceChildren(links(game, made, seats));
  } },
    h("h2", {}, game.title),
    h("label", {}, "Players", count), seatBox,
    options.length ? h("details", {}, h("summary", {}, "Options"), options) : null,
    h("details", {}, h("summary", {}, "More"),
      h("label", {}, "Clock", clock),
      begins ? h("label", {}, "Begin from", begins) : null,
      h("label", { class: "check" }, talk, "With chat")),
    problem,
    h("button", { type: "submit", class: "option main" }, "Lay the table"));
}

/** @param {any} option */
function optionField(option) {
  if (option.values) {
    return h("select", { "data-setting": option.name }, h("option", { value: "" }, "as usual"),
      option.values.map((/** @type {string} */ value) => h("option", { value }, spaced(value))));
  }
  return h("input", { type: "number", "data-setting": option.name, min: option.from, max: option.to, placeholder: "as usual" });
}

/** @param {any} game @param {any} made @param {string[]} seats */
function links(game, made, seats) {
  const whole = (/** @type {string} */ link) => new URL(link, location.href).href;
  const row = (/** @type {string} */ name, /** @type {string} */ link) => h("li", {},
    h("span", {}, name),
    h("a", { class: "button", href: link, target: "_blank", rel: "noopener" }, "Sit down"),
    h("button", { type: "button", click: async (/** @type {any} */ event) => {
      const button = event.currentTarget;
      try {
        await navigator.clipboard.writeText(whole(link));
        button.textContent = "Copied";
      } catch {
        prompt("Copy this link:", whole(link));
      }
    } }, "Copy link"));
  return h("div", { class: "links" }, h("h2", {}, game.title),
    h("p", {}, "Everybody has a secret link of their own. Keep yours, and send the others theirs."),
    h("ul", {},
      made.links.filter((/** @type {any} */ { seat }) => seats[seat] === PERSON).map((/** @type {any} */ { seat, link }) => row(`Seat ${seat + 1}`, link)),
      row("Spectators", made.spectators),
      made.all ? row("All seats from one page", made.all) : null));
}
