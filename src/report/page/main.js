/// <reference lib="dom" />
import { dayTable, fillTable, instanceTables } from './books.js';
import { bookFigure } from './book-picture.js';
import { el } from './dom.js';
import { equityFigure } from './equity.js';
import { number, percent, signed } from './format.js';
import { markOutFigures } from './mark-outs.js';
import { headlineSection, masthead } from './summary.js';
import { comparisonTable, factsBox, profitTables, quotingTables, riskTable } from './tables.js';
import { waterfallFigures } from './waterfall.js';

/** @typedef {import('../run-report.js').RunReport} RunReport */

/** @param {string} title  @param {string} lead  @param {...HTMLElement} content */
const section = (title, lead, ...content) =>
  el('section', {}, el('h2', {}, title), el('p', { class: 'lead' }, lead), ...content);

/** @param {RunReport} report  @returns {HTMLElement[]} */
function sections(report) {
  const { scenarios, headline, comparison } = report;
  const chosen = scenarios.find(({ scenario }) => scenario === headline.scenario) ?? scenarios[0];
  if (chosen === undefined) return [];
  const under = scenarios.length > 1 ? ` under the ${chosen.scenario} scenario` : '';
  return [
    section(
      'Profit',
      scenarios.length > 1
        ? 'The same strategy on the same recording under each fill scenario. They bound nothing: a strategy that adapts may earn less when it is filled more.'
        : 'From the first order to the last fill, everything this bot held in this run.',
      equityFigure(report),
      dayTable(chosen, under),
    ),
    section(
      'Where it came from',
      'Spread: earned against the mid at the fill. Inventory: what the mid did to what was held. Resolution: the payout against the last mid. The parts make the profit to 1e-9; a run in which they do not is refused.',
      waterfallFigures(report),
    ),
    section(
      'Quotes and fills over the book',
      'Every market can be chosen; price picture and inventory zoom together.',
      bookFigure(report),
    ),
    section(
      'Mark-outs',
      'What fills were worth later, per share: above zero the market moved our way, below it we were picked off. Bars show 95 %, fills taken as independent.',
      markOutFigures(report),
    ),
    section(`Profit in detail`, `All figures${under}, open inventory at the mark.`, ...profitTables(chosen)),
    section('Quoting, inventory, outcome', `All figures${under}.`, ...quotingTables(chosen)),
    section(
      'Risk, capital, requests',
      'Sharpe and Sortino are per day and not annualised; they need two days.',
      riskTable(scenarios),
    ),
    ...(comparison === null ? [] : [comparisonSection(comparison)]),
    section(
      'Parameters and limits',
      'As the run began, with what the file left to defaults; a column tells what was changed while it went on.',
      instanceTables(chosen),
    ),
    ...(report.fills === null ? [] : [fillSection(report.fills, chosen, under)]),
    section('Assumptions', 'What the figures rest on.', assumptionsBox(chosen.assumptions), factsBox(report)),
  ];
}

/** @param {NonNullable<RunReport['comparison']>} comparison */
function comparisonSection(comparison) {
  const { base, other, interval, meanDifference, currency, notes, text } = comparison;
  const range =
    interval === null
      ? ''
      : `; ${percent(interval.level)} interval ${signed(interval.low)} to ${signed(interval.high)}, by drawing whole days and underlyings`;
  const lead = `${other} against ${base}: mean difference per event ${signed(meanDifference)} ${currency}${range}. Verdict: ${text}.`;
  const told = (notes ?? []).map((note) => el('p', { class: 'lead' }, note));
  return section('Comparison', lead, ...told, comparisonTable(comparison));
}

/** @param {NonNullable<RunReport['fills']>} fills  @param {RunReport['scenarios'][number]} run  @param {string} under */
const fillSection = (fills, run, under) =>
  section(
    'Fills',
    fills.of > fills.rows.length
      ? `The latest ${number(fills.rows.length, 0)} of ${number(fills.of, 0)}${under}. report-fills.csv and report-fills.parquet beside this page have all.`
      : `Every fill${under}; report-fills.csv and report-fills.parquet beside this page have them, too.`,
    fillTable(fills, run),
  );

/** @param {readonly string[]} assumptions */
const assumptionsBox = (assumptions) =>
  el(
    'div',
    { class: 'card assumptions-box' },
    el('ul', { class: 'assumptions' }, ...assumptions.map((text) => el('li', {}, text))),
  );

const report = /** @type {RunReport} */ (JSON.parse(document.getElementById('report')?.textContent ?? ''));
const fills = report.scenarios.reduce((sum, { total }) => sum + total.fills.count, 0);

document
  .getElementById('page')
  ?.replaceChildren(
    masthead(report),
    headlineSection(report),
    ...sections(report),
    el(
      'footer',
      {},
      `Made from the run's own record of ${number(fills, 0)} fills. Nothing on this page is loaded from anywhere; report.json and the CSV files beside it carry the same figures.`,
    ),
  );
