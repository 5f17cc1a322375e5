import { align, withoutPauses } from './columns.js';
import { el, keyLine, lineMark } from './dom.js';
import { color, scenarioStyle } from './theme.js';
import { timeChart } from './time-chart.js';

/** @typedef {import('../run-report.js').RunReport} RunReport */

/** Profit over time, a line per scenario. @param {RunReport} report */
export function equityFigure({ scenarios }) {
  const ends = Math.max(...scenarios.map(({ endedAt }) => endedAt));
  const currency = scenarios[0]?.currency ?? '';
  const { times, values } = align(
    scenarios.map(({ equity }) => equity),
    ends,
  );
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
      data: { times: shown, values },
      real,
      lines: scenarios.map(({ scenario }) => ({ label: scenario, ...scenarioStyle(scenario) })),
      withZero: true,
      paint: zeroLine,
    }),
    el(
      'figcaption',
      {},
      'Realised and unrealised profit after fees and rebates, open inventory at the mark. Pauses of more than an hour are cut out.',
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
