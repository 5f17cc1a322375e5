import { el, svg } from './dom.js';
import { number, signed } from './format.js';
import { shortName, stepsOf } from './sweep-parameters.js';
import { mean } from './sweep-profits.js';

/**
 * @typedef {import('../sweep-report.js').SweepReport} SweepReport
 * @typedef {import('./sweep-parameters.js').Step} Step
 * @typedef {SweepReport['ranking'][number]} Rank
 * @typedef {{ name: string, unit: string, isRank: boolean, of: (rank: Rank) => number }} Measure
 * @typedef {{ across: Step, down: Step | null, values: readonly number[] }} Cell
 * @typedef {{ steps: readonly Step[], at: number }} Axis
 */

const WIDTH = 900;
const LEFT = 150;
const TOP = 26;
const ROW = 44;
const BOTTOM = 54;

/** @param {SweepReport} report  @returns {readonly Measure[]} */
const measuresOf = ({ currency, ranking }) => [
  { name: 'profit in the tests', unit: currency, isRank: false, of: ({ testProfit }) => testProfit },
  { name: 'rank in the tests', unit: '', isRank: true, of: ({ meanTestRank }) => meanTestRank },
  ...trainRanks(ranking),
  { name: 'profit on everything', unit: currency, isRank: false, of: ({ allProfit }) => allProfit },
];

/** None where training ranked nothing. @param {SweepReport['ranking']} ranking  @returns {readonly Measure[]} */
const trainRanks = (ranking) =>
  ranking.some(({ meanTrainRank }) => meanTrainRank === null)
    ? []
    : [
        {
          name: 'rank in training',
          unit: '',
          isRank: true,
          of: ({ meanTrainRank }) => Number(meanTrainRank),
        },
      ];

/** Any two parameters, the others averaged out. @param {SweepReport} report */
export function heatMapFigure(report) {
  const measures = measuresOf(report);
  const names = report.parameters;
  const across = choice('Across', names, 0, () => show());
  const down = choice('Down', [...names, 'nothing'], 1, () => show());
  const shown = choice(
    'Shows',
    measures.map(({ name }) => name),
    0,
    () => show(),
  );
  const stage = el('div', { 'data-chart': 'heat map' });
  const show = () => {
    const measure = measures[shown.chosen()];
    if (measure !== undefined)
      stage.replaceChildren(...picture(report, measure, across.chosen(), down.chosen()));
  };
  show();
  return el(
    'figure',
    {},
    el('div', { class: 'controls' }, across.element, down.element, shown.element),
    stage,
  );
}

/** @param {string} label  @param {readonly string[]} names  @param {number} first  @param {() => void} changed */
function choice(label, names, first, changed) {
  const options = names.map((name, index) => el('option', { value: index, selected: index === first }, name));
  const select = /** @type {HTMLSelectElement} */ (el('select', { change: changed }, ...options));
  return { element: el('label', {}, label, select), chosen: () => Number(select.value) };
}

/** @param {SweepReport} report  @param {number} at  @returns {Axis} */
const axisOf = ({ candidates }, at) => ({
  at,
  steps: stepsOf(candidates.map(({ values }) => values[at] ?? null)),
});

/** @param {SweepReport} report  @param {Measure} measure  @param {number} across  @param {number} down */
function picture(report, measure, across, down) {
  const { parameters } = report;
  const isFlat = down === across || down >= parameters.length;
  const [x, y] = [axisOf(report, across), isFlat ? null : axisOf(report, down)];
  const cells = cellsOf(report, measure, x, y);
  const others = parameters
    .filter((_, at) => at !== across && (isFlat || at !== down))
    .map((path) => shortName(path, parameters));
  return [
    el('div', { class: 'wide' }, map(parameters, measure, x, y, cells)),
    el('figcaption', {}, captionOf(cells, others, measure)),
  ];
}

/** @param {SweepReport} report  @param {Measure} measure  @param {Axis} x  @param {Axis | null} y  @returns {readonly Cell[]} by row */
function cellsOf({ ranking, candidates }, measure, x, y) {
  const valueAt = (/** @type {Rank} */ { candidate }, /** @type {number} */ at) =>
    candidates[candidate]?.values[at] ?? null;
  return (y?.steps ?? [null]).flatMap((down) =>
    x.steps.map((across) => ({
      across,
      down,
      values: ranking
        .filter(
          (rank) =>
            across.holds(valueAt(rank, x.at)) && (y === null || down?.holds(valueAt(rank, y.at)) === true),
        )
        .map(measure.of),
    })),
  );
}

/** @param {readonly Cell[]} cells  @param {readonly string[]} others  @param {Measure} measure */
function captionOf(cells, others, { name, isRank }) {
  const counts = cells.map(({ values }) => values.length).filter((count) => count > 0);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const of = least === most ? String(least) : `${least} to ${most}`;
  const marginal =
    others.length === 0 ? 'no other parameter was varied' : `whatever their ${others.join(', ')}`;
  const best = isRank ? '1 is the best' : 'under the scenario of the headline';
  return `Each cell is the mean ${name} (${best}) over its configurations, ${of} a cell, ${marginal}. Empty: none was tried.`;
}

/**
 * @param {readonly string[]} parameters  @param {Measure} measure  @param {Axis} x  @param {Axis | null} y
 * @param {readonly Cell[]} cells
 */
function map(parameters, measure, x, y, cells) {
  const columns = x.steps.length;
  const rows = y?.steps.length ?? 1;
  const slot = (WIDTH - LEFT) / columns;
  const height = TOP + rows * ROW + BOTTOM;
  const paint = painterOf(measure, cells);
  return svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: '100%',
      role: 'img',
      'aria-label': `heat map of ${measure.name}: ${parameters[x.at] ?? ''} across, ${y === null ? 'nothing' : (parameters[y.at] ?? '')} down`,
    },
    svg('text', { x: 0, y: 14 }, y === null ? '' : shortName(parameters[y.at] ?? '', parameters)),
    ...(y?.steps ?? []).map(({ label }, row) =>
      svg('text', { x: LEFT - 10, y: TOP + row * ROW + ROW / 2 + 4, 'text-anchor': 'end' }, label),
    ),
    ...cells.flatMap((cell, index) => {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      return square(cell, LEFT + column * slot, TOP + row * ROW, slot, measure, paint);
    }),
    ...x.steps.map(({ label }, column) =>
      svg(
        'text',
        { x: LEFT + (column + 0.5) * slot, y: TOP + rows * ROW + 20, 'text-anchor': 'middle' },
        label,
      ),
    ),
    svg(
      'text',
      { x: LEFT + (WIDTH - LEFT) / 2, y: height - 8, 'text-anchor': 'middle' },
      shortName(parameters[x.at] ?? '', parameters),
    ),
  );
}

/** Gains towards one colour and losses towards the other; ranks from the best to the worst. @param {Measure} measure  @param {readonly Cell[]} cells */
function painterOf({ isRank }, cells) {
  const means = cells.filter(({ values }) => values.length > 0).map(({ values }) => mean(values));
  const middle = isRank ? (Math.min(...means) + Math.max(...means)) / 2 : 0;
  const far = Math.max(1e-12, ...means.map((value) => Math.abs(value - middle)));
  return (/** @type {number} */ value) => {
    const part = ((value - middle) / far) * (isRank ? -1 : 1);
    return `color-mix(in srgb, var(--${part >= 0 ? 'gain' : 'loss'}) ${Math.round(Math.abs(part) * 70)}%, var(--card))`;
  };
}

/**
 * @param {Cell} cell  @param {number} x  @param {number} y  @param {number} width  @param {Measure} measure
 * @param {(value: number) => string} paint
 */
function square({ across, down, values }, x, y, width, { name, unit, isRank }, paint) {
  const frame = { x: x + 1, y: y + 1, width: width - 2, height: ROW - 2, rx: 3 };
  if (values.length === 0) return [svg('rect', { ...frame, fill: 'none', stroke: 'var(--line)' })];
  const value = mean(values);
  const text = isRank ? number(value, 1) : signed(value);
  const where = [across, ...(down === null ? [] : [down])].map(({ label }) => label).join(', ');
  const range = `${number(Math.min(...values))} to ${number(Math.max(...values))}`;
  return [
    svg(
      'rect',
      { ...frame, fill: paint(value) },
      svg('title', {}, `${where}: mean ${name} ${text} ${unit}, ${values.length} configurations, ${range}`),
    ),
    svg(
      'text',
      {
        class: 'value',
        x: x + width / 2,
        y: y + ROW / 2 + 4,
        'text-anchor': 'middle',
        'pointer-events': 'none',
      },
      text,
    ),
  ];
}
