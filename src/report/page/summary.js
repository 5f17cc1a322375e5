import { el } from './dom.js';
import { dateTime, duration, number, percent, signed } from './format.js';
import { themeButton } from './theme.js';

/** @typedef {import('../run-report.js').RunReport} RunReport */

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
      el('p', { class: 'eyebrow' }, mode === 'live' ? 'Oddsmith · live run' : 'Oddsmith · backtest'),
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
  const head = [
    ['', ''],
    ['profit', `executable, ${currency}`],
    ['at the mark', currency],
    ['fills', ''],
    ['shares', ''],
    ['fill ratio', ''],
    ['both sides', 'quoted of the time'],
    ['drawdown', currency],
  ];
  return el(
    'div',
    { class: 'tablebox' },
    el(
      'table',
      {},
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          ...head.map(([name = '', unit = '']) => el('th', { scope: 'col' }, name, el('small', {}, unit))),
        ),
      ),
      el(
        'tbody',
        {},
        ...scenarios.map(({ scenario, total }) =>
          el(
            'tr',
            { class: scenarios.length > 1 && scenario === headline.scenario ? 'chosen' : '' },
            el('th', { scope: 'row' }, scenario),
            ...[
              signed(total.profit.executable),
              signed(total.profit.total),
              number(total.fills.count, 0),
              number(total.fills.shares),
              percent(total.fills.ratio),
              percent(total.quoting.bothSides ?? null),
              number(total.drawdown.worst),
            ].map((text) => el('td', {}, text)),
          ),
        ),
      ),
    ),
  );
}
