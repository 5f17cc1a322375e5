/** @typedef {import('../sweep-report.js').SweepReport} SweepReport */

/** @param {readonly number[]} values */
export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {readonly number[]} values  @returns {number} */
export const mean = (values) => sum(values) / values.length;

/**
 * Under the scenario of the headline, summed over pieces.
 * @param {Pick<SweepReport, 'scenarios' | 'headline'>} report  @param {Pick<SweepReport['candidates'][number], 'profits'>} candidate
 * @param {readonly number[]} places  of pieces
 */
export function profitOf({ scenarios, headline }, { profits }, places) {
  const scenario = scenarios.indexOf(headline);
  return sum(places.map((place) => profits[place]?.[scenario] ?? 0));
}

/** @param {readonly number[]} values  @returns {readonly number[]} of each its place, 1 the largest; equals share the better one */
export const placesOf = (values) => values.map((value) => 1 + values.filter((other) => other > value).length);

/**
 * How alike two orders are: 1 the same, 0 unrelated, −1 reversed (Spearman 1904). Equals share their mean place.
 * @param {readonly number[]} a  @param {readonly number[]} b  @returns {number | null} null where one of them has no order
 */
export function rankCorrelation(a, b) {
  const [x, y] = [meanPlaces(a), meanPlaces(b)];
  const middle = (a.length + 1) / 2;
  const product = (/** @type {readonly number[]} */ one, /** @type {readonly number[]} */ two) =>
    sum(one.map((place, at) => (place - middle) * ((two[at] ?? 0) - middle)));
  const spread = Math.sqrt(product(x, x) * product(y, y));
  return spread === 0 ? null : product(x, y) / spread;
}

/** @param {readonly number[]} values */
const meanPlaces = (values) =>
  values.map((value) => {
    const larger = values.filter((other) => other > value).length;
    const equal = values.filter((other) => other === value).length;
    return larger + (equal + 1) / 2;
  });
