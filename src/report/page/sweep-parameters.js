/** @typedef {string | number | boolean | null} Value */
/** @typedef {{ label: string, holds: (value: Value) => boolean }} Step  a part of an axis */

/** More different numbers than this are put together. */
const DISTINCT_MOST = 12;
const PARTS = 8;
const DIGITS = 3;

/**
 * The end of a path that tells it from the others.
 * @param {string} path  @param {readonly string[]} paths  @returns {string}
 */
export function shortName(path, paths) {
  const parts = path.split('.');
  const ends = parts.map((_, at) => parts.slice(-1 - at).join('.'));
  return (
    ends.find((end) => paths.every((other) => other === path || !`.${other}`.endsWith(`.${end}`))) ?? path
  );
}

/** @param {Value} value */
export const valueText = (value) => String(value).replace(/^-/, '−');

/**
 * @param {{ readonly parameters: readonly string[], readonly candidates: readonly { readonly values: readonly Value[] }[] }} tried
 * @param {number} candidate  @returns {string} its values, named
 */
export const valuesText = ({ parameters, candidates }, candidate) =>
  parameters
    .map(
      (path, at) => `${shortName(path, parameters)} ${valueText(candidates[candidate]?.values[at] ?? null)}`,
    )
    .join(', ');

/**
 * The steps of a parameter's axis: its values in order, or equal parts of their range where they are many numbers.
 * @param {readonly Value[]} values  of all candidates
 * @returns {readonly Step[]}
 */
export function stepsOf(values) {
  const distinct = [...new Set(values)];
  const numbers = distinct.map(Number);
  const isNumeric = distinct.every((value) => typeof value !== 'boolean' && value !== null && value !== '');
  if (!isNumeric || numbers.some(Number.isNaN)) return distinct.map(stepAt);
  if (distinct.length <= DISTINCT_MOST) return distinct.toSorted((a, b) => Number(a) - Number(b)).map(stepAt);
  return partsOf(Math.min(...numbers), Math.max(...numbers));
}

/** @param {Value} value  @returns {Step} */
const stepAt = (value) => ({ label: valueText(value), holds: (other) => other === value });

/** @param {number} low  @param {number} high  @returns {readonly Step[]} */
function partsOf(low, high) {
  const width = (high - low) / PARTS;
  const bound = (/** @type {number} */ part) => low + part * width;
  const text = (/** @type {number} */ value) => valueText(Number(value.toPrecision(DIGITS)));
  return Array.from({ length: PARTS }, (_, part) => ({
    label: `${text(bound(part))}–${text(bound(part + 1))}`,
    holds: (value) => Number(value) >= bound(part) && (Number(value) < bound(part + 1) || part === PARTS - 1),
  }));
}
