import { el } from './dom.js';
import { dateTime, places, signed } from './format.js';
import { shortName, valuesText, valueText } from './sweep-parameters.js';
import { table } from './table.js';

/**
 * @typedef {string | number | boolean | null} Value
 * @typedef {{ readonly profits: readonly (readonly number[])[], readonly fills: readonly (readonly number[])[] }} PieceFigures  by piece, then scenario
 * @typedef {object} Tried  what a cell is made of
 * @property {string} title  name of the configuration file
 * @property {readonly string[]} overrides
 * @property {readonly string[]} parameters
 * @property {string} currency
 * @property {readonly string[]} scenarios
 * @property {readonly import('../sweep-report.js').SweptPiece[]} pieces
 * @property {readonly { readonly values: readonly Value[] }[]} candidates
 * @property {(candidate: number) => PieceFigures} figuresOf
 * @property {string} from  whose figures those are
 */

/** Configurations that are listed. */
const SHOWN = 20;

/**
 * What is behind a cell: its configurations, the trading of the first one piece by piece, and the command that shows every fill.
 * @param {Tried} tried  @param {string} name  @param {readonly { candidate: number }[]} rows  the best first
 * @returns {HTMLElement[]}
 */
export function cellContent(tried, name, rows) {
  const [first] = rows;
  if (first === undefined) return [];
  const { candidate } = first;
  return [
    configurationTable(tried, name, rows.slice(0, SHOWN), rows.length),
    pieceTable(tried, candidate),
    el(
      'p',
      { class: 'lead' },
      `Every fill of it is in the report that this command writes. It trades the recordings in one run, where the sweep begins each piece anew.`,
    ),
    el('pre', { class: 'command', tabindex: 0 }, commandOf(tried, candidate)),
  ];
}

/** @param {readonly (readonly number[])[]} byPiece  @param {number} scenario */
const total = (byPiece, scenario) => byPiece.reduce((sum, piece) => sum + (piece[scenario] ?? 0), 0);

/** @param {Tried} tried  @param {string} name  @param {readonly { candidate: number }[]} rows  @param {number} all */
function configurationTable(
  { parameters, candidates, scenarios, currency, figuresOf, from },
  name,
  rows,
  all,
) {
  return table(
    `Behind ${name}, ${from}${all > rows.length ? `: the first ${rows.length} of ${all}` : ''}`,
    [
      ...parameters.map((path, at) => ({
        name: shortName(path, parameters),
        of: (/** @type {any} */ { candidate }) => candidates[candidate]?.values[at] ?? null,
        as: valueText,
      })),
      ...scenarios.flatMap((scenario, at) => [
        {
          name: 'profit',
          unit: `${scenario}, ${currency}`,
          of: (/** @type {any} */ { candidate }) => total(figuresOf(candidate).profits, at),
          as: signed,
        },
        {
          name: 'fills',
          unit: scenario,
          of: (/** @type {any} */ { candidate }) => total(figuresOf(candidate).fills, at),
          as: places(0),
        },
      ]),
    ],
    rows,
  );
}

/** @param {Tried} tried  @param {number} candidate */
function pieceTable(tried, candidate) {
  const { pieces, scenarios, currency, figuresOf } = tried;
  const { profits, fills } = figuresOf(candidate);
  return table(
    `Piece by piece: ${valuesText(tried, candidate)}`,
    [
      { name: 'event', of: ({ event }) => event },
      { name: 'from', unit: 'UTC', of: ({ from }) => from, as: dateTime },
      { name: 'to', unit: 'UTC', of: ({ to }) => to, as: dateTime },
      ...scenarios.flatMap((scenario, at) => [
        {
          name: 'profit',
          unit: `${scenario}, ${currency}`,
          of: (/** @type {any} */ { place }) => profits[place]?.[at] ?? null,
          as: signed,
        },
        {
          name: 'fills',
          unit: scenario,
          of: (/** @type {any} */ { place }) => fills[place]?.[at] ?? null,
          as: places(0),
        },
      ]),
    ],
    pieces.map((piece, place) => ({ ...piece, place })),
  );
}

/** @param {Tried} tried  @param {number} candidate */
function commandOf({ title, overrides, parameters, candidates }, candidate) {
  const values = parameters.map(
    (path, at) => `${path}=${JSON.stringify(candidates[candidate]?.values[at] ?? null)}`,
  );
  const set = [...overrides, ...values].map((text) => `--set '${text.replaceAll("'", String.raw`'\''`)}'`);
  return ['oddsmith backtest', title, ...set].join(' ');
}
