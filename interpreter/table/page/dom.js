// Elements, made in one line. Styles go through the CSSOM, so the content security policy needs
// no exception for them.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "style") {
      for (const [property, set] of Object.entries(value)) {
        if (set !== undefined && set !== null)
          /** @type {HTMLElement} */ (element).style.setProperty(property, String(set));
      }
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "")
      element.append(child);
  }
  return element;
}

/**
 * An element of HTML.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(name), attributes, children));
}

/**
 * An element of SVG.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {SVGElement}
 */
export function s(name, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (
    fill(document.createElementNS(SVG, name), attributes, children)
  );
}

/** @param {string} text */
export function spaced(text) {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
