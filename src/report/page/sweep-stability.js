import { el, svg } from './dom.js';
import { dateTime, number, places, signed } from './format.js';
import { valuesText } from './sweep-parameters.js';
import { profitOf, mean, placesOf, rankCorrelation } from './sweep-profits.js';
import { table } from './table.js';

/**
 * @typedef {import('../sweep-report.js').SweepReport} SweepReport
 * @typedef {Pick<SweepReport, 'parameters' | 'pieces' | 'currency' | 'tried' | 'scenarios' | 'headline'> & {
 *   readonly candidates: readonly Pick<SweepReport['candidates'][number], 'values' | 'profits'>[],
 *   readonly ranking: readonly { readonly candidate: number }[],
 * }} Ranked  configurations in an order
 * @typedef {{ place: number, trained: readonly number[], tested: readonly number[], ranks: readonly number[] } & SweepReport['folds'][number]} Test
 */

/** Rows of the picture. */
const SHOWN = 15;
const WIDTH = 900;
const LEFT = 330;
const TOP = 30;
const ROW = 26;

/** @param {Ranked & Pick<SweepReport, 'folds'>} report  @returns {readonly Test[]} */
const testsOf = (report) =>
  report.folds.map((fold, place) => {
    const tested = report.candidates.map((candidate) => profitOf(report, candidate, fold.test));
    const trained = report.candidates.map((candidate) => profitOf(report, candidate, fold.train));
    return { ...fold, place, trained, tested, ranks: placesOf(tested) };
  });

/**
 * The rank of each configuration on each piece, without choices.
 * @param {Ranked} report  @returns {HTMLElement}
 */
export function pieceRanks(report) {
  const folds = report.pieces.map((_, at) => ({
    train: [],
    test: [at],
    chosen: null,
    trainProfit: null,
    testProfit: null,
    baseProfit: 0,
  }));
  const ranked = { ...report, folds };
  return rankFigure(ranked, testsOf(ranked), 'piece');
}

/** Whether what was best once is best again. @param {SweepReport} report @returns {HTMLElement[]} */
export function stabilityContent(report) {
  const tests = testsOf(report);
  return [
    el('p', { class: 'lead', 'data-figure': 'stability' }, sentenceOf(tests)),
    rankFigure(report, tests, 'test'),
    testTable(report, tests),
  ];
}

/** @param {readonly Test[]} tests */
function sentenceOf(tests) {
  const chosen = new Set(tests.flatMap((test) => test.chosen ?? [])).size;
  const known = tests
    .map(({ trained, tested }) => rankCorrelation(trained, tested))
    .filter((value) => value !== null);
  const likeness =
    known.length === 0
      ? 'The configurations were too alike to rank.'
      : `Rank in training and rank in the test correlate by ${number(mean(known))} on average: 1 means that training tells everything, 0 that it tells nothing.`;
  return `Training chose ${chosen} different ${chosen === 1 ? 'configuration' : 'configurations'} in ${tests.length} ${tests.length === 1 ? 'test' : 'tests'}. ${likeness}`;
}

/** @param {Ranked} report  @param {readonly Test[]} tests  @param {'test' | 'piece'} noun */
const rankFigure = (report, tests, noun) =>
  el(
    'figure',
    {},
    el('div', { class: 'wide', tabindex: 0 }, picture(report, tests, noun)),
    el('figcaption', {}, captionOf(report, noun)),
  );

/** @param {Ranked} report  @param {'test' | 'piece'} noun */
function captionOf({ ranking, tried }, noun) {
  const order = noun === 'test' ? 'rows in the order of training' : 'rows in the order of the score';
  const first = ranking.length > SHOWN ? `, the first ${SHOWN} of ${ranking.length}` : '';
  const ring = noun === 'test' ? ' A ring marks what training chose.' : '';
  return `Rank of each configuration in each ${noun}, 1 the best of ${tried}; ${order}${first}.${ring} Rows of one colour are stable, rows of all colours are luck.`;
}

/** @param {Ranked} report  @param {readonly Test[]} tests  @param {'test' | 'piece'} noun */
function picture(report, tests, noun) {
  const rows = report.ranking.slice(0, SHOWN);
  const slot = (WIDTH - LEFT) / tests.length;
  const height = TOP + rows.length * ROW + 4;
  return svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: '100%',
      role: 'img',
      'aria-label': `rank of each configuration in each ${noun}`,
      'data-chart': 'stability',
    },
    svg('text', { x: 0, y: 16 }, 'configuration'),
    ...tests.map(({ place }) =>
      svg(
        'text',
        { x: LEFT + (place + 0.5) * slot, y: 16, 'text-anchor': 'middle' },
        headOf(place, slot, noun),
      ),
    ),
    ...rows.flatMap(({ candidate }, row) => [
      svg('text', { x: 0, y: TOP + row * ROW + 17 }, cut(valuesText(report, candidate))),
      ...tests.flatMap((test) =>
        square(report, test, candidate, noun, LEFT + test.place * slot, TOP + row * ROW, slot),
      ),
    ]),
  );
}

/** @param {number} place  @param {number} slot  @param {string} noun */
const headOf = (place, slot, noun) => (slot < 60 ? String(place + 1) : `${noun} ${place + 1}`);

const NOTHING_CHOSEN = 'nothing: all failed in training';

const LETTERS = 52;
/** @param {string} text */
const cut = (text) => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text);

/**
 * @param {Ranked} report  @param {Test} test  @param {number} candidate  @param {string} noun
 * @param {number} x  @param {number} y  @param {number} width
 */
function square(report, { place, ranks, tested, chosen }, candidate, noun, x, y, width) {
  const rank = ranks[candidate] ?? 1;
  const share = report.tried < 2 ? 0 : (rank - 1) / (report.tried - 1);
  const middle = { x: x + width / 2, y: y + ROW / 2 };
  const title = `${noun} ${place + 1}, ${valuesText(report, candidate)}: rank ${rank} of ${report.tried}, ${signed(tested[candidate] ?? 0)} ${report.currency}`;
  const color = share <= 0.5 ? 'gain' : 'loss';
  const strength = Math.round(Math.abs(share - 0.5) * 140);
  return [
    svg(
      'rect',
      {
        x: x + 1,
        y: y + 1,
        width: Math.max(1, width - 2),
        height: ROW - 2,
        rx: 2,
        fill: `color-mix(in srgb, var(--${color}) ${strength}%, var(--card))`,
      },
      svg('title', {}, title),
    ),
    ...(candidate === chosen
      ? [
          svg('circle', {
            cx: middle.x,
            cy: middle.y,
            r: 11,
            fill: 'none',
            stroke: 'var(--ink)',
            'stroke-width': 1.5,
          }),
        ]
      : []),
    ...(width < 24
      ? []
      : [
          svg(
            'text',
            {
              class: 'value',
              x: middle.x,
              y: middle.y + 4,
              'text-anchor': 'middle',
              'pointer-events': 'none',
            },
            String(rank),
          ),
        ]),
  ];
}

/** @param {SweepReport} report  @param {readonly Test[]} tests */
function testTable(report, tests) {
  const { currency, pieces } = report;
  return table(
    'Every test',
    [
      { name: 'test', of: ({ place }) => place + 1, as: places(0) },
      {
        name: 'tested on',
        unit: 'event',
        of: ({ test }) => eventsText(test.map((/** @type {number} */ at) => pieces[at]?.event ?? '')),
      },
      {
        name: 'from',
        unit: 'UTC',
        of: ({ test }) => Math.min(...test.map((/** @type {number} */ at) => pieces[at]?.from ?? 0)),
        as: dateTime,
      },
      {
        name: 'to',
        unit: 'UTC',
        of: ({ test }) => Math.max(...test.map((/** @type {number} */ at) => pieces[at]?.to ?? 0)),
        as: dateTime,
      },
      { name: 'chosen', of: ({ chosen }) => (chosen === null ? NOTHING_CHOSEN : valuesText(report, chosen)) },
      { name: 'in training', unit: currency, of: ({ trainProfit }) => trainProfit, as: signed },
      { name: 'in the test', unit: currency, of: ({ testProfit }) => testProfit, as: signed },
      {
        name: 'rank',
        unit: `of ${report.tried}`,
        of: ({ ranks, chosen }) => (chosen === null ? null : ranks[chosen]),
        as: places(0),
      },
      { name: 'file as it is', unit: currency, of: ({ baseProfit }) => baseProfit, as: signed },
      {
        name: 'correlation',
        unit: 'of ranks',
        of: ({ trained, tested }) => rankCorrelation(trained, tested),
        as: number,
      },
    ],
    tests,
  );
}

/** @param {readonly string[]} events */
const eventsText = (events) => [...new Set(events)].join(', ');
