import { el } from './dom.js';
import { places, signed } from './format.js';
import { shortName, valueText } from './sweep-parameters.js';
import { table } from './table.js';

/**
 * @typedef {string | number | boolean | null} Value
 * @typedef {{ readonly parameters: readonly string[], readonly candidates: readonly { readonly values: readonly Value[] }[] }} Tried
 * @typedef {{ name: string, unit: string, of: (candidate: number) => number | null }} Figure
 */

const SHOWN = 8;

/**
 * The configurations next to the best: a best that stands alone was lucky.
 * @param {Tried} tried  @param {number} best  @param {readonly Figure[]} figures  the score first
 * @returns {HTMLElement[]}
 */
export function neighbourContent(tried, best, figures) {
  const { parameters, candidates } = tried;
  const [score] = figures;
  if (candidates.length < 2 || score === undefined) return [];
  const distance = distanceFrom(tried, best);
  const near = candidates
    .map((_, candidate) => ({ candidate, away: distance(candidate) }))
    .filter(({ candidate }) => candidate !== best)
    .toSorted((one, other) => one.away - other.away)
    .slice(0, SHOWN);
  const scores = near.map(({ candidate }) => score.of(candidate)).filter((value) => value !== null);
  const as = (/** @type {Figure} */ { unit }) => (unit === '' ? places(3) : signed);
  const text = (/** @type {number | null} */ value) => `${as(score)(value)} ${score.unit}`.trim();
  return [
    el(
      'p',
      { class: 'lead', 'data-figure': 'neighbours' },
      `The ${near.length} configurations nearest to the best have a ${score.name} from ${text(Math.min(...scores))} to ${text(Math.max(...scores))}; the best has ${text(score.of(best))}. A best far above its neighbours was lucky.`,
    ),
    table(
      'The best and its neighbours',
      [
        ...parameters.map((path, at) => ({
          name: shortName(path, parameters),
          of: (/** @type {any} */ { candidate }) => candidates[candidate]?.values[at] ?? null,
          as: valueText,
        })),
        ...figures.map((figure) => ({
          name: figure.name,
          unit: figure.unit,
          of: (/** @type {any} */ { candidate }) => figure.of(candidate),
          as: as(figure),
        })),
      ],
      [{ candidate: best }, ...near],
      ({ candidate }) => candidate === best,
    ),
  ];
}

/** Of each parameter the part of its values that lies between, summed. @param {Tried} tried  @param {number} best */
function distanceFrom({ parameters, candidates }, best) {
  const orders = parameters.map((_, at) => {
    const values = [...new Set(candidates.map((one) => one.values[at] ?? null))];
    const isNumeric = values.every(
      (value) => typeof value === 'number' || !Number.isNaN(Number.parseFloat(String(value))),
    );
    return { isNumeric, values: isNumeric ? values.toSorted((a, b) => Number(a) - Number(b)) : values };
  });
  const placeOf = (/** @type {number} */ candidate, /** @type {number} */ at) =>
    orders[at]?.values.indexOf(candidates[candidate]?.values[at] ?? null) ?? 0;
  return (/** @type {number} */ candidate) =>
    orders.reduce((sum, { isNumeric, values }, at) => {
      const away = Math.abs(placeOf(candidate, at) - placeOf(best, at));
      if (away === 0) return sum;
      return sum + (isNumeric ? away / (values.length - 1) : 1);
    }, 0);
}
