/// <reference lib="dom" />
/** Markup in template literals, and numbers and times as people read them. Absent values are a dash. */
import htm from 'htm';
import { h } from 'preact';

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = /** @type {any} */ (htm).bind(h);

const NONE = '–';

/** @param {number | null | undefined} value  @param {number} [places] */
export function number(value, places = 2) {
  if (value === null || value === undefined) return NONE;
  const rounded = Number(value.toFixed(places)) + 0;
  const text = (rounded === 0 ? 0 : rounded).toLocaleString('en-US', {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return text.replace('-', '−');
}

/** With a plus where it is one. @param {number | null | undefined} value  @param {number} [places] */
export const signed = (value, places = 2) =>
  `${value !== null && value !== undefined && Number(value.toFixed(places)) > 0 ? '+' : ''}${number(value, places)}`;

/** @param {number | null | undefined} value  probability  @param {number} [tick] */
export const price = (value, tick = 0.01) => number(value, tick < 0.001 ? 4 : tick < 0.01 ? 3 : 2);

/** @param {number} value  shares */
export const shares = (value) => number(value, Number.isInteger(value) ? 0 : 2);

/** @param {number | null | undefined} at  milliseconds since 1970 */
export const clock = (at) =>
  at === null || at === undefined ? NONE : new Date(at).toLocaleTimeString('en-GB', { hour12: false });

/** `2 h 05 min`. @param {number} ms */
export function duration(ms) {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** What there is to say, with commas. @param {...(string | false | null | undefined)} parts */
export const list = (...parts) => parts.filter((part) => part !== '' && typeof part === 'string').join(', ');

/** Colour of a gain or a loss. @param {number} value */
export const tone = (value) => (value > 0 ? 'gain' : value < 0 ? 'loss' : '');

/** @param {number} n  @param {string} noun */
export const count = (n, noun) => `${number(n, 0)} ${noun}${n === 1 ? '' : 's'}`;
