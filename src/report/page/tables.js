import { el } from './dom.js';
import { cents, dateTime, duration, number, percent, signed } from './format.js';

/**
 * @typedef {import('../run-report.js').RunReport} RunReport
 * @typedef {import('../../analytics/analysis.js').RunAnalysis} RunAnalysis
 * @typedef {import('../../analytics/analysis.js').GroupFigures} GroupFigures
 * @typedef {import('../../analytics/analysis.js').EventFigures} EventFigures
 * @typedef {{ name: string, unit?: string, of: (row: any) => string }} Column
 */

/** @param {string} caption  @param {readonly Column[]} columns  @param {readonly any[]} rows */
export function table(caption, columns, rows) {
  const cell = (/** @type {Column} */ column, /** @type {any} */ row, /** @type {number} */ index) => {
    const text = column.of(row);
    if (index === 0) return el('th', { scope: 'row', title: text }, text);
    return el('td', text === '–' ? { class: 'none' } : {}, text);
  };
  return el(
    'div',
    { class: 'tablebox', tabindex: 0, role: 'region', 'aria-label': caption },
    el(
      'table',
      {},
      el('caption', {}, caption),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          ...columns.map(({ name, unit = '' }) => el('th', { scope: 'col' }, name, el('small', {}, unit))),
        ),
      ),
      el(
        'tbody',
        {},
        ...rows.map((row) => el('tr', {}, ...columns.map((column, index) => cell(column, row, index)))),
      ),
    ),
  );
}

/** @param {string} currency  @returns {readonly Column[]} */
const profitColumns = (currency) => [
  { name: 'profit', unit: currency, of: ({ profit }) => signed(profit.total) },
  { name: 'spread', unit: currency, of: ({ profit }) => signed(profit.spread) },
  { name: 'inventory', unit: currency, of: ({ profit }) => signed(profit.inventory) },
  { name: 'resolution', unit: currency, of: ({ profit }) => signed(profit.resolution) },
  { name: 'fees', unit: currency, of: ({ profit }) => number(profit.fees) },
  { name: 'rebates', unit: currency, of: ({ profit }) => number(profit.rebates) },
];

/** @param {number} index  @param {string} name  @returns {Column} */
const markOutColumn = (index, name) => ({
  name: `mark-out ${name}`,
  unit: 'cents',
  of: ({ markOuts }) => cents(markOuts[index].perShare),
});

/** Attribution and quality of fills, by scenario, event, strategy, market and side. @param {RunAnalysis} run */
export function profitTables(run) {
  const columns = (/** @type {string} */ name) => [
    { name, of: (/** @type {GroupFigures} */ { title }) => title },
    ...profitColumns(run.currency),
    { name: 'fills', of: (/** @type {GroupFigures} */ { fills }) => number(fills.count, 0) },
    { name: 'requests', of: (/** @type {GroupFigures} */ { sent }) => number(sent.requests, 0) },
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
                of: (/** @type {EventFigures} */ { worstCase }) => signed(worstCase),
              },
            ],
            run.events,
          ),
        ]
      : []),
    table('By market', columns('market'), run.markets),
  ];
}

/** How it was quoted, and what it took. @param {RunAnalysis} run */
export function quotingTables(run) {
  return [
    table(
      'Quoting by market',
      [
        { name: 'market', of: ({ title }) => title },
        { name: 'observed', of: ({ quoting }) => duration(quoting.observedSeconds) },
        { name: 'both sides', unit: 'of the time', of: ({ quoting }) => percent(quoting.bothSides ?? null) },
        { name: 'any side', unit: 'of the time', of: ({ quoting }) => percent(quoting.anySide ?? null) },
        { name: 'within the rule', unit: 'of the time', of: ({ quoting }) => percent(quoting.uptime) },
        { name: 'bid at touch', unit: 'of the time', of: ({ quoting }) => percent(quoting.bidAtTouch) },
        { name: 'ask at touch', unit: 'of the time', of: ({ quoting }) => percent(quoting.askAtTouch) },
        {
          name: 'mean spread',
          unit: 'cents',
          of: ({ quoting }) => number(quoting.meanSpread === null ? null : quoting.meanSpread * 100),
        },
        { name: 'fill ratio', unit: 'of shares', of: ({ fills }) => percent(fills.ratio) },
        { name: 'queue ahead', unit: 'shares', of: ({ queue }) => number(queue.meanAhead) },
        { name: 'of volume', of: ({ volume }) => percent(volume.share) },
      ],
      run.markets,
    ),
    table(
      'Inventory and outcome by market',
      [
        { name: 'market', of: ({ title }) => title },
        { name: 'lowest', unit: 'net shares', of: ({ inventory }) => number(inventory.lowest) },
        { name: 'highest', unit: 'net shares', of: ({ inventory }) => number(inventory.highest) },
        { name: 'mean', unit: 'absolute', of: ({ inventory }) => number(inventory.meanAbsolute) },
        { name: 'half-life', of: ({ inventory }) => duration(inventory.halfLifeSeconds) },
        { name: 'resolution', of: ({ resolution }) => resolution ?? '–' },
        { name: 'Brier', unit: 'own mid', of: ({ ownScore }) => number(ownScore.brier, 4) },
        { name: 'Brier', unit: 'market', of: ({ marketScore }) => number(marketScore.brier, 4) },
        { name: 'log score', unit: 'own mid', of: ({ ownScore }) => number(ownScore.log, 4) },
        { name: 'log score', unit: 'market', of: ({ marketScore }) => number(marketScore.log, 4) },
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
      { name: 'drawdown', unit: currency, of: ({ total }) => number(total.drawdown.worst) },
      { name: 'Sharpe', unit: 'per day', of: ({ total }) => number(total.ratios.sharpe) },
      { name: 'Sortino', unit: 'per day', of: ({ total }) => number(total.ratios.sortino) },
      { name: 'days', of: ({ total }) => number(total.ratios.days, 0) },
      { name: 'capital', unit: `peak, ${currency}`, of: ({ total }) => number(total.capital.peak) },
      { name: 'capital', unit: `mean, ${currency}`, of: ({ total }) => number(total.capital.mean) },
      { name: 'return', unit: 'on peak', of: ({ total }) => percent(total.capital.returnOnPeak) },
      { name: 'requests', of: ({ requests }) => number(requests.total, 0) },
      { name: 'busiest', unit: 'a minute', of: ({ requests }) => number(requests.peakPerMinute, 0) },
      { name: 'requests', unit: 'a fill', of: ({ requests }) => number(requests.perFill, 1) },
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
      { name: 'base', unit: currency, of: ({ base }) => signed(base) },
      { name: 'other', unit: currency, of: ({ other }) => signed(other) },
      { name: 'difference', unit: currency, of: ({ base, other }) => signed(other - base) },
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
