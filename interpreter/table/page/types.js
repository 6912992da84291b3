/**
 * What the server says, as types. The whole of it is described by schemas/scene.schema.json
 * and schemas/look.schema.json.
 *
 * @typedef {{name: string, words: string, value: string}} Field
 * @typedef {{name: string, label: string, sign?: string, text?: string, back?: string,
 *   copies?: number, fields?: Field[], x?: number, y?: number}} Printed
 * @typedef {{sort: string, name?: string, low?: number, high?: number, optional?: true,
 *   size?: number}} Type
 * @typedef {{shape: string, cells: Printed[], directions: string[], joins: number[][]}} BoardPlan
 * @typedef {{words: string, counted: boolean, rows: Printed[]}} KindPlan
 * @typedef {{sort: string, words: string, indexes: Type[], type?: Type, show?: string,
 *   kind?: string, word?: string}} Member
 * @typedef {{title: string, players: string[], settings: string[], scored: boolean,
 *   boards: Record<string, BoardPlan>, kinds: Record<string, KindPlan>,
 *   names: Record<string, Printed[]>, members: Record<string, Member>}} Plan
 *
 * @typedef {number | string | boolean | null | {hidden: true}} Value
 * @typedef {Record<string, {value: Value, words: string, label?: string}>} Marks
 * @typedef {{sort: string, id: string, member: string, kind?: string, row?: string | null,
 *   label?: string, owner?: number | null, count?: number, facing?: string | null,
 *   index?: (number | string | boolean)[], value?: Value, marks?: Marks}} Thing
 * @typedef {{id: string, member: string, index: (number | string | boolean)[], value: Value,
 *   label?: string}} Told
 * @typedef {{id: string, member: string, index: (number | string | boolean)[], count: number,
 *   things: Thing[]}} Place
 * @typedef {{owner: number | null, places: Place[], values: Told[]}} Area
 * @typedef {{board: string, owner: number | null,
 *   cells: {cell: number, things: Thing[]}[]}} BoardScene
 * @typedef {{name: string, sort: string, board?: string, cell?: number, id?: string,
 *   seat?: number, kind?: string, row?: string, of?: string,
 *   value?: number | string | boolean}} Pointed
 * @typedef {{text: string, words: string, action: string, about: Pointed[]}} Option
 * @typedef {{seat: number | null, moves: number, toAct: number[], over: boolean,
 *   ending: string | null, because: string | null, winners: number[], losers: number[], scores: number[],
 *   boards: BoardScene[], areas: Area[], decision: {options: Option[]} | null}} Scene
 *
 * @typedef {{seat: number, name: string, who: string, here: boolean}} Seat
 * @typedef {{n: number, text: string}} Line
 * @typedef {{left: number[], running: number | null, heard: number}} Clock
 * @typedef {{id: string, title: string, seats: Seat[], you: number | null, all: boolean,
 *   seedHash: string, chat: boolean, clock: Clock | null, rematch: string | null,
 *   scenario: string | null}} TableInfo
 *
 * @typedef {{name: string, with: Record<string, string>, parts?: Part[]}} Part
 * @typedef {string | {box: number[], with: Record<string, string>, parts: Part[]}} Symbol
 * @typedef {{colour?: string, symbol?: string, sign?: string, name?: string}} Style
 */
export {};
