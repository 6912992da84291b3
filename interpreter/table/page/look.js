// How things look: what the look file says, else something pleasant made from their names.

import { capital, spaced } from "./dom.js";
/** @import { Plan, Style, Printed } from "./types.js" */

export const SHAPES = ["circle", "diamond", "triangle", "square", "star", "hexagon", "cross", "drop"];

/** Paths in a box of 24 by 24. */
const PATHS = {
  circle: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18Z",
  diamond: "M12 2L21 12L12 22L3 12Z",
  triangle: "M12 3L21.5 20H2.5Z",
  square: "M4 4H20V20H4Z",
  star: "M12 2l3 6.6 7.2.8-5.4 4.8 1.6 7L12 17.6 5.6 21.2l1.6-7L1.8 9.400l7.2-.8Z",
  hexagon: "M12 2L20.700 7V17L12 22L3.300 17V7Z",
  cross: "M9 3h6v6h6v6h-6v6H9v-6H3V9h6Z",
  drop: "M12 2C16 8 19 11 19 15a7 7 0 0 1-14 0C5 11 8 8 12 2Z",
};

const SEATS = ["#c8402f", "#2868b8", "#d99a11", "#2c8a57", "#7d4bb0", "#2a8f9e", "#b0527f", "#6b6255"];

const COLOURS = /** @type {Record<string, string>} */ ({
  red: "#c8402f", blue: "#2868b8", yellow: "#e2b021", green: "#3f9159", white: "#f4f1e8",
  black: "#34332f", purple: "#7d4bb0", violet: "#7d4bb0", orange: "#e07b24", pink: "#d982a5",
  brown: "#85603f", grey: "#8d8f8b", gray: "#8d8f8b", gold: "#d8a826", silver: "#b4bbc2",
  cyan: "#3aa6b9", turquoise: "#35a79c", beige: "#dccfae",
});

const PALETTE = ["#8fa9c4", "#c9a27a", "#9bb58a", "#c79aa8", "#a99fc6", "#d4bd78", "#88b3ae", "#bdaea0"];

export class Look {
  /**
   * @param {Plan} plan
   * @param {any} data
   */
  constructor(plan, data) {
    this.plan = plan;
    this.data = data || {};
    /** @type {string[] | null} what the players are called at this table */
    this.names = null;
    /** @type {Map<string, Map<string, string>>} */
    this.shorts = new Map();
    /** @type {(string | undefined)[]} colours that players have by the rules */
    this.own = [];
  }

  /** @param {import("./types.js").Scene} scene Players have the colour of a variable, if the look names one. */
  follow(scene) {
    const name = this.data.playersBy;
    const type = name ? this.plan.members[name]?.type?.name : undefined;
    if (!type) return;
    this.own = this.plan.players.map((_, seat) => {
      const value = scene.areas[seat + 1]?.values.find(({ member }) => member === name)?.value;
      return typeof value === "string" ? this.value(type, value).colour : undefined;
    });
  }

  /** @param {string} name @returns {any} */
  board(name) {
    return this.data.boards?.[name] ?? {};
  }

  /** @param {string} name @returns {any} */
  kind(name) {
    return this.data.kinds?.[name] ?? {};
  }

  /** @param {string} name @returns {any} */
  member(name) {
    return this.data.members?.[name] ?? {};
  }

  /** @param {string} name */
  words(name) {
    const member = this.plan.members[name];
    return this.member(name).name ?? member?.words ?? spaced(name);
  }

  /** @param {number | null | undefined} seat */
  seat(seat) {
    if (seat === null || seat === undefined) return { colour: "#8d8f8b", shape: "circle" };
    const colours = this.data.players ?? SEATS;
    return {
      colour: this.own[seat] ?? this.colour(colours[seat % colours.length]),
      shape: SHAPES[seat % SHAPES.length],
    };
  }

  /** @param {string} name A colour as a look may write it. */
  colour(name) {
    return COLOURS[name] ?? name;
  }

  /**
   * @param {string} kind
   * @param {string} row
   */
  row(kind, row) {
    const rows = this.plan.kinds[kind]?.rows ?? [];
    const all = this.kind(kind);
    return this.style(`kind ${kind}`, rows, row, { ...all.rows?.[row] }, all);
  }

  /**
   * @param {string} of
   * @param {string} value
   */
  value(of, value) {
    const values = this.plan.names[of] ?? this.plan.kinds[of]?.rows ?? [];
    return this.style(`name ${of}`, values, value, { ...this.data.names?.[of]?.[value] }, {});
  }

  /**
   * @param {string} group
   * @param {Printed[]} all
   * @param {string} name
   * @param {Style} own
   * @param {any} rest
   */
  style(group, all, name, own, rest) {
    const number = all.findIndex((each) => each.name === name);
    const printed = all[number];
    const label = own.name ?? printed?.label ?? spaced(name);
    return {
      label,
      colour: this.colour(own.colour ?? rest.colour ?? named(`${name} ${label}`) ?? tint(number)),
      symbol: own.symbol ?? rest.symbol,
      sign: own.sign ?? printed?.sign,
      short: own.sign ?? printed?.sign ?? this.short(group, all, name),
    };
  }

  /**
   * The fewest letters that tell a name from the others of its group.
   * @param {string} group
   * @param {Printed[]} all
   * @param {string} name
   */
  short(group, all, name) {
    let known = this.shorts.get(group);
    if (!known) {
      known = new Map();
      const labels = all.map((each) => capital(each.label.replace(/^(the|a|an) /i, "")));
      for (const [number, label] of labels.entries()) {
        let length = 1;
        const same = (/** @type {string} */ other, /** @type {number} */ at) =>
          at !== number && other.slice(0, length) === label.slice(0, length);
        while (length < Math.min(4, label.length) && labels.some(same)) length += 1;
        known.set(all[number].name, label.slice(0, length));
      }
      this.shorts.set(group, known);
    }
    return known.get(name) ?? capital(name).slice(0, 2);
  }

  /** @param {string | undefined} symbol @returns {import("./types.js").Symbol | undefined} */
  path(symbol) {
    if (!symbol) return undefined;
    return this.data.symbols?.[symbol] ?? /** @type {any} */ (PATHS)[symbol];
  }

  /** A row of a table, by what it is called where it is named.
   * @param {string} name @returns {Printed | undefined} */
  rowOf(name) {
    for (const rows of Object.values(this.plan.names)) {
      const found = rows.find((row) => row.fields && (row.name === name || spaced(row.label) === spaced(name)));
      if (found) return found;
    }
    return undefined;
  }

  /** The member that says which side of a die of this kind is up, if these are dice. */
  /** @param {string} kind */
  face(kind) {
    if (this.kind(kind).as && this.kind(kind).as !== "die") return undefined;
    return Object.keys(this.plan.members).find((name) => {
      const { sort, indexes, type } = this.plan.members[name];
      return (
        sort === "value" && indexes.length === 1 && indexes[0].sort === "kind" &&
        indexes[0].name === kind && isDie(type)
      );
    });
  }

  /** @param {string} kind How pieces of a kind are drawn away from a board. */
  as(kind) {
    const said = this.kind(kind).as;
    if (said) return said;
    if (this.face(kind)) return "die";
    const plan = this.plan.kinds[kind];
    if (plan.counted) return "token";
    const printed = plan.rows.some((row) => row.text || (row.fields && row.fields.length > 1));
    if (printed || plan.rows.length > 8) return "card";
    return "tile";
  }
}

/** @param {import("./types.js").Type | undefined} type */
export function isDie(type) {
  return type?.sort === "int" && type.low === 1 && type.high === 6;
}

/** @param {string} text */
function named(text) {
  for (const word of spaced(text).split(/[^a-z]+/)) if (word in COLOURS) return COLOURS[word];
  return undefined;
}

/** @param {number} number */
function tint(number) {
  return PALETTE[((number % PALETTE.length) + PALETTE.length) % PALETTE.length];
}

/**
 * Whether dark letters are read better on a colour than light ones.
 * @param {string} colour
 */
export function isLight(colour) {
  const hex = colour.replace("#", "");
  if (hex.length !== 6) return true;
  const part = (/** @type {number} */ at) => parseInt(hex.slice(at, at + 2), 16) / 255;
  const linear = [part(0), part(2), part(4)].map((c) =>
    c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.2;
}
