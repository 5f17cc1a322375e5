/// <reference lib="dom" />
import { el } from './dom.js';
import { number, places, signed } from './format.js';
import { cellContent } from './sweep-cell.js';
import { heatMapFigure } from './sweep-heat-map.js';
import { neighbourContent } from './sweep-neighbours.js';
import { shortName, valuesText, valueText } from './sweep-parameters.js';
import { pieceRanks } from './sweep-stability.js';
import { bestSentence, count } from './sweep-summary.js';
import { table } from './table.js';
import { themeButton } from './theme.js';

/** @typedef {import('../screen-report.js').ScreenReport} ScreenReport */
/** @typedef {import('../screen-report.js').ScreenedRow & { candidate: number, values: readonly (string | number | boolean | null)[] }} Row */

const SHOWN = 200;
/** As in `src/report/screen-report.ts`. */
const TRUSTED = 0.9;

const report = /** @type {ScreenReport} */ (JSON.parse(document.getElementById('report')?.textContent ?? ''));
const { parameters, headline, currency, objective, best, pieces, screened, confirmed } = report;
const base = report.rows.at(-1);
/** @type {readonly Row[]} */
const rows = report.rows.slice(0, -1).map((row, candidate) => ({
  ...row,
  candidate,
  values: parameters.map((path) => row.params[path] ?? null),
}));
const candidates = rows.map(({ values, pieces: own }) => ({ values, profits: own.screen.profits }));
const surface = { parameters, candidates, rows, best };

/** @param {string} title  @param {string} lead  @param {...HTMLElement} content */
const section = (title, lead, ...content) =>
  el('section', {}, el('h2', {}, title), el('p', { class: 'lead' }, lead), ...content);

const scoreAs = objective.unit === '' ? places(3) : signed;
const correlation = report.profitCorrelation[headline];
const doubt =
  correlation !== null && correlation < TRUSTED
    ? [
        el(
          'p',
          { class: 'remark', 'data-figure': 'doubt' },
          `Do not trust this ranking: screen and engine agree with ${number(correlation, 3)} only.`,
        ),
      ]
    : [];

/** @param {readonly Row[]} shown  @param {string} caption */
const rowTable = (shown, caption) =>
  table(
    caption,
    [
      {
        name: '#',
        of: ({ candidate }) => candidate + 1,
        as: (at) => (at > rows.length ? 'file' : number(at, 0)),
      },
      ...parameters.map((path, at) => ({
        name: shortName(path, parameters),
        of: (/** @type {any} */ { values }) => values[at] ?? null,
        as: (/** @type {any} */ value) => (value === null ? '–' : valueText(value)),
      })),
      { name: 'score', unit: 'screen', of: ({ score }) => score, as: scoreAs },
      { name: 'score', unit: 'engine', of: ({ engineScore }) => engineScore, as: scoreAs },
      { name: 'profit', unit: `screen, ${currency}`, of: ({ screen }) => screen[headline], as: signed },
      {
        name: 'profit',
        unit: `engine, ${currency}`,
        of: ({ engine }) => engine?.[headline] ?? null,
        as: signed,
      },
      {
        name: 'difference',
        unit: currency,
        of: ({ screen, engine }) => (engine === null ? null : screen[headline] - engine[headline]),
        as: signed,
      },
      { name: 'fills', unit: 'screen', of: ({ screen }) => screen.fills[headline], as: places(0) },
      { name: 'fills', unit: 'engine', of: ({ engine }) => engine?.fills[headline] ?? null, as: places(0) },
      { name: 'faults', of: ({ faults }) => (faults.length === 0 ? null : faults.join('; ')) },
    ],
    shown,
    ({ candidate }) => candidate === best?.candidate,
  );

const measures = [
  { name: 'score in the screen', unit: objective.unit, of: (/** @type {Row} */ row) => row.score },
  { name: 'profit in the screen', unit: currency, of: (/** @type {Row} */ row) => row.screen[headline] },
  { name: 'score by the engine', unit: objective.unit, of: (/** @type {Row} */ row) => row.engineScore },
  {
    name: 'profit by the engine',
    unit: currency,
    of: (/** @type {Row} */ row) => row.engine?.[headline] ?? null,
  },
];

const tried = {
  ...report,
  candidates,
  from: 'in the screen',
  figuresOf: (/** @type {number} */ candidate) =>
    rows[candidate]?.pieces.screen ?? { profits: [], fills: [] },
};

const neighbours =
  best === null
    ? []
    : neighbourContent(
        surface,
        best.candidate,
        [measures[0], measures[1]].flatMap((measure) =>
          measure === undefined
            ? []
            : [
                {
                  ...measure,
                  of: (/** @type {number} */ candidate) => {
                    const row = rows[candidate];
                    return row === undefined ? null : measure.of(row);
                  },
                },
              ],
        ),
      );

document.getElementById('page')?.replaceChildren(
  el(
    'header',
    { class: 'masthead' },
    el(
      'div',
      {},
      el('p', { class: 'eyebrow' }, 'Oddsmith · screen'),
      el('h1', {}, report.title),
      el(
        'p',
        { class: 'span' },
        `${count(screened, 'configuration')} screened on ${count(pieces.length, 'piece')} · ${number(confirmed, 0)} confirmed by the engine · ${number(report.seconds, 1)} s`,
      ),
      el('p', { class: 'span' }, `Ranked by ${objective.text}, ${headline} scenario`),
    ),
    themeButton(),
  ),
  el(
    'section',
    { class: 'headline' },
    el(
      'div',
      {},
      el(
        'p',
        { class: `figure ${best === null ? '' : best.score > 0 ? 'gain' : 'loss'}` },
        scoreAs(best === null ? null : best.score),
        el('span', { class: 'unit' }, objective.unit),
      ),
      ...doubt,
      el(
        'p',
        { class: 'what', 'data-figure': 'best' },
        bestSentence(report, 'Best by the engine', `${count(screened, 'configuration')} screened`),
      ),
      ...(best === null ? [] : [el('p', { class: 'what' }, valuesText(surface, best.candidate))]),
    ),
    table(
      'Screen and engine',
      [
        { name: '', of: ({ name }) => name },
        { name: '', of: ({ value }) => value },
      ],
      [
        { name: 'correlation of ranks', value: number(report.rankCorrelation, 3) },
        ...report.scenarios.map((scenario) => ({
          name: `correlation of profits, ${scenario}`,
          value: number(report.profitCorrelation[scenario], 3),
        })),
        { name: 'largest difference', value: `${number(report.largestDifference)} ${currency}` },
        {
          name: 'the file as it is, by the engine',
          value: `${signed(base?.engine?.[headline] ?? null)} ${currency}`,
        },
        { name: 'verdict', value: best?.verdict ?? '–' },
      ],
    ),
  ),
  section(
    'Screened beside confirmed',
    'What the engine confirmed, and the file as it is. Correlations are over these rows.',
    rowTable(
      [
        ...rows,
        ...(base === undefined
          ? []
          : [{ ...base, candidate: rows.length, values: parameters.map(() => null) }]),
      ].filter(({ engine }) => engine !== null),
      'Confirmed by the engine',
    ),
  ),
  section(
    'Any two parameters',
    'Where one colour covers a region, the neighbourhood is good and not only one lucky configuration.',
    heatMapFigure(surface, measures, (name, behind) => cellContent(tried, name, behind)),
  ),
  section(
    'Stability',
    'A configuration that is good on one piece and bad on the next was lucky.',
    pieceRanks({ ...report, tried: screened, candidates, ranking: rows }),
    ...neighbours,
  ),
  section(
    'All that were screened',
    'In the order of the score in the screen.',
    rowTable(
      rows.slice(0, SHOWN),
      `Screened${rows.length > SHOWN ? `: the first ${SHOWN} of ${rows.length}` : ''}`,
    ),
  ),
  el(
    'footer',
    {},
    `Nothing on this page is loaded from anywhere; ${report.id}-screen.json beside it has every profit.`,
  ),
);
