/// <reference lib="dom" />
import { el } from './dom.js';
import { number, places, signed } from './format.js';
import { table } from './table.js';
import { themeButton } from './theme.js';

/**
 * @typedef {import('../each-report.js').EachReport} EachReport
 * @typedef {import('../each-report.js').EachSums} EachSums
 * @typedef {import('../each-report.js').EachTotal} EachTotal
 * @typedef {import('./table.js').Column} Column
 */

const report = /** @type {EachReport} */ (JSON.parse(document.getElementById('report')?.textContent ?? ''));
const { currency, scenarios, headline, totals, recordings } = report;
const chosen = scenarios.indexOf(headline);
const [only] = totals;

/** @param {number} n  @param {string} noun */
const count = (n, noun) => `${number(n, 0)} ${noun}${n === 1 ? '' : 's'}`;

/** @param {string} title  @param {string} lead  @param {...HTMLElement} content */
const section = (title, lead, ...content) =>
  el('section', {}, el('h2', {}, title), el('p', { class: 'lead' }, lead), ...content);

const masthead = () =>
  el(
    'header',
    { class: 'masthead' },
    el(
      'div',
      {},
      el('p', { class: 'eyebrow' }, 'Oddsmith · backtest of each recording'),
      el('h1', {}, report.title),
      el(
        'p',
        { class: 'span' },
        `${count(recordings.length, 'backtest')} · ${count(new Set(recordings.map(({ recording }) => recording)).size, 'recording')} · ${count(totals.length, 'instance')}, each alone on each`,
      ),
    ),
    themeButton(),
  );

/** @param {EachTotal} total  @param {number} place of a scenario */
const meanText = ({ means, errors }, place) => {
  return `${signed(means[place] ?? null)} ± ${number(errors[place] ?? null)}`;
};

/** One figure where there is one instance; several are no one portfolio. */
function headlineSection() {
  const profit = only?.profits[chosen] ?? 0;
  const way = profit > 0 ? 'gain' : profit < 0 ? 'loss' : '';
  const isOne = totals.length === 1 && only !== undefined;
  const figure = el('p', { class: `figure ${way}` }, signed(profit), el('span', { class: 'unit' }, currency));
  const mean = isOne ? ` Mean ${meanText(only, chosen)}.` : '';
  const what = `Profit under the ${headline} scenario${isOne ? '' : ', of each instance'}, after fees, all recordings together; what is still held counts what the book at the end would pay for it.${mean}`;
  return el(
    'section',
    { class: 'headline' },
    el('div', {}, ...(isOne ? [figure] : []), el('p', { class: 'what' }, what)),
    totalTable(),
    ...(stopped.length === 0 ? [] : [stoppedBox()]),
  );
}

const stopped = recordings.filter(({ stoppedBy }) => stoppedBy.length > 0);

const stoppedBox = () =>
  el(
    'div',
    { class: 'remarks' },
    el(
      'p',
      { class: 'remark' },
      `Guards stepped in, or a strategy failed, in ${number(stopped.length, 0)} of ${count(recordings.length, 'backtest')} (${[...new Set(stopped.flatMap(({ stoppedBy }) => stoppedBy))].join(', ')}): their profit is not what the strategy would have come to.`,
    ),
  );

/** A row for each scenario of each instance. */
function totalTable() {
  const rows = totals.flatMap((total) => scenarios.map((scenario, place) => ({ total, scenario, place })));
  return table(
    'All recordings',
    [
      ...(totals.length === 1
        ? []
        : [{ name: 'instance', of: (/** @type {any} */ { total }) => total.instance }]),
      { name: 'scenario', of: ({ scenario }) => scenario },
      { name: 'sum', unit: currency, of: ({ total, place }) => total.profits[place], as: signed },
      { name: 'mean', unit: 'a recording', of: ({ total, place }) => total.means[place], as: signed },
      { name: '± error', unit: 'of the mean', of: ({ total, place }) => total.errors[place], as: number },
      { name: 'fills', of: ({ total, place }) => total.fills[place], as: places(0) },
      { name: 'recordings', of: ({ total }) => total.recordings, as: places(0) },
      { name: 'independent', of: ({ total }) => total.independent, as: places(0) },
    ],
    rows,
    ({ scenario }) => scenario === headline,
  );
}

/** @returns {readonly Column[]} */
const sumColumns = () => [
  ...scenarios.map((scenario, place) => ({
    name: scenario,
    unit: `profit, ${currency}`,
    of: (/** @type {EachSums} */ { profits }) => profits[place] ?? null,
    as: signed,
  })),
  { name: 'fills', of: ({ fills }) => fills[chosen], as: places(0) },
  { name: 'volume', unit: 'shares', of: ({ shares }) => shares, as: number },
  { name: 'volume', unit: currency, of: ({ amount }) => amount, as: number },
  { name: 'fees', unit: currency, of: ({ fees }) => fees, as: number },
  { name: 'drawdown', unit: `worst, ${currency}`, of: ({ drawdown }) => drawdown, as: number },
];

/** @type {readonly Column[]} */
const instanceColumn = totals.length === 1 ? [] : [{ name: 'instance', of: ({ instance }) => instance }];

const recordingTable = () =>
  table(
    'By recording',
    [
      { name: 'recording', of: ({ recording }) => recording, link: ({ page }) => page },
      ...instanceColumn,
      { name: 'underlying', of: ({ underlying }) => underlying },
      { name: 'first day', unit: 'UTC', of: ({ day }) => day },
      ...sumColumns(),
      { name: 'stopped by', of: ({ stoppedBy }) => stoppedBy.join(', ') || null },
    ],
    recordings,
  );

/** @param {string} caption  @param {string} name  @param {readonly object[]} rows */
const groupTable = (caption, name, rows) =>
  table(
    caption,
    [
      { name, of: (row) => row.name },
      ...instanceColumn,
      { name: 'recordings', of: (row) => row.recordings, as: places(0) },
      ...sumColumns(),
    ],
    rows,
  );

const remarkSection = () =>
  section(
    'Remarks',
    'What the table of each run alone has below it.',
    table(
      'Remarks',
      [
        { name: 'recording', of: ({ recording }) => recording },
        ...instanceColumn,
        { name: 'remark', of: ({ text }) => text },
      ],
      report.remarks,
    ),
  );

document
  .getElementById('page')
  ?.replaceChildren(
    masthead(),
    headlineSection(),
    section(
      'Recordings',
      `Fills, volume, fees and drawdown are those under the ${headline} scenario.${recordings.some(({ page }) => page !== null) ? ' The name of a recording leads to the page of its run.' : ' With --out each run has a page of its own, and the name of its recording leads there.'}`,
      recordingTable(),
    ),
    section(
      'Markets, underlyings, days',
      'Sums over all recordings; the drawdown is the worst of any one. Profits of days are at the mark, all others at what the book at the end would pay.',
      groupTable('By underlying', 'underlying', report.underlyings),
      groupTable('By day', 'day', report.days),
      groupTable('By market', 'market', report.markets),
    ),
    ...(report.remarks.length === 0 ? [] : [remarkSection()]),
    section(
      'What the errors rest on',
      'The error of a mean counts days and underlyings, not recordings: those that begin on the same day (UTC) and share the underlying are one piece of evidence. Fewer than 30 independent ones show little, and with one there is no error.',
    ),
    el(
      'footer',
      {},
      'Nothing on this page is loaded from anywhere; report.json and report-rows.csv beside it carry the same figures.',
    ),
  );
