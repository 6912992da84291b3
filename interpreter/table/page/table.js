// One table: what the server says is drawn, and what is clicked is said to the server.

import { h, lay, live, capital } from "./dom.js";
import { Look } from "./look.js";
import { Line } from "./protocol.js";
import { Choice, keyOf } from "./choose.js";
import { Log, namesIn, withNames } from "./log.js";
import { bringIntoSight, layTable, theme, timeLeft } from "./felt.js";
import { emblem } from "./things.js";
import { move, positions } from "./motion.js";
import { buttons } from "./panel.js";
import { Preview } from "./preview.js";
import { asksBefore, confirming } from "./asking.js";
import { ending, tools } from "./tools.js";
/** @import { Option, Scene } from "./types.js" */

const MANY = 20; // lit cells; more are lit quietly

export class Table {
  /** @param {HTMLElement} page @param {string} id @param {string} token */
  constructor(page, id, token) {
    this.id = id;
    this.token = token;
    /** @type {any} */
    this.info = null;
    /** @type {Look | null} */
    this.look = null;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Scene | null} the scene of a replay */
    this.past = null;
    this.choice = Choice.of([]);
    this.drawn = new Set();
    this.undo = false;
    /** @type {Set<number>} seats that had nothing to choose since the last choice */
    this.asked = new Set();
    this.stays = false;
    this.busy = false;
    this.troubled = false; // the rules have broken down since the last choice
    /** @type {any} */
    this.over = null;
    /** @type {string | null} */
    this.hinted = null;
    /** @type {any[] | null} what a bot would have done otherwise */
    this.reviewed = null;
    /** @type {{text: string, seat: number | null}[]} */
    this.said = [];
    /** @type {HTMLInputElement | undefined} what is being said, whatever is drawn meanwhile */
    this.saying = undefined;
    this.log = new Log();
    this.parts = {
      bar: live("header", { class: "bar" }),
      felt: live("main", { class: "felt", tabindex: "0", "aria-label": "The table" }),
      decision: live("section", { class: "decision", "aria-label": "Your choice" }),
      note: live("div", { class: "note-line", role: "status", "aria-live": "polite" }),
      side: live("aside", { class: "side" }),
      tools: live("section", { class: "tools", "aria-label": "The table's tools" }),
    };
    this.parts.side.append(this.parts.decision, this.parts.note, this.parts.tools,
      live("section", { class: "log-box" }, h("h2", {}, "What has happened"), this.log.box));
    page.className = "at-table";
    page.replaceChildren(this.parts.bar, this.parts.felt, this.parts.side);
    this.parts.felt.addEventListener("click", (event) => this.clicked(/** @type {Element} */ (event.target)));
    document.addEventListener("keydown", (event) => this.typed(event));
    setInterval(() => this.tick(), 1000);
    matchMedia("(max-width: 720px)").addEventListener("change", () => this.draw());
    this.line = new Line(id, token, {
      message: (message) => this.hear(message),
      state: (state) => this.connected(state),
    });
    this.preview = new Preview(this.parts.felt, this.line);
    /** @type {Set<string>} actions that were asked about here */
    this.confirmed = new Set();
    /** @type {Option | null} what is to be played for good, once that is said again */
    this.final = null;
    for (const event of ["pointerover", "focusin"])
      this.parts.felt.addEventListener(event, ({ target }) => this.pointed(/** @type {Element} */ (target)));
    for (const event of ["pointerleave", "focusout"]) this.parts.felt.addEventListener(event, () => this.foresee(null));
  }

  /** @param {any} message */
  hear(message) {
    switch (message.type) {
      case "welcome":
        this.info = message.table;
        this.look = new Look(message.plan, message.look);
        this.sceneGrounds = null;
        theme(this.look);
        this.name(message.table.seats);
        this.look.follow(message.scene);
        this.log.write(this.look, 0, message.log);
        this.happened(message);
        if (message.over && location.search) this.lookAt(Number(new URLSearchParams(location.search).get("at")));
        break;
      case "resumed":
        this.info = message.table;
        this.name(message.table.seats);
        break;
      case "event":
        if (!this.look) return;
        this.look.follow(message.scene);
        this.log.write(this.look, message.logFrom, message.log);
        this.happened(message);
        break;
      case "people":
        if (!this.look) return;
        this.name(message.seats);
        this.log.draw(this.look);
        this.draw();
        break;
      case "chat":
        this.said.push(message);
        this.drawTools();
        break;
      case "rematch":
        this.info.rematch = message.table;
        this.drawDecision();
        break;
      case "problem":
        this.trouble(message);
        break;
      default:
    }
  }

  /** @param {any[]} seats */
  name(seats) {
    this.info.seats = seats;
    if (this.look) this.look.names = seats.map(({ name }) => name);
  }

  /** @param {any} message */
  happened(message) {
    // What was just said stays where only the eyes have changed, or the rules were read again.
    const same = message.scene.moves === this.scene?.moves;
    if (!same || this.parts.note.classList.contains("bad")) this.say("");
    this.scene = message.scene;
    this.undo = message.undo;
    this.over = message.over;
    if (message.clock) this.info.clock = message.clock;
    if (this.info.clock) this.info.clock.heard = Date.now();
    this.hinted = null;
    this.past = null;
    this.busy = false;
    this.final = null;
    this.preview?.forget();
    this.choice = Choice.of(message.scene.decision?.options ?? []);
    this.draw();
    this.parts.felt.dataset.seq = message.seq;
    requestAnimationFrame(() => bringIntoSight(this.parts.felt)); // when all is laid out anyway
    if (this.info.all) this.follow();
  }

  /**
   * Who plays all seats looks with the eyes of whoever is to choose. A seat that has chosen in
   * secret seems to others as if it were still to choose, so nobody is asked twice.
   */
  follow() {
    const scene = /** @type {Scene} */ (this.scene);
    if (scene.over || scene.decision || this.stays) return;
    if (scene.seat !== null) this.asked.add(scene.seat);
    const next = scene.toAct.find((seat) => !this.asked.has(seat));
    if (next !== undefined) this.line.lookAs(next);
  }

  /** @param {"open" | "cut" | "closed"} state */
  connected(state) {
    document.body.classList.toggle("cut", state === "cut");
    if (state === "cut") this.say("The line is cut; trying again …");
    else if (state === "open") this.say("");
  }

  /** @param {any} problem */
  trouble(problem) {
    const where = problem.line ? ` (${problem.file ?? ""}:${problem.line})` : "";
    const lines = [`${problem.text}${where}`, ...(problem.lines ?? []).slice(1), problem.help].filter(Boolean);
    if (!this.look) {
      lay(this.parts.felt, h("div", { class: "trouble", role: "alert" }, h("h1", {}, "No table"), lines.map((line) => h("p", {}, line)), h("p", {}, h("a", { href: "/" }, "To the lobby"))));
      return;
    }
    this.busy = false;
    this.troubled = true;
    const cut = problem.at && this.info.all
      ? [h("button", { type: "button", "data-key": "cut", click: () => this.line.ask("cut") }, `Go on from before decision ${problem.at}`)] : [];
    this.say([...lines, ...cut], "bad");
  }

  /** @param {string | any[]} text @param {string} [kind] */
  say(text, kind = "") {
    this.parts.note.className = `note-line ${kind} ${text.length ? "shown" : ""}`;
    const lines = typeof text === "string" ? text.split("\n").filter(Boolean) : text;
    lay(this.parts.note, lines.map((line) => h("p", {}, this.look && typeof line === "string" ? withNames(this.look, line) : line)));
  }

  tick() {
    for (const each of this.parts.felt.querySelectorAll("[data-clock]"))
      if (each.firstChild) each.firstChild.nodeValue = timeLeft(this.info.clock, Number(each.getAttribute("data-clock")));
  }

  // ---- drawing

  draw() {
    const look = this.look;
    const scene = this.past ?? this.scene;
    if (!look || !scene) return;
    const focused = document.activeElement?.getAttribute("data-key");
    const before = positions(this.parts.felt);
    layTable(this.parts.felt, { look, scene, info: this.info, grounds: this.grounds() });
    this.drawn = new Set([...this.parts.felt.querySelectorAll("[data-at]")].flatMap((each) => (each.getAttribute("data-at") ?? "").split(" ")));
    this.drawBar();
    this.drawTools();
    this.drawDecision();
    move(this.parts.felt, before);
    if (focused && document.activeElement === document.body)
      /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus();
  }

  /** Members that are what the cells of a board are made of, not what stands on them. */
  grounds() {
    if (this.sceneGrounds) return this.sceneGrounds;
    const look = /** @type {Look} */ (this.look);
    const scene = /** @type {Scene} */ (this.scene);
    const found = new Set();
    for (const [name, member] of Object.entries(look.plan.members)) {
      const said = look.member(name).as;
      if (said === "ground") found.add(name);
      if (said || member.sort !== "value" || !["enum", "table"].includes(member.type?.sort ?? "")) continue;
      const board = member.indexes.find((index) => index.sort === "board")?.name;
      if (!board || member.indexes.length !== 1) continue;
      const count = scene.boards.filter((each) => each.board === board).flatMap((each) => each.cells)
        .filter((cell) => cell.things.some((thing) => thing.member === name) && !cell.things.some((thing) => look.plan.members[thing.member]?.type?.sort === "player")).length;
      if (count * 2 > look.plan.boards[board].cells.length) found.add(name);
    }
    this.sceneGrounds = found;
    return found;
  }

  drawBar() {
    const look = /** @type {Look} */ (this.look);
    const scene = /** @type {Scene} */ (this.scene);
    const mine = scene.seat !== null && scene.toAct.includes(scene.seat) && !scene.over;
    const waits = scene.toAct.map((seat) => look.names?.[seat]).join(", ");
    const turn = scene.over ? "The game is over" : mine ? "Your turn" : `Waiting for ${waits}`;
    document.title = `${mine ? "● " : ""}${turn} – ${look.plan.title}`;
    lay(this.parts.bar,
      h("a", { href: "/", class: "home", title: "To the lobby" }, "rulerun"),
      h("h1", {}, look.plan.title),
      h("p", { class: "settings" }, look.plan.settings.join(" · ")),
      h("p", { class: `turn-line ${mine ? "yours" : ""}`, "aria-live": "polite" }, turn),
      h("button", { class: "more-button", type: "button", "data-key": "more", "aria-expanded": String(this.parts.side.classList.contains("more")), "aria-label": "Tools and log", click: () => { this.parts.side.classList.toggle("more"); this.drawBar(); } }, "☰"));
  }

  drawTools() {
    lay(this.parts.tools, tools(this));
  }

  drawDecision() {
    const look = /** @type {Look} */ (this.look);
    const scene = /** @type {Scene} */ (this.scene);
    const { first, later } = this.past || this.busy ? { first: new Set(), later: new Set() } : this.choice.lit(this.drawn);
    for (const element of this.parts.felt.querySelectorAll("[data-at], .lit, .maybe, .picked")) {
      const keys = (element.getAttribute("data-at") ?? "").split(" ");
      const lit = keys.some((each) => first.has(each));
      const maybe = !lit && keys.some((each) => later.has(each));
      const picked = keys.some((each) => this.choice.picked.includes(each));
      element.classList.toggle("lit", lit);
      element.classList.toggle("maybe", maybe);
      element.classList.toggle("picked", picked);
      if ((lit || maybe) === element.hasAttribute("tabindex")) continue;
      if (lit || maybe) {
        element.setAttribute("tabindex", "0");
        element.setAttribute("role", "button");
      } else {
        element.removeAttribute("tabindex");
        if (element.localName === "tr") element.removeAttribute("role");
        else element.setAttribute("role", "group");
      }
    }
    this.parts.felt.classList.toggle("many", this.parts.felt.querySelectorAll(".spot.lit").length > MANY);
    const choosing = this.choice.options.length > 0 && !this.past;
    this.parts.decision.classList.toggle("yours", choosing);
    const waits = scene.toAct.flatMap((seat, n) => [n ? ", " : "", h("span", { class: "who" }, emblem(look, seat), look.names?.[seat])]);
    lay(this.parts.decision,
      scene.over ? ending(this) : h("h2", {}, choosing ? (this.busy ? "One moment …" : this.choice.picked.length ? "And then?" : "Your turn") : scene.toAct.length ? ["Waiting for ", waits] : "One moment …"),
      choosing && this.final ? confirming(this, this.final) : choosing ? buttons(look, this.choice, this.drawn, {
        play: (option) => this.play(option), back: () => this.again(), show: (option) => this.show(option),
      }) : null,
      choosing && this.hinted ? h("p", { class: "hint" }, "A bot would: ", h("b", {}, namesIn(look, this.hinted))) : null);
  }

  /** Show what an option is about and what it leads to, while it is looked at.
   * @param {Option | null} option */
  show(option) {
    const keys = option?.about.map(keyOf) ?? [];
    this.foresee(option);
    for (const element of this.parts.felt.querySelectorAll("[data-at]")) {
      const own = (element.getAttribute("data-at") ?? "").split(" ");
      element.classList.toggle("shown", keys.includes(own[0]));
    }
  }

  /** @param {Option | null} option */
  foresee(option) {
    if (this.look && this.scene && !this.past && !this.busy) this.preview.show(this.look, this.scene, option);
  }

  /** What would be chosen by a click here, if that is settled.
   * @param {Element} target */
  pointed(target) {
    const lit = target.closest(".lit, .maybe");
    if (!lit) return this.foresee(null);
    const { first, later } = this.choice.lit(this.drawn);
    const keys = (lit.getAttribute("data-at") ?? "").split(" ");
    const name = keys.find((each) => first.has(each)) ?? keys.find((each) => later.has(each));
    const left = name ? this.choice.pick(name, this.drawn).options : [];
    this.foresee(left.length === 1 ? left[0] : null);
  }

  // ---- choosing

  /** @param {Element} target */
  clicked(target) {
    if (this.past || this.busy) return;
    let asked = null;
    for (let at = target.closest("[data-at]"); at; at = at.parentElement?.closest("[data-at]") ?? null) {
      asked ??= at;
      if (at.classList.contains("lit") || at.classList.contains("maybe")) {
        this.pick((at.getAttribute("data-at") ?? "").split(" "));
        return;
      }
    }
    const picked = target.closest(".picked");
    if (picked && this.choice.picked.length) this.again();
    else if (asked || target.closest("[data-say]")) this.why(asked ?? /** @type {Element} */ (target.closest("[data-say]")));
  }

  /** @param {string[]} keys */
  pick(keys) {
    const { first, later } = this.choice.lit(this.drawn);
    const name = keys.find((each) => first.has(each)) ?? keys.find((each) => later.has(each));
    if (!name) return;
    const choice = this.choice.pick(name, this.drawn);
    if (choice.options.length === 1) this.play(choice.options[0]);
    else {
      this.choice = choice;
      this.final = null;
      this.say("");
      this.drawDecision();
    }
  }

  again() {
    this.final = null;
    this.choice = Choice.of(this.scene?.decision?.options ?? []);
    this.drawDecision();
  }

  /** @param {Option} option */
  async play(option) {
    if (this.busy || !this.scene?.decision) return;
    const sure = this.final === option || !(await asksBefore(this, option));
    if (this.busy || !this.scene.decision.options.includes(option)) return; // the table has changed
    this.final = sure ? null : option;
    if (!sure) return this.drawDecision();
    this.busy = true;
    this.troubled = false;
    this.preview.clear();
    document.body.classList.add("sending");
    this.drawDecision();
    const answer = await this.line.ask("move", { at: this.scene?.moves, option: option.text });
    document.body.classList.remove("sending");
    this.busy = false;
    this.asked.clear();
    if (answer.type === "refused") {
      if (!this.troubled) this.say(answer.lines.join("\n"), "bad"); // else it was told what went wrong
      this.again();
    }
  }

  /** @param {Element} element */
  async why(element) {
    const scene = /** @type {Scene} */ (this.scene);
    if (scene.seat === null || scene.over) return;
    const text = element.getAttribute("data-say");
    const answer = await this.line.ask("why", { option: null, about: { text } });
    const name = element.getAttribute("aria-label") ?? text;
    const lines = (answer.lines ?? []).slice(0, 5);
    this.say([`${capital(name ?? "")}:`, ...(lines.length ? lines : ["There is nothing to choose here now."])], "why");
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.key === "Enter" || event.key === " ") && target.hasAttribute("data-at")) {
      event.preventDefault();
      this.clicked(target);
    } else if (event.key === "Escape") this.again();
    else if (/^[1-9]$/.test(event.key)) {
      const options = this.parts.decision.querySelectorAll(".options > .option");
      /** @type {HTMLElement | undefined} */ (options[Number(event.key) - 1])?.click();
    } else if (event.key === "u" && this.undo) this.takeBack();
    else if (event.key.startsWith("Arrow") && this.parts.felt.contains(target)) {
      if (this.step(target, event.key)) event.preventDefault();
    }
  }

  /** The arrows go from one lit thing to the next in that direction.
   * @param {Element} from @param {string} arrow */
  step(from, arrow) {
    const centre = (/** @type {Element} */ each) => {
      const box = each.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = centre(from);
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[arrow] ?? [0, 0];
    let best = null;
    let least = Infinity;
    for (const each of this.parts.felt.querySelectorAll(".lit, .maybe")) {
      const [ex, ey] = centre(each);
      const along = (ex - x) * dx + (ey - y) * dy;
      const aside = Math.abs((ex - x) * dy) + Math.abs((ey - y) * dx);
      if (each === from || along < 2) continue;
      if (along + aside * 2 < least) [best, least] = [each, along + aside * 2];
    }
    /** @type {HTMLElement | null} */ (best)?.focus();
    return best !== null;
  }

  async takeBack() {
    const answer = await this.line.ask("undo");
    if (answer.type === "refused") this.say(answer.lines.join("\n"), "bad");
  }

  async hint() {
    this.say("A bot is thinking …");
    const answer = await this.line.ask("hint");
    this.hinted = answer.words ?? null;
    this.say(answer.lines ? answer.lines.join("\n") : "");
    this.drawDecision();
  }

  /** @param {number} at */
  async lookAt(at) {
    const answer = await this.line.ask("look", { at });
    if (answer.scene) {
      this.past = at >= (this.scene?.moves ?? 0) ? null : answer.scene;
      this.draw();
    }
  }
}

