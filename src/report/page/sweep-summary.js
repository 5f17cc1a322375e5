import { el } from './dom.js';
import { number, percent, places, signed } from './format.js';
import { shortName, valueText } from './sweep-parameters.js';
import { sum } from './sweep-profits.js';
import { table } from './table.js';
import { themeButton } from './theme.js';

/** @typedef {import('../sweep-report.js').SweepReport} SweepReport */

/** Rows that a person may scroll through; the files beside have all. */
const SHOWN = 100;

/** @param {number} n  @param {string} noun */
export const count = (n, noun) => `${number(n, 0)} ${noun}${n === 1 ? '' : 's'}`;

/** @param {SweepReport} report */
export function masthead({ title, tried, pieces, folds, splits, method, objective, headline: scenario }) {
  const events = new Set(pieces.map(({ event }) => event)).size;
  return el(
    'header',
    { class: 'masthead' },
    el(
      'div',
      {},
      el('p', { class: 'eyebrow' }, 'Oddsmith · sweep'),
      el('h1', {}, title),
      el(
        'p',
        { class: 'span' },
        `${count(tried, 'configuration')} tried (${method}) · ${count(pieces.length, 'piece')} of ${count(events, 'event')} · ${count(folds.length, 'test')} (${splits})`,
      ),
      el('p', { class: 'span' }, `Ranked by ${objective.text}, ${scenario} scenario`),
    ),
    themeButton(),
  );
}

/** A score in its unit. @param {SweepReport['objective']} objective  @param {number} value */
export const scoreText = ({ unit }, value) => (unit === '' ? number(value, 3) : `${signed(value)} ${unit}`);

/**
 * What of the best is luck.
 * @param {Pick<SweepReport, 'best' | 'objective'>} report  @param {string} name  @param {string} tried  how many, and how
 */
export function bestSentence({ best, objective }, name, tried) {
  if (best === null) return 'Every configuration failed: none is the best.';
  const text = (/** @type {number} */ value) => scoreText(objective, value);
  return `${name} by ${objective.text}: ${text(best.score)}. Deflated for ${tried}: ${text(best.deflated)}. Without any edge the best of as many comes to ${text(best.expectedMaximum)}, and reaches the best in ${percent(best.chance)} of cases: ${best.verdict}.`;
}

/** The figure to believe, and what it is compared with. @param {SweepReport} report */
export function headline(report) {
  const { outOfSample, currency, tried, remarks, headline: scenario } = report;
  const { profit, base, baseStoppedBy, judgement } = outOfSample;
  const way = profit === null || profit === 0 ? '' : profit > 0 ? 'gain' : 'loss';
  const amount = (/** @type {number | null} */ value) =>
    value === null ? 'none' : `${signed(value)} ${currency}`;
  return el(
    'section',
    { class: 'headline' },
    el(
      'div',
      {},
      el('p', { class: `figure ${way}` }, signed(profit), el('span', { class: 'unit' }, currency)),
      ...remarks.map((remark) => el('p', { class: 'what', 'data-figure': 'remark' }, `${remark}.`)),
      el(
        'p',
        { class: 'what' },
        `What the configurations that training chose came to in tests that had no part in the choice, under the ${scenario} scenario, after fees.`,
      ),
      el(
        'p',
        { class: 'what', 'data-figure': 'best' },
        bestSentence(report, 'Best on everything', `${count(tried, 'configuration')} tried`),
      ),
    ),
    table(
      'Out of sample',
      [
        { name: '', of: ({ name }) => name },
        { name: '', of: ({ value }) => value },
      ],
      [
        { name: 'chosen by training', value: amount(profit) },
        { name: 'the file as it is', value: amount(base) },
        ...(baseStoppedBy.length === 0
          ? []
          : [{ name: 'which was stopped by', value: stopsText(baseStoppedBy) }]),
        { name: 'difference per event', value: `${signed(judgement.meanDifference)} ${currency}` },
        { name: 'interval', value: intervalText(judgement.interval) },
        { name: 'independent events', value: number(judgement.independentEvents, 0) },
        { name: 'configurations tried', value: number(tried, 0) },
        { name: 'verdict', value: judgement.verdict },
      ],
    ),
  );
}

/** Rules of guards, with the pieces on which they did. @param {readonly import('../sweep-report.js').SweptStop[]} stops */
const stopsText = (stops) =>
  stops.length === 0 ? '–' : stops.map(({ rule, pieces }) => `${rule} (${pieces})`).join(', ');

/** @param {SweepReport['outOfSample']['judgement']['interval']} interval */
const intervalText = (interval) =>
  interval === null
    ? '–'
    : `${signed(interval.low)} to ${signed(interval.high)} (${percent(interval.level)})`;

/** By training, with what became of it in the tests. @param {SweepReport} report */
export function rankingTable(report) {
  const { ranking, candidates, folds, currency, parameters } = report;
  const tested = [...new Set(folds.flatMap(({ test }) => test))];
  const rows = ranking
    .slice(0, SHOWN)
    .map((rank, place) => ({ ...rank, place, own: candidates[rank.candidate] }));
  const fillsOf = (/** @type {any} */ { own }) => sum(tested.map((place) => own.fills[place][0]));
  return table(
    `Ranking, by training${ranking.length > SHOWN ? `: the first ${SHOWN} of ${ranking.length}` : ''}`,
    [
      { name: '#', of: ({ place }) => place + 1, as: places(0) },
      ...parameters.map((path, at) => ({
        name: shortName(path, parameters),
        of: (/** @type {any} */ { own }) => own.values[at],
        as: valueText,
      })),
      { name: 'in the tests', unit: currency, of: ({ testProfit }) => testProfit, as: signed },
      {
        name: 'score',
        unit: report.objective.unit,
        of: ({ score }) => score,
        as: report.objective.unit === '' ? places(3) : signed,
      },
      { name: 'rank', unit: 'mean, tests', of: ({ meanTestRank }) => meanTestRank, as: places(1) },
      { name: 'rank', unit: 'mean, training', of: ({ meanTrainRank }) => meanTrainRank, as: places(1) },
      { name: 'chosen', unit: `of ${folds.length}`, of: ({ timesChosen }) => timesChosen, as: places(0) },
      { name: 'fills', unit: `tests, ${report.scenarios[0] ?? ''}`, of: fillsOf, as: places(0) },
      { name: 'on everything', unit: currency, of: ({ allProfit }) => allProfit, as: signed },
      { name: 'stopped by', unit: 'pieces', of: ({ stoppedBy }) => stopsText(stoppedBy) },
    ],
    rows,
  );
}

/** What made backtests failures, in full. @param {SweepReport} report */
export const faultTable = ({ faults }) =>
  table(
    'Faults',
    [
      { name: 'fault', of: ({ text }) => text },
      { name: 'backtests', of: ({ backtests }) => backtests, as: places(0) },
    ],
    faults,
  );

/** Chosen against the file as it is, event by event. @param {SweepReport} report */
export const eventTable = ({ outOfSample, currency }) =>
  table(
    'Paired by event',
    [
      { name: 'event', of: ({ event }) => event },
      { name: 'day and underlying', of: ({ cluster }) => cluster },
      { name: 'file as it is', unit: currency, of: ({ base }) => base, as: signed },
      { name: 'chosen', unit: currency, of: ({ chosen }) => chosen, as: signed },
      { name: 'difference', unit: currency, of: ({ base, chosen }) => chosen - base, as: signed },
    ],
    outOfSample.events,
  );

/** @param {SweepReport} report */
export function factsBox({ id, method, seed, splits, parameters, scenarios, objective, headline: scenario }) {
  const facts = [
    ['sweep', id],
    ['method', method],
    ['seed', String(seed)],
    ['splits', splits],
    ['ranked by', `${objective.text}, ${scenario} scenario`],
    ['parameters', parameters.join(', ')],
    ['scenarios', scenarios.join(', ')],
  ];
  const entries = facts.flatMap(([name = '', value = '']) => [el('dt', {}, name), el('dd', {}, value)]);
  return el('div', { class: 'card' }, el('dl', { class: 'facts' }, ...entries));
}
