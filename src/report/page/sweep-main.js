/// <reference lib="dom" />
import { el } from './dom.js';
import { cellContent } from './sweep-cell.js';
import { heatMapFigure } from './sweep-heat-map.js';
import { neighbourContent } from './sweep-neighbours.js';
import { stabilityContent } from './sweep-stability.js';
import { eventTable, factsBox, faultTable, headline, masthead, rankingTable } from './sweep-summary.js';

/** @typedef {import('../sweep-report.js').SweepReport} SweepReport */

/** @param {string} title  @param {string} lead  @param {...HTMLElement} content */
const section = (title, lead, ...content) =>
  el('section', {}, el('h2', {}, title), el('p', { class: 'lead' }, lead), ...content);

const report = /** @type {SweepReport} */ (JSON.parse(document.getElementById('report')?.textContent ?? ''));
const splits =
  report.splits === 'walk-forward'
    ? 'every piece is tested with what was over when it began'
    : 'every event is tested with all others';

const { ranking, objective, currency, candidates } = report;
const score = { name: 'score', unit: objective.unit, of: (/** @type {any} */ row) => row.score };
const test = { name: 'profit in the tests', unit: currency, of: (/** @type {any} */ row) => row.testProfit };
/** None where training ranked nothing. */
const trainRanks = ranking.some(({ meanTrainRank }) => meanTrainRank === null)
  ? []
  : [
      {
        name: 'rank in training',
        unit: '',
        isRank: true,
        of: (/** @type {any} */ row) => row.meanTrainRank,
      },
    ];
const measures = [
  test,
  score,
  { name: 'rank in the tests', unit: '', isRank: true, of: (/** @type {any} */ row) => row.meanTestRank },
  ...trainRanks,
  { name: 'profit on everything', unit: currency, of: (/** @type {any} */ row) => row.allProfit },
];
const byPlace = new Map(ranking.map((row) => [row.candidate, row]));
const noFigures = { profits: [], fills: [] };
const tried = {
  ...report,
  from: 'as the engine traded them',
  figuresOf: (/** @type {number} */ candidate) => candidates[candidate] ?? noFigures,
};
const neighbours =
  report.best === null
    ? []
    : neighbourContent(
        report,
        report.best.candidate,
        [score, test].map((figure) => ({
          ...figure,
          of: (candidate) => figure.of(byPlace.get(candidate)),
        })),
      );

document.getElementById('page')?.replaceChildren(
  masthead(report),
  headline(report),
  section(
    'Ranking',
    `In the order of training; the columns of the tests are out of sample (${splits}). Picking the row with the best test would be looking again: its figure is then out of sample no longer.`,
    rankingTable(report),
  ),
  ...(report.faults.length === 0
    ? []
    : [
        section(
          'Faults',
          'Strategies that were stopped, refusals of the venue, and ends without proof that nothing was left standing, most frequent first. A configuration that failed in training comes last there, and is not chosen.',
          faultTable(report),
        ),
      ]),
  section(
    'Any two parameters',
    'Where one colour covers a region, the neighbourhood is good and not only one lucky configuration.',
    heatMapFigure({ ...report, rows: ranking }, measures, (name, rows) => cellContent(tried, name, rows)),
  ),
  section(
    'Stability across splits',
    'A configuration that is good in one test and bad in the next was lucky.',
    ...stabilityContent(report),
    ...neighbours,
  ),
  section(
    'Chosen against the file as it is',
    `Paired by event; the interval draws whole days and underlyings. ${report.outOfSample.judgement.text}.`,
    eventTable(report),
  ),
  section('What it rests on', 'The sweep as it was run.', factsBox(report)),
  el(
    'footer',
    {},
    `Nothing on this page is loaded from anywhere; ${report.id}.json and ${report.id}.parquet beside it have every profit.`,
  ),
);
