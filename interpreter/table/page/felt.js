// The table as a whole: boards in the middle, your own things below, the others around.

import { h, lay } from "./dom.js";
import { drawBoard } from "./board.js";
import { drawArea, drawPanels, panelBoards, placesOnPieces } from "./areas.js";
import { sheets } from "./sheets.js";
import { emblem } from "./things.js";
/** @import { Drawn } from "./dom.js" */
/** @import { Look } from "./look.js" */
/** @import { Scene, TableInfo } from "./types.js" */
/** @typedef {{look: Look, scene: Scene, info: TableInfo, grounds: Set<string>}} Laid */

const WIDE = 2.6; // a board so much wider than high goes across the whole page,
const ROOM = 900; // if it would be wider than this
const LEAST = 0.62; // of the height, for boards: your own things may be scrolled to
const LARGEST = 1.35; // small tables are drawn larger, but not by more
const SLACK = 1.15; // so much more could be used before a table is drawn larger again
const GAP = 44;
const NEAR = 2; // so many others sit beside the board, more sit below

/** @param {HTMLElement} felt @param {Laid} laid */
export function layTable(felt, laid) {
  const { look, scene } = laid;
  look.follow(scene);
  const panels = panelBoards(look);
  const table = { look, scene, panels, onPiece: placesOnPieces(look, scene) };
  const mine = scene.seat;
  const boards = scene.boards.filter(({ board }) => look.board(board).as !== "hidden");
  const drawnBoards = boards.filter(({ board }) => !panels.has(board)).map((board) => drawBoard(look, scene, board, laid.grounds));
  const shared = sheets(table);
  const common = drawArea(table, scene.areas[0], false).filter(Boolean);
  const rest = h("section", { class: "others", "aria-label": "Other players" }, others(laid).map((seat) => mat(laid, table, seat)));
  const wide = drawnBoards.map(sizeOf).some(({ ratio, most }) => ratio > WIDE && most > ROOM);
  const way = !drawnBoards.length ? "open" : drawnBoards.length > 1 ? "several" : wide ? "across" : "beside";
  const ownMat = mine === null ? null : mat(laid, table, mine);
  // Where something of everybody's stands first, such as places to go to, your own things follow it at
  // once, and what is for sale comes after them: it may be scrolled to, they may not be missed.
  const apart = way === "open" && shared.length > 0 && (ownMat?.inside.length ?? 0) > 1;
  const middle = h("section", { class: "centre", "aria-label": "In the middle" },
    drawnBoards,
    boards.filter(({ board, owner }) => panels.has(board) && owner === null).map((board) => drawPanels(table, board, false)),
    shared.length ? h("div", { class: "sheets" }, shared) : null,
    common.length && way === "open" && !apart ? h("div", { class: "common" }, common) : null);
  const own = ownMat && h("section", { class: "mine", "aria-label": "Yours" }, ownMat);
  const everybody = common.length && (way !== "open" || apart) ? h("section", { class: "common mat", "aria-label": "For everybody" }, common) : null;
  const first = way !== "open" || shared.length > 0;
  const near = way === "beside" && rest.inside.length <= NEAR;
  const bare = near && ownMat?.inside.length === 1; // nothing but its name
  const under = near && own && !bare && everybody; // below the board, with the rest beside them both
  lay(felt,
    h("div", { class: "upper" }, first ? null : rest,
      under ? h("div", { class: "left" }, middle, own) : middle,
      way === "beside" && (near || everybody) ? h("div", { class: "around" }, everybody, near ? rest : null, bare ? own : null) : null),
    h("div", { class: "lower" }, bare || under ? null : own, way === "across" || way === "several" || apart ? everybody : null, first && !near ? rest : null));
  for (const each of ["open", "across", "beside", "several"]) felt.parentElement?.classList.toggle(each, each === way);
  fit(felt, way, drawnBoards.map(sizeOf));
}

/** @param {Drawn} board How wide it is for its height, and how wide it may be. */
function sizeOf(board) {
  const { style } = board.with;
  return { ratio: Number(style["--ratio"]), most: parseFloat(style["--most"]) };
}

/** @param {Laid} laid Everybody else, in the order they sit from here. */
function others({ look, scene }) {
  const seats = look.plan.players.map((_, seat) => seat);
  const start = scene.seat ?? 0;
  return [...seats.slice(start + (scene.seat === null ? 0 : 1)), ...seats.slice(0, start)];
}

/**
 * Boards get the room that your own things leave; a table with little on it is drawn larger. It stays
 * as large as it is while that fits: what moves with every choice is hard to follow.
 * @param {HTMLElement} felt
 * @param {string} way
 * @param {{ratio: number, most: number}[]} boards
 */
function fit(felt, way, boards) {
  const high = felt.clientHeight;
  if (matchMedia("(max-width: 900px)").matches || !high) return setStyle(felt, "zoom", "1");
  if (way !== "open") {
    setStyle(felt, "zoom", "1");
    const own = /** @type {HTMLElement | null} */ (felt.querySelector(":is(.lower, .left) > .mine"));
    const room = Math.max(high - (own?.offsetHeight ?? 0) - GAP, high * LEAST);
    const wide = boards.map(({ ratio, most }) => Math.min(room * ratio, most));
    setStyle(felt, "--room", `${Math.round(room)}px`);
    setStyle(felt, "--board", `${Math.round(Math.max(...wide))}px`);
    return;
  }
  const now = Number(felt.style.getPropertyValue("zoom")) || 1;
  const inside = inner(felt);
  const fits = felt.scrollHeight <= felt.clientHeight + 1;
  if (fits ? now >= LARGEST || inside * SLACK > high : now === 1) return;
  setStyle(felt, "zoom", "1");
  const larger = Math.min(LARGEST, high / inner(felt));
  for (const each of [larger, (1 + larger) / 2, 1]) {
    setStyle(felt, "zoom", Math.max(1, each).toFixed(2)); // larger things may need more lines
    if (felt.scrollHeight <= felt.clientHeight + 1) return;
  }
}

/** @param {HTMLElement} felt How high all that lies on it is. */
function inner(felt) {
  return [...felt.children].reduce((sum, each) => sum + /** @type {HTMLElement} */ (each).offsetHeight, GAP);
}

/** @param {HTMLElement} element @param {string} name @param {string} value */
function setStyle(element, name, value) {
  if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
}

/**
 * @param {Laid} laid
 * @param {import("./areas.js").Table} table
 * @param {number} seat
 */
function mat({ look, scene, info }, table, seat) {
  const small = seat !== scene.seat && scene.areas.length > 2;
  const person = info.seats[seat];
  const acts = scene.toAct.includes(seat) && !scene.over;
  const panels = scene.boards.filter(({ board, owner }) => table.panels.has(board) && owner === seat);
  const won = scene.over && scene.winners.includes(seat);
  const score = scene.scores[seat];
  const inside = [...panels.map((board) => drawPanels(table, board, small)), ...drawArea(table, scene.areas[seat + 1], small)].filter(Boolean);
  return h("article", { class: `mat ${acts ? "acts" : ""} ${small ? "small" : ""} ${won ? "won" : ""} ${inside.length ? "" : "plain"}`, style: { "--seat": look.seat(seat).colour }, "aria-label": person.name },
    h("header", { "data-at": `player:${seat}`, "data-key": `player ${seat}`, "data-say": `P${seat + 1}` },
      emblem(look, seat),
      h("span", { class: "seat-name" }, person.name, seat === info.you ? h("small", {}, " you") : null),
      person.who === "person" ? null : h("small", { class: "who-plays" }, person.who),
      person.who === "person" && !person.here ? h("small", { class: "who-plays" }, "away") : null,
      acts ? h("small", { class: "turn" }, "to choose") : null,
      won ? h("small", { class: "turn" }, "won") : null,
      info.clock && !scene.over ? h("time", { class: "clock", "data-clock": seat, role: "timer", "aria-label": `time of ${person.name}` }, timeLeft(info.clock, seat)) : null,
      typeof score === "number" && scene.over && look.plan.scored ? h("b", { class: "score" }, String(score)) : null),
    inside);
}

/** @param {import("./types.js").Clock} clock @param {number} seat What somebody has left by now. */
export function timeLeft(clock, seat) {
  const gone = clock.running === seat ? (Date.now() - clock.heard) / 1000 : 0;
  const left = Math.max(0, Math.round(clock.left[seat] - gone));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `${left >= 3600 ? `${Math.floor(left / 3600)}:` : ""}${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
}

/** @param {HTMLElement} felt If nothing that can be chosen is to be seen, the first of it is. */
export function bringIntoSight(felt) {
  const lit = [...felt.querySelectorAll(".lit")];
  const { top, bottom } = felt.getBoundingClientRect();
  const seen = lit.some((each) => {
    const box = each.getBoundingClientRect();
    return box.top >= top && box.bottom <= bottom;
  });
  if (!seen && bottom > top) lit[0]?.scrollIntoView({ block: "center" });
}

/** @param {Look} look The colours a look asks for, on the whole page. */
export function theme(look) {
  const said = look.data.theme ?? {};
  for (const name of ["table", "accent", "board"]) {
    if (said[name]) document.documentElement.style.setProperty(`--look-${name}`, look.colour(said[name]));
    document.documentElement.classList.toggle(`look-${name}`, Boolean(said[name]));
  }
}
