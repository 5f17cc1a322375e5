import { el, keyLine, lineMark, svg } from './dom.js';
import { cents, number, placesOfTicks, ticksBetween } from './format.js';
import { scenarioStyle } from './theme.js';

/**
 * @typedef {import('../run-report.js').RunReport} RunReport
 * @typedef {import('../../analytics/analysis.js').MarkOutFigures} MarkOutFigures
 * @typedef {{ label: string, color: string, dash: string, points: readonly MarkOutFigures[] }} Curve
 */

const WIDTH = 500;
const HEIGHT = 300;
const LEFT = 52;
const RIGHT = 14;
const TOP = 26;
const BOTTOM = 58;
/** Of the standard error, for 95 %. */
const DEVIATIONS = 1.96;

/** What fills were worth later: by scenario, and by side under the scenario of the headline. @param {RunReport} report */
export function markOutFigures({ scenarios, headline }) {
  const chosen = scenarios.find(({ scenario }) => scenario === headline.scenario) ?? scenarios[0];
  const byScenario = scenarios.map(({ scenario, total }) => {
    const { color, dash } = scenarioStyle(scenario);
    return { label: scenario, color, dash: dash.join(' '), points: total.markOuts };
  });
  const bySide = (chosen?.total.sides ?? []).map(({ side, markOuts }) => ({
    label: side === 'bid' ? 'bought' : 'sold',
    color: side === 'bid' ? 'blue' : 'orange',
    dash: side === 'bid' ? '' : '8 4',
    points: markOuts,
  }));
  const mid =
    chosen?.markOutMid === 'recorded'
      ? 'the mid of the recording, which our orders take nothing from'
      : 'the mid of the orders of others, as the bot saw it';
  const title = scenarios.length > 1 ? `By side, ${chosen?.scenario ?? ''}` : 'By side';
  return el(
    'div',
    { class: 'columns' },
    panel(scenarios.length > 1 ? 'All fills, by scenario' : 'All fills', byScenario),
    panel(title, bySide),
    el('p', {}, `Times are of the bot's clock, when it heard of the fill. Judged by ${mid}.`),
  );
}

/** @param {string} title  @param {readonly Curve[]} curves */
function panel(title, curves) {
  const keys = curves.map(({ label, color, dash }) => ({
    text: label,
    mark: lineMark(`var(--${color})`, dash),
  }));
  return el('figure', {}, el('h3', {}, title), keyLine(keys), picture(title, curves));
}

/** @param {MarkOutFigures} point  @returns {[number, number, number]} low, mean, high in cents */
function spreadOf({ perShare, standardError }) {
  const mean = (perShare ?? 0) * 100;
  const error = (standardError ?? 0) * 100 * DEVIATIONS;
  return [mean - error, mean, mean + error];
}

/** @param {string} title  @param {readonly Curve[]} curves */
function picture(title, curves) {
  const known = curves.flatMap(({ points }) => points.filter(({ perShare }) => perShare !== null));
  const bounds = known.flatMap(spreadOf);
  const [low, high] = [Math.min(0, ...bounds), Math.max(0, ...bounds)];
  const room = (high - low || 1) * 0.08;
  const [bottom, top] = [low - room, high + room];
  const y = (/** @type {number} */ value) => TOP + ((top - value) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
  const names = (curves[0]?.points ?? []).map(({ seconds }) =>
    seconds === null ? 'resolution' : `${seconds} s`,
  );
  const slot = (WIDTH - LEFT - RIGHT) / Math.max(1, names.length);
  const x = (/** @type {number} */ index) => LEFT + (index + 0.5) * slot;
  const ticks = ticksBetween(bottom, top, 5);
  const places = placesOfTicks(ticks);
  return svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: '100%', role: 'img', 'aria-label': `mark-outs: ${title}` },
    ...ticks.flatMap((tick) => [
      svg('line', {
        class: Math.abs(tick) < 1e-9 ? 'zero' : 'axis',
        x1: LEFT,
        x2: WIDTH,
        y1: y(tick),
        y2: y(tick),
      }),
      svg('text', { x: LEFT - 8, y: y(tick) + 4, 'text-anchor': 'end' }, number(tick, places)),
    ]),
    svg('text', { x: 0, y: 12 }, 'cents per share'),
    ...names.map((name, index) =>
      svg('text', { x: x(index), y: HEIGHT - BOTTOM + 22, 'text-anchor': 'middle' }, name),
    ),
    svg(
      'text',
      { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 10, 'text-anchor': 'middle' },
      'time after the fill',
    ),
    ...curves.flatMap((curve, index) => curveOf(curve, (point) => x(point) + shift(index, curves.length), y)),
  );
}

/** Curves stand a little beside each other, so that their error bars can be seen. @param {number} index  @param {number} of */
const shift = (index, of) => (index - (of - 1) / 2) * 7;

/** @param {Curve} curve  @param {(index: number) => number} x  @param {(value: number) => number} y */
function curveOf({ points, color, dash, label }, x, y) {
  const stroke = `var(--${color})`;
  const known = points
    .map((point, index) => ({ point, index }))
    .filter(({ point }) => point.perShare !== null);
  const path = known.map(
    ({ point, index }, nth) => `${nth === 0 ? 'M' : 'L'}${x(index)} ${y(spreadOf(point)[1])}`,
  );
  return [
    svg('path', { d: path.join(''), fill: 'none', stroke, 'stroke-width': 2, 'stroke-dasharray': dash }),
    ...known.flatMap(({ point, index }) => {
      const [low, mean, high] = spreadOf(point);
      const text = `${label}: ${cents(point.perShare)} cents per share, ${point.fills} fills`;
      return [
        svg('line', { x1: x(index), x2: x(index), y1: y(low), y2: y(high), stroke, 'stroke-width': 1.25 }),
        svg('circle', { cx: x(index), cy: y(mean), r: 4, fill: stroke }, svg('title', {}, text)),
      ];
    }),
  ];
}
