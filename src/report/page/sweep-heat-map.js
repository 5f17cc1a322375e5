import { el, svg } from './dom.js';
import { number, signed } from './format.js';
import { shortName, stepsOf } from './sweep-parameters.js';
import { mean } from './sweep-profits.js';

/**
 * @typedef {import('./sweep-parameters.js').Step} Step
 * @typedef {string | number | boolean | null} Value
 * @typedef {{ candidate: number }} Row
 * @typedef {object} Surface  configurations by their parameters
 * @property {readonly string[]} parameters
 * @property {readonly { readonly values: readonly Value[] }[]} candidates  by place
 * @property {readonly any[]} rows  what is shown of them, each a {@link Row}
 * @property {{ readonly candidate: number } | null} best
 * @typedef {{ name: string, unit: string, isRank?: boolean, of: (row: any) => number | null }} Measure
 * @typedef {{ across: Step, down: Step | null, rows: readonly Row[], values: readonly number[], hasBest: boolean }} Cell
 * @typedef {{ steps: readonly Step[], at: number }} Axis
 */

const WIDTH = 900;
const LEFT = 150;
const TOP = 26;
const ROW = 44;
const BOTTOM = 54;

/**
 * Any two parameters, the others averaged out.
 * @param {Surface} surface  @param {readonly Measure[]} measures
 * @param {(name: string, rows: readonly any[]) => HTMLElement[]} detailsOf  what is behind a cell
 */
export function heatMapFigure(surface, measures, detailsOf) {
  const names = surface.parameters;
  const across = choice('Across', names, 0, () => show());
  const down = choice('Down', [...names, 'nothing'], 1, () => show());
  const shown = choice(
    'Shows',
    measures.map(({ name }) => name),
    0,
    () => show(),
  );
  const stage = el('div', { 'data-chart': 'heat map' });
  const details = el('div', { 'data-figure': 'cell' });
  const open = (/** @type {Cell} */ cell) => details.replaceChildren(...detailsOf(nameOf(cell), cell.rows));
  const show = () => {
    const measure = measures[shown.chosen()];
    if (measure === undefined) return;
    stage.replaceChildren(...picture(surface, measure, across.chosen(), down.chosen(), open));
    details.replaceChildren();
  };
  show();
  return el(
    'div',
    {},
    el('figure', {}, el('div', { class: 'controls' }, across.element, down.element, shown.element), stage),
    details,
  );
}

/** @param {string} label  @param {readonly string[]} names  @param {number} first  @param {() => void} changed */
function choice(label, names, first, changed) {
  const options = names.map((name, index) => el('option', { value: index, selected: index === first }, name));
  const select = /** @type {HTMLSelectElement} */ (el('select', { change: changed }, ...options));
  return { element: el('label', {}, label, select), chosen: () => Number(select.value) };
}

/** @param {Surface} surface  @param {number} at  @returns {Axis} */
const axisOf = ({ candidates }, at) => ({
  at,
  steps: stepsOf(candidates.map(({ values }) => values[at] ?? null)),
});

/**
 * @param {Surface} surface  @param {Measure} measure  @param {number} across  @param {number} down
 * @param {(cell: Cell) => void} open
 */
function picture(surface, measure, across, down, open) {
  const { parameters } = surface;
  const isFlat = down === across || down >= parameters.length;
  const [x, y] = [axisOf(surface, across), isFlat ? null : axisOf(surface, down)];
  const cells = cellsOf(surface, measure, x, y);
  const others = parameters
    .filter((_, at) => at !== across && (isFlat || at !== down))
    .map((path) => shortName(path, parameters));
  return [
    el('div', { class: 'wide' }, map(parameters, measure, x, y, cells, open)),
    el('figcaption', {}, captionOf(cells, others, measure)),
  ];
}

/** @param {Surface} surface  @param {Measure} measure  @param {Axis} x  @param {Axis | null} y  @returns {readonly Cell[]} by row */
function cellsOf({ rows, candidates, best }, measure, x, y) {
  const valueAt = (/** @type {Row} */ { candidate }, /** @type {number} */ at) =>
    candidates[candidate]?.values[at] ?? null;
  return (y?.steps ?? [null]).flatMap((down) =>
    x.steps.map((across) => {
      const own = rows.filter(
        (row) => across.holds(valueAt(row, x.at)) && (y === null || down?.holds(valueAt(row, y.at)) === true),
      );
      return {
        across,
        down,
        rows: own,
        values: own.map(measure.of).filter((value) => value !== null),
        hasBest: own.some(({ candidate }) => candidate === best?.candidate),
      };
    }),
  );
}

/** @param {Cell} cell  @returns {string} where it is */
const nameOf = ({ across, down }) =>
  [across, ...(down === null ? [] : [down])].map(({ label }) => label).join(', ');

/** @param {readonly Cell[]} cells  @param {readonly string[]} others  @param {Measure} measure */
function captionOf(cells, others, { name, isRank = false }) {
  const counts = cells.map(({ values }) => values.length).filter((count) => count > 0);
  if (counts.length === 0) return `No configuration has a ${name}.`;
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const of = least === most ? String(least) : `${least} to ${most}`;
  const marginal =
    others.length === 0 ? 'no other parameter was varied' : `whatever their ${others.join(', ')}`;
  const best = isRank ? ' (1 is the best)' : '';
  return `Each cell is the mean ${name}${best} over its configurations, ${of} a cell, ${marginal}. Empty: none has one. The thick frame holds the best configuration. Press a cell to see what is behind it.`;
}

/**
 * @param {readonly string[]} parameters  @param {Measure} measure  @param {Axis} x  @param {Axis | null} y
 * @param {readonly Cell[]} cells  @param {(cell: Cell) => void} open
 */
function map(parameters, measure, x, y, cells, open) {
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
      return square(cell, LEFT + column * slot, TOP + row * ROW, slot, measure, paint, open);
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
function painterOf({ isRank = false }, cells) {
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
 * @param {(value: number) => string} paint  @param {(cell: Cell) => void} open
 */
function square(cell, x, y, width, { name, unit, isRank = false }, paint, open) {
  const { values, hasBest } = cell;
  const frame = { x: x + 1, y: y + 1, width: width - 2, height: ROW - 2, rx: 3 };
  if (values.length === 0) return [svg('rect', { ...frame, fill: 'none', stroke: 'var(--line)' })];
  const value = mean(values);
  const text = isRank ? number(value, 1) : unit === '' ? number(value, 3) : signed(value);
  const range = `${number(Math.min(...values))} to ${number(Math.max(...values))}`;
  const title = `${nameOf(cell)}: mean ${name} ${text} ${unit}, ${values.length} configurations, ${range}`;
  const inner = { x: x + 3, y: y + 3, width: width - 6, height: ROW - 6 };
  return [
    svg(
      'rect',
      {
        ...(hasBest
          ? { ...inner, rx: 2, stroke: 'var(--ink)', 'stroke-width': 3 }
          : { ...frame, stroke: 'var(--line)' }),
        class: 'cell',
        fill: paint(value),
        tabindex: 0,
        role: 'button',
        'aria-label': title,
        click: () => open(cell),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          open(cell);
        },
      },
      svg('title', {}, title),
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
