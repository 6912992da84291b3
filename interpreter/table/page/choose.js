// Choosing by pointing: a click keeps the options that are about what was clicked.

/** @import { Option, Pointed } from "./types.js" */
/** @typedef {{option: Option, keys: string[], bound: number[]}} Left */

/** What somebody points at, as one word: the drawn thing carries the same.
 * @param {Pointed} pointed */
export function keyOf(pointed) {
  const { sort } = pointed;
  const parts = {
    cell: [pointed.board, pointed.cell],
    piece: [pointed.id],
    player: [pointed.seat],
    row: [pointed.kind, pointed.row],
    name: [pointed.of, pointed.value],
    number: [pointed.value],
    direction: [pointed.board, pointed.value],
    flag: [pointed.name, pointed.value],
  }[sort];
  return key(sort, ...(parts ?? []));
}

/** @param {string} sort @param {...any} parts */
export function key(sort, ...parts) {
  return [sort, ...parts.map((part) => encodeURIComponent(String(part)))].join(":");
}

export class Choice {
  /**
   * @param {Left[]} left
   * @param {string[]} picked
   */
  constructor(left, picked = []) {
    this.left = left;
    this.picked = picked;
  }

  /** @param {Option[]} options */
  static of(options) {
    return new Choice(
      options.map((option) => ({ option, keys: option.about.map(keyOf), bound: [] })),
    );
  }

  get options() {
    return this.left.map(({ option }) => option);
  }

  /**
   * What would be clicked next for an option: the first that is drawn and tells it from others.
   * @param {Left} each
   * @param {Set<string>} drawn
   */
  next(each, drawn) {
    const free = each.keys
      .map((_, number) => number)
      .filter((number) => !each.bound.includes(number) && drawn.has(each.keys[number]));
    const telling = free.filter((number) =>
      this.left.some(
        (other) => other.option.action !== each.option.action || other.keys[number] !== each.keys[number],
      ),
    );
    return telling[0] ?? free[0];
  }

  /**
   * What can be clicked: what is asked for now, and what may be clicked out of turn.
   * @param {Set<string>} drawn
   */
  lit(drawn) {
    const first = new Set();
    const later = new Set();
    for (const each of this.left) {
      const next = this.next(each, drawn);
      each.keys.forEach((name, number) => {
        if (each.bound.includes(number) || !drawn.has(name)) return;
        (number === next ? first : later).add(name);
      });
    }
    for (const name of first) later.delete(name);
    return { first, later };
  }

  /**
   * The choice that is left after a click.
   * @param {string} name
   * @param {Set<string>} drawn
   */
  pick(name, drawn) {
    const asked = this.left.filter((each) => each.keys[this.next(each, drawn)] === name);
    const any = this.left.filter((each) =>
      each.keys.some((other, number) => other === name && !each.bound.includes(number)),
    );
    const kept = asked.length ? asked : any;
    const left = kept.map((each) => {
      const next = this.next(each, drawn);
      const at =
        each.keys[next] === name
          ? next
          : each.keys.findIndex((other, n) => other === name && !each.bound.includes(n));
      return { ...each, bound: [...each.bound, at] };
    });
    return new Choice(left, [...this.picked, name]);
  }

  /** Options that no click on the table can tell from the others.
   * @param {Set<string>} drawn */
  unpointed(drawn) {
    return this.left.filter((each) => this.next(each, drawn) === undefined);
  }
}
