import { align, withoutPauses } from './columns.js';
import { el, keyLine, lineMark } from './dom.js';
import { color, scenarioStyle } from './theme.js';
import { timeChart } from './time-chart.js';

/** @typedef {import('../run-report.js').RunReport} RunReport */

const SYNC = 'profit';

/** Profit over time and how far it is below its best, a line per scenario. @param {RunReport} report */
export function equityFigure({ scenarios }) {
  const ends = Math.max(...scenarios.map(({ endedAt }) => endedAt));
  const currency = scenarios[0]?.currency ?? '';
  // One line of times for both, so that they show the same range.
  const { times, values } = align(
    [...scenarios.map(({ equity }) => equity), ...scenarios.map(({ underwater }) => underwater)],
    ends,
    [
      ...scenarios.map(() => /** @type {const} */ ('last')),
      ...scenarios.map(() => /** @type {const} */ ('min')),
    ],
  );
  const lines = scenarios.map(({ scenario }) => ({ label: scenario, ...scenarioStyle(scenario) }));
  const { shown, real } = withoutPauses(times);
  return el(
    'figure',
    {},
    keyLine(
      scenarios.map(({ scenario }) => {
        const { color: name, dash } = scenarioStyle(scenario);
        return { text: scenario, mark: lineMark(`var(--${name})`, dash.join(' ')) };
      }),
    ),
    timeChart({
      name: 'profit',
      unit: `profit (${currency})`,
      height: 300,
      sync: SYNC,
      data: { times: shown, values: values.slice(0, scenarios.length) },
      real,
      lines,
      withZero: true,
      paint: zeroLine,
    }),
    timeChart({
      name: 'drawdown',
      unit: `drawdown (${currency})`,
      height: 190,
      sync: SYNC,
      data: { times: shown, values: values.slice(scenarios.length) },
      real,
      lines,
      withZero: true,
      paint: zeroLine,
    }),
    el(
      'figcaption',
      {},
      'Realised and unrealised profit after fees and rebates, open inventory at the mark; below it how far it is under its best so far. Pauses of more than an hour are cut out.',
    ),
  );
}

/** @param {any} plot */
function zeroLine({ ctx, bbox, valToPos }) {
  const y = Math.round(valToPos(0, 'y', true));
  ctx.save();
  ctx.strokeStyle = color('faint');
  ctx.lineWidth = 1;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
