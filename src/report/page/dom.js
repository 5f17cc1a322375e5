/// <reference lib="dom" />
/** Elements without ceremony. Texts are texts: nothing is ever parsed as markup. */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {Node | string} Child
 * @typedef {Record<string, string | number | boolean | ((event: any) => void)>} Attributes
 */

/** @param {Element} element  @param {Attributes} attributes  @param {readonly Child[]} children */
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
}

/** @param {string} tag  @param {Attributes} [attributes]  @param {...Child} children  @returns {HTMLElement} */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes, children);
  return element;
}

/** @param {string} tag  @param {Attributes} [attributes]  @param {...Child} children  @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, attributes, children);
  return element;
}

/**
 * A line of keys that explain colours and marks.
 * @param {readonly { text: string, mark: SVGElement }[]} keys
 */
export const keyLine = (keys) =>
  el('ul', { class: 'keys' }, ...keys.map(({ text, mark }) => el('li', {}, mark, text)));

/** @param {string} color  @param {string} [dash]  @returns {SVGElement} a piece of a line */
export const lineMark = (color, dash = '') =>
  svg(
    'svg',
    { width: 26, height: 12, 'aria-hidden': 'true' },
    svg('line', {
      x1: 1,
      y1: 6,
      x2: 25,
      y2: 6,
      stroke: color,
      'stroke-width': 2.5,
      'stroke-dasharray': dash,
    }),
  );

/** @param {string} color  @param {'up' | 'down'} way  @returns {SVGElement} */
export const triangleMark = (color, way) =>
  svg(
    'svg',
    { width: 14, height: 12, 'aria-hidden': 'true' },
    svg('path', { d: way === 'up' ? 'M7 1 L13 11 L1 11 Z' : 'M7 11 L13 1 L1 1 Z', fill: color }),
  );

/** @param {string} color  @returns {SVGElement} */
export const areaMark = (color) =>
  svg(
    'svg',
    { width: 26, height: 12, 'aria-hidden': 'true' },
    svg('rect', { width: 26, height: 12, rx: 2, fill: color }),
  );
