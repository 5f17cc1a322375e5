/// <reference lib="dom" />
import { el } from './dom.js';
import { axisTicks } from './format.js';
import { color, onTheme } from './theme.js';

/**
 * @typedef {{ label: string, color: string, dash?: number[], width?: number, isStepped?: boolean, places?: number, isEdge?: boolean }} Line  an edge bounds a band, is not drawn and may lie outside
 * @typedef {object} TimeChart
 * @property {string} name  what a test or a reader of the source finds it by
 * @property {string} unit  of the vertical axis
 * @property {number} height
 * @property {import('./columns.js').Aligned} data
 * @property {readonly Line[]} lines
 * @property {string} [sync]  charts of one name share cursor and zoom
 * @property {readonly { between: [number, number], color: string }[]} [bands]  lines between which is shaded, upper first
 * @property {number} [places]  decimals of the vertical axis
 * @property {boolean} [withZero]  whether the vertical axis always shows zero
 * @property {(shown: number) => number} [real]  the time that stands at a place of the axis, where pauses are cut out
 * @property {(plot: any) => void} [paint]  draws above the lines
 * @property {(plot: any) => void} [hover]  the cursor moved
 */

/** The library stands before this script in the page. */
const Plot = /** @type {any} */ (window)['uPlot'];

/** @type {Map<string, Set<any>>} */
const groups = new Map();

/**
 * A chart over time that is zoomed by dragging, by the wheel and by the keys + - 0, and moved by the arrow keys.
 * @param {TimeChart} chart
 * @returns {HTMLElement}
 */
export function timeChart(chart) {
  const box = el('div', {
    class: 'chart',
    tabindex: 0,
    role: 'img',
    'data-chart': chart.name,
    'aria-label': `${chart.name}: drag, turn the wheel or press + and - to zoom, 0 to see everything`,
  });
  /** @type {any} */
  let plot = null;
  const draw = () => {
    const range = plot === null ? null : { min: plot.scales.x.min, max: plot.scales.x.max };
    if (plot !== null) forget(chart, plot);
    plot?.destroy();
    plot = open(chart, box);
    remember(chart, plot);
    if (range !== null) plot.setScale('x', range);
  };
  new ResizeObserver(() => {
    if (plot === null) draw();
    else if (plot.width !== box.clientWidth) plot.setSize({ width: box.clientWidth, height: chart.height });
  }).observe(box);
  onTheme(box, draw);
  box.addEventListener('keydown', (event) => zoomByKey(event, plot));
  return box;
}

/** @param {TimeChart} chart  @param {any} plot */
function remember({ sync }, plot) {
  if (sync === undefined) return;
  const group = groups.get(sync) ?? new Set();
  for (const other of group) if (!other.root.isConnected) group.delete(other);
  group.add(plot);
  groups.set(sync, group);
}

/** @param {TimeChart} chart  @param {any} plot */
const forget = ({ sync }, plot) => groups.get(sync ?? '')?.delete(plot);

/** @param {TimeChart} chart  @param {HTMLElement} box */
function open(chart, box) {
  const { data, lines, height, sync, bands = [] } = chart;
  const options = {
    width: box.clientWidth,
    height,
    tzDate: (/** @type {number} */ seconds) => Plot.tzDate(new Date(seconds * 1e3), 'Etc/UTC'),
    legend: { show: false },
    cursor: {
      drag: { x: true, y: false, uni: 12 },
      points: { size: 6 },
      ...(sync !== undefined && { sync: { key: sync, setSeries: false } }),
    },
    scales: { x: { time: true }, y: { range: rangeOf(chart) } },
    axes: [timeAxis(chart), valueAxis(chart)],
    series: [{}, ...lines.map((line) => seriesOf(line))],
    bands: bands.map(({ between: [upper, lower], color: name }) => ({
      series: [upper + 1, lower + 1],
      fill: color(name),
    })),
    hooks: {
      draw: [(/** @type {any} */ plot) => chart.paint?.(plot)],
      setCursor: [(/** @type {any} */ plot) => chart.hover?.(plot)],
      setScale: [
        (/** @type {any} */ plot, /** @type {string} */ key) => key === 'x' && scaled(chart, box, plot),
      ],
      ready: [(/** @type {any} */ plot) => zoomByWheel(plot)],
    },
  };
  return new Plot(options, [data.times, ...data.values], box);
}

/** Says on the element what is shown, and takes the rest of the group along.
 * @param {TimeChart} chart  @param {HTMLElement} box  @param {any} plot */
function scaled({ sync }, box, plot) {
  const { min, max } = plot.scales.x;
  box.dataset['from'] = String(min);
  box.dataset['to'] = String(max);
  for (const other of groups.get(sync ?? '') ?? [])
    if (other !== plot && (other.scales.x.min !== min || other.scales.x.max !== max))
      other.setScale('x', { min, max });
}

/** @param {Line} line */
const seriesOf = ({ label, color: name, dash = [], width = 2, isStepped = true, isEdge = false }) => ({
  label,
  stroke: isEdge ? 'transparent' : color(name),
  auto: !isEdge,
  width,
  dash,
  spanGaps: false,
  points: { show: false },
  ...(isStepped && { paths: Plot.paths.stepped({ align: 1 }) }),
});

/** @param {TimeChart} chart */
const rangeOf =
  ({ withZero = false }) =>
  (/** @type {any} */ _plot, /** @type {number} */ low, /** @type {number} */ high) => {
    if (low === null || high === null) return [0, 1];
    const [bottom, top] = withZero ? [Math.min(0, low), Math.max(0, high)] : [low, high];
    const room = (top - bottom || Math.abs(top) || 1) * 0.08;
    return [bottom - room, top + room];
  };

const FONT = '12px "Inter", "Helvetica Neue", "Segoe UI", "Liberation Sans", Arial, sans-serif';
const LABEL_FONT = FONT.replace('12px', '600 12px');

/** Pixels that the time axis takes away from the picture, and its label. */
const TIME_SIZE = 42;
const LABEL_SIZE = 22;

const axisLook = () => ({
  stroke: color('muted'),
  font: FONT,
  labelFont: LABEL_FONT,
  grid: { stroke: color('grid'), width: 1 },
  ticks: { stroke: color('line'), width: 1, size: 5 },
});

/** Time of day on 24 hours, seconds only where they differ; the date below the first. */
const timeAxis = ({ real = (/** @type {number} */ shown) => shown }) => ({
  ...axisLook(),
  label: 'time (UTC)',
  labelSize: LABEL_SIZE,
  size: TIME_SIZE,
  space: 90,
  values: (/** @type {any} */ _plot, /** @type {number[]} */ splits) => {
    const step = (splits[1] ?? 0) - (splits[0] ?? 0);
    const length = step >= 60 ? 16 : step >= 1 ? 19 : 21;
    const texts = splits.map((seconds) => new Date(Math.round(real(seconds) * 1e3)).toISOString());
    return texts.map((text, index) => {
      const isNewDay = text.slice(0, 10) !== texts[index - 1]?.slice(0, 10);
      const time = step >= 86_400 ? '' : text.slice(11, length);
      return isNewDay ? `${time}\n${text.slice(0, 10)}` : time;
    });
  },
});

/** @param {TimeChart} chart */
const valueAxis = ({ unit, places, height }) => ({
  ...axisLook(),
  label: unit,
  labelSize: LABEL_SIZE,
  size: 54,
  splits: (
    /** @type {any} */ _plot,
    /** @type {number} */ _axis,
    /** @type {number} */ low,
    /** @type {number} */ high,
  ) => axisTicks(low, high, height - TIME_SIZE - LABEL_SIZE),
  values: (/** @type {any} */ _plot, /** @type {number[]} */ splits) =>
    splits.map((value) =>
      value
        .toLocaleString('en-US', { minimumFractionDigits: places ?? 0, maximumFractionDigits: 4 })
        .replace('-', '−'),
    ),
});

/** @param {any} plot  @param {number} factor  below 1 shows less  @param {number} centre  seconds */
function zoom(plot, factor, centre) {
  const { min, max } = plot.scales.x;
  const times = plot.data[0];
  const [first, last] = [times[0], times[times.length - 1]];
  const from = Math.max(first, centre - (centre - min) * factor);
  const to = Math.min(last, centre + (max - centre) * factor);
  if (to - from > 0.05) plot.setScale('x', { min: from, max: to });
}

/** @param {any} plot  @param {number} part  of what is shown; negative goes back */
function move(plot, part) {
  const { min, max } = plot.scales.x;
  const times = plot.data[0];
  const wanted = (max - min) * part;
  const by = Math.max(times[0] - min, Math.min(times[times.length - 1] - max, wanted));
  plot.setScale('x', { min: min + by, max: max + by });
}

/** @param {any} plot */
function zoomByWheel(plot) {
  plot.over.addEventListener(
    'wheel',
    (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      const centre = plot.posToVal(plot.cursor.left, 'x');
      zoom(plot, event.deltaY < 0 ? 0.8 : 1.25, centre);
    },
    { passive: false },
  );
}

/** @param {KeyboardEvent} event  @param {any} plot */
function zoomByKey(event, plot) {
  const { min, max } = plot.scales.x;
  const times = plot.data[0];
  const middle = (min + max) / 2;
  /** @type {Record<string, () => void>} */
  const actions = {
    '+': () => zoom(plot, 0.7, middle),
    '=': () => zoom(plot, 0.7, middle),
    '-': () => zoom(plot, 1 / 0.7, middle),
    0: () => plot.setScale('x', { min: times[0], max: times[times.length - 1] }),
    ArrowLeft: () => move(plot, -0.2),
    ArrowRight: () => move(plot, 0.2),
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
