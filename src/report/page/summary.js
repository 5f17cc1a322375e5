import { el } from './dom.js';
import { dateTime, duration, number, percent, places, signed } from './format.js';
import { table } from './table.js';
import { themeButton } from './theme.js';

/** @typedef {import('../run-report.js').RunReport} RunReport */

const KINDS = { live: 'live run', paper: 'PAPER run', backtest: 'backtest' };

/** The title, what the run was, and the button for the colours. @param {RunReport} report */
export function masthead({ title, mode, scenarios }) {
  const [run] = scenarios;
  const span =
    run === undefined
      ? ''
      : `${dateTime(run.startedAt)} to ${dateTime(run.endedAt)} UTC · ${duration((run.endedAt - run.startedAt) / 1e6)} · ${count(run.markets.length, 'market')} in ${count(run.events.length, 'event')}`;
  return el(
    'header',
    { class: 'masthead' },
    el(
      'div',
      {},
      el('p', { class: 'eyebrow' }, `Oddsmith · ${KINDS[mode]}`),
      el('h1', {}, title),
      el('p', { class: 'span' }, span),
    ),
    themeButton(),
  );
}

/** @param {number} n  @param {string} noun */
const count = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** The one number, and under which scenario it is. @param {RunReport} report */
export function headlineSection({ headline, remarks, scenarios }) {
  const currency = scenarios[0]?.currency ?? '';
  const way = headline.profit > 0 ? 'gain' : headline.profit < 0 ? 'loss' : '';
  const what =
    headline.scenarios > 1
      ? `Profit under the ${headline.scenario} scenario, one of ${headline.scenarios}, after fees; what is still held counts what the book at the end would pay for it.`
      : 'Profit after fees; what is still held counts what the book at the end would pay for it.';
  return el(
    'section',
    { class: 'headline' },
    el(
      'div',
      {},
      el('p', { class: `figure ${way}` }, signed(headline.profit), el('span', { class: 'unit' }, currency)),
      el('p', { class: 'what' }, what),
    ),
    scenarioTable({ headline, scenarios }),
    ...(remarks.length === 0 ? [] : [remarksBox(remarks)]),
  );
}

/** @param {readonly string[]} remarks */
const remarksBox = (remarks) =>
  el('div', { class: 'remarks' }, ...remarks.map((text) => el('p', { class: 'remark' }, text)));

/** @param {Pick<RunReport, 'headline' | 'scenarios'>} report */
function scenarioTable({ headline, scenarios }) {
  const currency = scenarios[0]?.currency ?? '';
  return table(
    scenarios.length > 1 ? 'By scenario' : 'The run',
    [
      { name: '', of: ({ scenario }) => scenario },
      {
        name: 'profit',
        unit: `executable, ${currency}`,
        of: ({ total }) => total.profit.executable,
        as: signed,
      },
      { name: 'at the mark', unit: currency, of: ({ total }) => total.profit.total, as: signed },
      { name: 'fills', of: ({ total }) => total.fills.count, as: places(0) },
      { name: 'shares', of: ({ total }) => total.fills.shares, as: number },
      { name: 'fill ratio', of: ({ total }) => total.fills.ratio, as: percent },
      {
        name: 'both sides',
        unit: 'of the time',
        of: ({ total }) => total.quoting.bothSides ?? null,
        as: percent,
      },
      { name: 'drawdown', unit: currency, of: ({ total }) => total.drawdown.worst, as: number },
    ],
    scenarios,
    ({ scenario }) => scenarios.length > 1 && scenario === headline.scenario,
  );
}
