import { el, svg } from './dom.js';
import { placesOfTicks, number, signed, ticksBetween } from './format.js';

/**
 * @typedef {import('../run-report.js').RunReport} RunReport
 * @typedef {import('../../analytics/analysis.js').AccountFigures} AccountFigures
 * @typedef {import('../../analytics/analysis.js').RunAnalysis} RunAnalysis
 * @typedef {{ name: string, from: number, to: number, isTotal: boolean }} Step
 * @typedef {{ name: string, unit: string, steps: readonly Step[] }} Picture
 */

const WIDTH = 350;
const HEIGHT = 270;
const LEFT = 46;
const TOP = 24;
const BOTTOM = 46;
/** More are told by the table alone. */
const STRATEGIES_MOST = 5;

/**
 * Where the profit came from, all pictures on one scale: one a scenario. A run with one scenario has room for its
 * strategies beside the whole.
 * @param {RunReport} report
 */
export function waterfallFigures({ scenarios }) {
  const pictures = scenarios.length === 1 ? scenarios.flatMap(wholeWithStrategies) : scenarios.map(whole);
  const ends = pictures.flatMap(({ steps }) => steps).flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const room = (high - low || 1) * 0.06;
  return el(
    'div',
    { class: 'columns waterfalls' },
    ...pictures.map((picture) =>
      el('figure', {}, el('h3', {}, picture.name), waterfall(picture, low - room, high + room)),
    ),
  );
}

/** @param {RunAnalysis} scenario  @returns {Picture} */
const whole = ({ scenario, currency, total }) => ({
  name: scenario,
  unit: currency,
  steps: stepsOf(total.profit),
});

/** @param {RunAnalysis} run  @returns {readonly Picture[]} */
function wholeWithStrategies(run) {
  const { strategies, currency } = run;
  if (strategies.length < 2 || strategies.length > STRATEGIES_MOST) return [whole(run)];
  const each = strategies.map(({ title, profit }) => ({
    name: title,
    unit: currency,
    steps: stepsOf(profit),
  }));
  return [whole(run), ...each];
}

/** @param {AccountFigures} profit  @returns {Step[]} */
function stepsOf(profit) {
  const parts = /** @type {[string, number][]} */ ([
    ['spread', profit.spread],
    ['inventory', profit.inventory],
    ['resolution', profit.resolution],
    ['fees', -profit.fees],
    ['rebates', profit.rebates],
  ]);
  let sum = 0;
  const steps = parts.map(([name, value]) => ({ name, from: sum, to: (sum += value), isTotal: false }));
  return [...steps, { name: 'profit', from: 0, to: profit.total, isTotal: true }];
}

/** @param {Picture} picture  @param {number} low  @param {number} high */
function waterfall({ name: title, unit, steps }, low, high) {
  const y = (/** @type {number} */ value) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const ticks = ticksBetween(low, high, 5);
  const places = placesOfTicks(ticks);
  const slot = (WIDTH - LEFT - 8) / steps.length;
  return svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: '100%',
      role: 'img',
      'aria-label': `attribution of profit, ${title}: ${steps.map(({ name, from, to }) => `${name} ${signed(to - from)}`).join(', ')}`,
    },
    ...ticks.flatMap((tick) => [
      svg('line', { class: tick === 0 ? 'zero' : 'axis', x1: LEFT, x2: WIDTH, y1: y(tick), y2: y(tick) }),
      svg('text', { x: LEFT - 8, y: y(tick) + 4, 'text-anchor': 'end' }, number(tick, places)),
    ]),
    svg('text', { x: 0, y: 12 }, unit),
    ...steps.flatMap((step, index) => bar(step, LEFT + 4 + index * slot, slot, y, index < steps.length - 1)),
  );
}

/**
 * @param {Step} step  @param {number} x  @param {number} slot  width of it all
 * @param {(value: number) => number} y  @param {boolean} leadsOn  whether a line goes to the next bar
 */
function bar({ name, from, to, isTotal }, x, slot, y, leadsOn) {
  const [top, bottom] = [y(Math.max(from, to)), y(Math.min(from, to))];
  const width = slot * 0.66;
  const middle = x + slot / 2;
  const isGain = to >= from;
  const fill = isTotal ? 'var(--ink)' : `var(--${isGain ? 'gain' : 'loss'})`;
  return [
    svg('rect', {
      x: middle - width / 2,
      y: top,
      width,
      height: Math.max(1.5, bottom - top),
      rx: 2,
      fill,
    }),
    ...(leadsOn
      ? [
          svg('line', {
            class: 'zero',
            x1: middle + width / 2,
            x2: middle + slot - width / 2,
            y1: y(to),
            y2: y(to),
            'stroke-dasharray': '2 2',
          }),
        ]
      : []),
    svg('text', { class: 'value', x: middle, y: top - 6, 'text-anchor': 'middle' }, signed(to - from)),
    svg('text', { x: middle, y: HEIGHT - BOTTOM + 24, 'text-anchor': 'middle', class: 'small' }, name),
  ];
}
