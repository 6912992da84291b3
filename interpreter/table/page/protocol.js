// The line to the server: it says hello, comes back after every cut, and sends again what has
// not been answered. A message keeps its id, so nothing is played twice.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const QUIET = 25000;

/** @typedef {(message: any) => void} Listener */

export class Line {
  /**
   * @param {string} table
   * @param {string} token
   * @param {{message: Listener, state: (state: "open" | "cut" | "closed") => void}} told
   */
  constructor(table, token, told) {
    this.table = table;
    this.token = token;
    this.told = told;
    /** @type {number | null} */
    this.seq = null;
    /** @type {Map<string, {message: any, answer: (message: any) => void}>} */
    this.waiting = new Map();
    this.wait = FIRST_WAIT;
    this.number = 0;
    this.run = Math.random().toString(36).slice(2, 10);
    this.refused = false;
    this.connect();
    setInterval(() => this.say({ type: "ping" }), QUIET);
    addEventListener("online", () => this.connect());
  }

  connect() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws/${this.table}`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.hello()));
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      if (this.refused) return this.told.state("closed");
      this.told.state("cut");
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  hello() {
    return { type: "hello", token: this.token, since: this.seq, seat: this.seat ?? null };
  }

  /** @param {any} message */
  hear(message) {
    if (message.type === "welcome" || message.type === "resumed") {
      this.wait = FIRST_WAIT;
      this.told.state("open");
      for (const { message: again } of this.waiting.values()) this.say(again);
    }
    if (message.type === "problem" && this.seq === null) this.refused = true;
    if (typeof message.seq === "number") this.seq = message.seq;
    if (message.type === "welcome") this.seat = message.table.all ? message.table.you : null;
    const id = message.id;
    if ((message.type === "done" || message.type === "refused") && this.waiting.has(id)) {
      const { answer } = /** @type {any} */ (this.waiting.get(id));
      this.waiting.delete(id);
      answer(message);
      return;
    }
    this.told.message(message);
  }

  /** @param {any} message */
  say(message) {
    if (this.socket && this.socket.readyState === WebSocket.OPEN)
      this.socket.send(JSON.stringify(message));
  }

  /**
   * Look with the eyes of another seat: the answer is a welcome.
   * @param {number | null} seat
   */
  lookAs(seat) {
    this.number += 1;
    this.say({ type: "as", id: `${this.run}-${this.number}`, seat });
  }

  /**
   * Ask something; the promise is kept when the server has answered, however long that takes.
   * @param {string} type
   * @param {Record<string, any>} [more]
   * @returns {Promise<any>}
   */
  ask(type, more = {}) {
    this.number += 1;
    const id = `${this.run}-${this.number}`;
    const message = { type, id, ...more };
    return new Promise((answer) => {
      this.waiting.set(id, { message, answer });
      this.say(message);
    });
  }
}
