import { el } from './dom.js';
import { clock, dateTime, number, places, signed } from './format.js';
import { namesOf } from './names.js';
import { table } from './table.js';

/**
 * @typedef {import('../run-report.js').RunReport} RunReport
 * @typedef {import('../../analytics/analysis.js').RunAnalysis} RunAnalysis
 * @typedef {import('../../analytics/analysis.js').SettingFigures} SettingFigures
 */

/** What every UTC day brought. @param {RunAnalysis} run  @param {string} under */
export const dayTable = ({ days, currency }, under) =>
  table(
    `By day${under}`,
    [
      { name: 'day', unit: 'UTC', of: ({ day }) => day },
      { name: 'profit', unit: `at the mark, ${currency}`, of: ({ profit }) => profit, as: signed },
      { name: 'fills', of: ({ fills }) => fills, as: places(0) },
      { name: 'volume', unit: 'shares', of: ({ shares }) => shares, as: number },
      { name: 'volume', unit: currency, of: ({ amount }) => amount, as: number },
      { name: 'fees', unit: `less rebates, ${currency}`, of: ({ fees }) => fees, as: number },
      { name: 'worst drawdown', unit: currency, of: ({ drawdown }) => drawdown, as: number },
    ],
    days,
  );

/** Parameters and limits of every instance. @param {RunAnalysis} run */
export const instanceTables = ({ instances }) =>
  el(
    'div',
    { class: 'columns' },
    ...instances.flatMap(({ name, strategy, parameters, limits }) => [
      settingTable(`${name}: parameters of ${strategy}`, parameters),
      settingTable(`${name}: limits`, limits),
    ]),
  );

/** @param {string} caption  @param {readonly SettingFigures[]} settings */
function settingTable(caption, settings) {
  const isChanged = settings.some(({ atEnd }) => atEnd !== undefined);
  const changed = {
    name: 'at the end',
    of: (/** @type {SettingFigures} */ { value, atEnd = value }) => atEnd,
    as: valueText,
  };
  return table(
    caption,
    [
      { name: 'name', of: ({ name }) => name },
      { name: 'value', of: ({ value }) => value, as: valueText },
      ...(isChanged ? [changed] : []),
      { name: 'unit', of: ({ unit }) => unit },
    ],
    settings,
  );
}

/** @param {SettingFigures['value']} value */
function valueText(value) {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  return Number(value.toPrecision(12))
    .toLocaleString('en-US', { maximumFractionDigits: 12 })
    .replace('-', '−');
}

/** The latest fills. @param {NonNullable<RunReport['fills']>} fills  @param {RunAnalysis} run */
export function fillTable({ of, rows }, run) {
  const names = namesOf(run);
  const currency = run.currency;
  const which =
    of > rows.length ? `the latest ${number(rows.length, 0)} of ${number(of, 0)}` : `all ${number(of, 0)}`;
  return table(
    `Fills: ${which}`,
    [
      { name: 'time', unit: 'UTC, by the bot', of: ({ at }) => at, as: timeText },
      { name: 'order', of: ({ orderId }) => orderId },
      { name: 'instance', of: ({ instance }) => instance },
      { name: 'event', of: ({ eventId }) => names.event(eventId) },
      { name: 'market', of: ({ marketId }) => names.market(marketId) },
      { name: 'side', of: ({ side }) => side },
      { name: 'position', of: ({ position }) => position },
      { name: 'price', of: ({ price }) => price, as: places(4) },
      { name: 'shares', of: ({ shares }) => shares, as: number },
      { name: 'amount', unit: currency, of: ({ amount }) => amount, as: number },
      { name: 'fee', unit: currency, of: ({ fee }) => fee, as: places(4) },
      { name: 'currency', of: (row) => row.currency },
      { name: 'maker or taker', of: ({ liquidity }) => liquidity },
      { name: 'fill', of: ({ id }) => id, as: places(0) },
      { name: 'known by', of: ({ isInferred }) => (isInferred ? 'inferred' : 'message') },
    ],
    rows,
  );
}

/** @param {number} micros */
const timeText = (micros) => `${dateTime(micros).slice(0, 11)}${clock(micros)}`;
