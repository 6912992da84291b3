// What is on the page, as data: `h` and `s` describe elements, and `lay` makes of what is there what
// is described, touching only what differs. So a table of thousands of elements is drawn anew in
// the time its few changes take, and what has the focus keeps it. Others may add to what was laid
// (classes, ghosts at the end); that stays until the description of the same thing changes.
//
// Styles go through the CSSOM, so the content security policy needs no exception for them.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {{name: string, svg: boolean, with: Record<string, any>, inside: (Drawn | string | Node)[]}} Drawn */
/** @typedef {{drawn: Drawn | string | Node, node: Node, inside: Laid[]}} Laid */

/** @type {WeakMap<Node, Laid[]>} what was laid into an element */
const roots = new WeakMap();
/** @type {WeakMap<Element, Record<string, any>>} what an element does when something happens */
const listening = new WeakMap();

/**
 * An element of HTML.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {Drawn}
 */
export function h(name, attributes = {}, ...children) {
  return { name, svg: false, with: attributes, inside: listed(children) };
}

/**
 * An element of SVG.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {Drawn}
 */
export function s(name, attributes = {}, ...children) {
  return { name, svg: true, with: attributes, inside: listed(children) };
}

/**
 * What is described, as an element.
 * @param {Drawn} drawn
 * @returns {HTMLElement}
 */
export function made(drawn) {
  return /** @type {HTMLElement} */ (begun(drawn).node);
}

/**
 * An element of HTML that is made at once, for what keeps a state of its own.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 */
export function live(name, attributes = {}, ...children) {
  return made(h(name, attributes, ...children));
}

/**
 * Make the described the children of an element that has had no others.
 * @param {Element} parent
 * @param {...any} children
 */
export function lay(parent, ...children) {
  roots.set(parent, changed(parent, roots.get(parent) ?? [], listed(children)));
}

/** @param {any[]} children @param {any[]} [found] @returns {any[]} */
function listed(children, found = []) {
  for (const child of children) {
    if (Array.isArray(child)) listed(child, found);
    else if (typeof child === "number") found.push(String(child));
    else if (child !== null && child !== undefined && child !== false && child !== "") found.push(child);
  }
  return found;
}

/** @param {Drawn | string | Node} drawn @returns {Laid} */
function begun(drawn) {
  if (typeof drawn === "string") return { drawn, node: document.createTextNode(drawn), inside: [] };
  if (drawn instanceof Node) return { drawn, node: drawn, inside: [] };
  const node = drawn.svg ? document.createElementNS(SVG, drawn.name) : document.createElement(drawn.name);
  dress(node, {}, drawn.with);
  const inside = drawn.inside.map(begun);
  for (const each of inside) node.appendChild(each.node);
  return { drawn, node, inside };
}

/** @param {Laid} laid @param {Drawn | string | Node} drawn It becomes what is described, which has the same name. */
function become(laid, drawn) {
  if (laid.drawn === drawn) return;
  if (typeof drawn === "string") laid.node.nodeValue = drawn;
  else if (!(drawn instanceof Node)) {
    const before = /** @type {Drawn} */ (laid.drawn);
    dress(/** @type {Element} */ (laid.node), before.with, drawn.with);
    laid.inside = changed(laid.node, laid.inside, drawn.inside);
  }
  laid.drawn = drawn;
}

/** What may become what: the same thing by its key, else the next of its sort.
 * @param {Drawn | string | Node} drawn @returns {any} */
function sortOf(drawn) {
  if (typeof drawn === "string") return "";
  if (drawn instanceof Node) return drawn;
  const key = drawn.with["data-key"];
  return key === undefined ? drawn.name : `${drawn.name} ${key}`;
}

/**
 * @param {Node} parent
 * @param {Laid[]} before
 * @param {(Drawn | string | Node)[]} children
 * @returns {Laid[]}
 */
function changed(parent, before, children) {
  if (!before.length && !children.length) return before;
  /** @type {Map<any, Laid[]>} */
  const free = new Map();
  for (const laid of before) {
    const sort = sortOf(laid.drawn);
    const others = free.get(sort);
    if (others) others.push(laid);
    else free.set(sort, [laid]);
  }
  const after = children.map((drawn) => {
    const found = free.get(sortOf(drawn))?.shift();
    if (!found) return begun(drawn);
    become(found, drawn);
    return found;
  });
  for (const others of free.values()) for (const { node } of others) if (node.parentNode === parent) parent.removeChild(node);
  let next = parent.firstChild;
  for (const { node } of after) {
    if (node === next) next = node.nextSibling;
    else parent.insertBefore(node, next);
  }
  return after;
}

/**
 * @param {Element} element
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 */
function dress(element, before, after) {
  for (const name in before) if (!(name in after)) put(element, name, before[name], undefined);
  for (const name in after) if (after[name] !== before[name]) put(element, name, before[name], after[name]);
}

/** @param {Element} element @param {string} name @param {any} before @param {any} value */
function put(element, name, before, value) {
  if (typeof (value ?? before) === "function") listen(element, name, value);
  else if (name === "style") restyle(/** @type {HTMLElement} */ (element).style, before ?? {}, value ?? {});
  else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** @param {Element} element @param {string} name @param {any} does */
function listen(element, name, does) {
  let all = listening.get(element);
  if (!all) listening.set(element, (all = {}));
  const told = all;
  if (!(name in told)) element.addEventListener(name, (event) => told[name]?.(event));
  told[name] = does;
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 */
function restyle(style, before, after) {
  for (const name in { ...before, ...after }) {
    const value = after[name];
    if (value === before[name]) continue;
    if (value === undefined || value === null) style.removeProperty(name);
    else style.setProperty(name, String(value));
  }
}

/** @param {string} text */
export function spaced(text) {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
