import { el } from './dom.js';
import { cents, dateTime, duration, number, percent, places, signed } from './format.js';
import { namesOf } from './names.js';
import { table } from './table.js';

/**
 * @typedef {import('../run-report.js').RunReport} RunReport
 * @typedef {import('../../analytics/analysis.js').RunAnalysis} RunAnalysis
 * @typedef {import('../../analytics/analysis.js').GroupFigures} GroupFigures
 * @typedef {import('../../analytics/analysis.js').EventFigures} EventFigures
 * @typedef {import('./table.js').Column} Column
 */

/** @param {string} currency  @returns {readonly Column[]} */
const profitColumns = (currency) => [
  { name: 'profit', unit: currency, of: ({ profit }) => profit.total, as: signed },
  { name: 'spread', unit: currency, of: ({ profit }) => profit.spread, as: signed },
  { name: 'inventory', unit: currency, of: ({ profit }) => profit.inventory, as: signed },
  { name: 'resolution', unit: currency, of: ({ profit }) => profit.resolution, as: signed },
  { name: 'fees', unit: currency, of: ({ profit }) => profit.fees, as: number },
  { name: 'rebates', unit: currency, of: ({ profit }) => profit.rebates, as: number },
];

/** @param {number} index  @param {string} name  @returns {Column} */
const markOutColumn = (index, name) => ({
  name: `mark-out ${name}`,
  unit: 'cents',
  of: ({ markOuts }) => markOuts[index].perShare,
  as: cents,
});

/** Attribution and quality of fills, by scenario, event, strategy, market and side. @param {RunAnalysis} run */
export function profitTables(run) {
  const names = namesOf(run);
  /** @param {string} name  @param {(group: any) => string} [of] */
  const columns = (name, of = ({ title }) => title) => [
    { name, of },
    ...profitColumns(run.currency),
    { name: 'fills', of: (/** @type {GroupFigures} */ { fills }) => fills.count, as: places(0) },
    { name: 'requests', of: (/** @type {GroupFigures} */ { sent }) => sent.requests, as: places(0) },
    markOutColumn(1, '10 s'),
    markOutColumn(3, '300 s'),
    markOutColumn(4, 'end'),
  ];
  const sides = run.total.sides.map((side) => ({ ...side, title: side.side === 'bid' ? 'bought' : 'sold' }));
  return [
    table('By side', columns('side'), sides),
    ...(run.strategies.length > 1 ? [table('By strategy', columns('strategy'), run.strategies)] : []),
    ...(run.markets.length > 1
      ? [
          table(
            'By event',
            [
              ...columns('event'),
              {
                name: 'at worst',
                unit: run.currency,
                of: (/** @type {EventFigures} */ { worstCase }) => worstCase,
                as: signed,
              },
            ],
            run.events,
          ),
        ]
      : []),
    table(
      'By market',
      columns('market', ({ id }) => names.whole(id)),
      run.markets,
    ),
  ];
}

/** How it was quoted, and what it took. @param {RunAnalysis} run */
export function quotingTables(run) {
  const names = namesOf(run);
  return [
    table(
      'Quoting by market',
      [
        { name: 'market', of: ({ id }) => names.whole(id) },
        { name: 'observed', of: ({ quoting }) => quoting.observedSeconds, as: duration },
        {
          name: 'both sides',
          unit: 'of the time',
          of: ({ quoting }) => quoting.bothSides ?? null,
          as: percent,
        },
        { name: 'any side', unit: 'of the time', of: ({ quoting }) => quoting.anySide ?? null, as: percent },
        { name: 'within the rule', unit: 'of the time', of: ({ quoting }) => quoting.uptime, as: percent },
        { name: 'bid at touch', unit: 'of the time', of: ({ quoting }) => quoting.bidAtTouch, as: percent },
        { name: 'ask at touch', unit: 'of the time', of: ({ quoting }) => quoting.askAtTouch, as: percent },
        {
          name: 'mean spread',
          unit: 'cents',
          of: ({ quoting }) => (quoting.meanSpread === null ? null : quoting.meanSpread * 100),
          as: number,
        },
        { name: 'fill ratio', unit: 'of shares', of: ({ fills }) => fills.ratio, as: percent },
        { name: 'queue ahead', unit: 'shares', of: ({ queue }) => queue.meanAhead, as: number },
        { name: 'of volume', of: ({ volume }) => volume.share, as: percent },
      ],
      run.markets,
    ),
    table(
      'Inventory and outcome by market',
      [
        { name: 'market', of: ({ id }) => names.whole(id) },
        { name: 'lowest', unit: 'net shares', of: ({ inventory }) => inventory.lowest, as: number },
        { name: 'highest', unit: 'net shares', of: ({ inventory }) => inventory.highest, as: number },
        { name: 'mean', unit: 'absolute', of: ({ inventory }) => inventory.meanAbsolute, as: number },
        { name: 'half-life', of: ({ inventory }) => inventory.halfLifeSeconds, as: duration },
        { name: 'resolution', of: ({ resolution }) => resolution },
        { name: 'Brier', unit: 'own mid', of: ({ ownScore }) => ownScore.brier, as: places(4) },
        { name: 'Brier', unit: 'market', of: ({ marketScore }) => marketScore.brier, as: places(4) },
        { name: 'log score', unit: 'own mid', of: ({ ownScore }) => ownScore.log, as: places(4) },
        { name: 'log score', unit: 'market', of: ({ marketScore }) => marketScore.log, as: places(4) },
      ],
      run.markets,
    ),
  ];
}

/** Risk and requests, a row per scenario. @param {readonly RunAnalysis[]} scenarios */
export function riskTable(scenarios) {
  const currency = scenarios[0]?.currency ?? '';
  return table(
    'Risk, capital and requests',
    [
      { name: 'scenario', of: ({ scenario }) => scenario },
      { name: 'drawdown', unit: currency, of: ({ total }) => total.drawdown.worst, as: number },
      { name: 'Sharpe', unit: 'per day', of: ({ total }) => total.ratios.sharpe, as: number },
      { name: 'Sortino', unit: 'per day', of: ({ total }) => total.ratios.sortino, as: number },
      { name: 'days', of: ({ total }) => total.ratios.days, as: places(0) },
      { name: 'capital', unit: `peak, ${currency}`, of: ({ total }) => total.capital.peak, as: number },
      { name: 'capital', unit: `mean, ${currency}`, of: ({ total }) => total.capital.mean, as: number },
      { name: 'return', unit: 'on peak', of: ({ total }) => total.capital.returnOnPeak, as: percent },
      { name: 'requests', of: ({ requests }) => requests.total, as: places(0) },
      { name: 'busiest', unit: 'a minute', of: ({ requests }) => requests.peakPerMinute, as: places(0) },
      { name: 'requests', unit: 'a fill', of: ({ requests }) => requests.perFill, as: places(1) },
    ],
    scenarios,
  );
}

/** Two runs, event by event. @param {NonNullable<RunReport['comparison']>} comparison */
export function comparisonTable({ pairs, currency }) {
  return table(
    'Paired by event',
    [
      { name: 'event', of: ({ title }) => title },
      { name: 'day and underlying', of: ({ cluster }) => cluster },
      { name: 'base', unit: currency, of: ({ base }) => base, as: signed },
      { name: 'other', unit: currency, of: ({ other }) => other, as: signed },
      { name: 'difference', unit: currency, of: ({ base, other }) => other - base, as: signed },
    ],
    pairs,
  );
}

/** What the run takes for granted and what it was made of. @param {RunReport} report */
export function factsBox({ facts, scenarios }) {
  const [run] = scenarios;
  const rules =
    run === undefined
      ? []
      : [
          { name: 'mark', value: run.markRule },
          {
            name: 'quoted means',
            value: `bid and ask within ${number(run.uptimeRule.maxSpread * 100)} cents, at least ${number(run.uptimeRule.minShares)} shares each`,
          },
          { name: 'ended', value: `${dateTime(run.endedAt)} UTC` },
        ];
  const entries = [...facts, ...rules].flatMap(({ name, value }) => [
    el('dt', {}, name),
    el('dd', {}, value),
  ]);
  return el('div', { class: 'card' }, el('dl', { class: 'facts' }, ...entries));
}
