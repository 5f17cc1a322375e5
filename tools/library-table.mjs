/**
 * `node tools/library-table.mjs rows.ndjson [...]`: tables in Markdown of what `backtest config/library.yaml --each ... --json`
 * printed. Each file is a set of guards: the first is shown whole, of the others only the profit stands beside it.
 * Only recordings that every instance of every file has traded on count, so that sums can be compared.
 */
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ seconds: number | null, shares: number, profit: number, perShare: number | null, standardError: number | null }} MarkOut
 * @typedef {{ spread: number, inventory: number, resolution: number, fees: number, rebates: number, total: number }} Profit
 * @typedef {{ recording: string, instance: string, fills: number[], profits: number[], profit: Profit, markOuts: MarkOut[] }} Row
 */

const MARK_OUT_SECONDS = 10;
/** The first windows are there to choose by. */
const LEARNED = 3;
const EXPECTED = 1;

const files = process.argv.slice(2).map((file) => rowsOf(readFileSync(file, 'utf8')));
if (files.length === 0) {
  process.stderr.write('expected files of rows, one JSON line each\n');
  process.exitCode = 2;
} else process.stdout.write(tables(files));

/** @param {string} text  @returns {Row[]} */
function rowsOf(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));
}

/** @param {Row[][]} sets */
function tables(sets) {
  const first = sets[0] ?? [];
  const instances = [...new Set(first.map(({ instance }) => instance))];
  const recordings = [...new Set(first.map(({ recording }) => recording))]
    .filter((recording) => sets.every((rows) => isWhole(rows, recording)))
    .sort();
  const counted = sets.map((rows) => rows.filter((row) => recordings.includes(row.recording)));
  const lines = instances.map((instance) => instanceLine(instance, counted));
  const others = sets.slice(1).map((_, at) => `profit, set ${at + 2}`);
  return [
    `${recordings.length} recordings.`,
    '',
    table(
      [
        'instance',
        'fills',
        'profit pess. / exp. / opt.',
        'a recording, exp.',
        'won',
        'spread',
        'inventory',
        'resolution',
        `mark-out ${MARK_OUT_SECONDS} s, c`,
        ...others,
      ],
      lines,
    ),
    '',
    ...walkForward(counted[0] ?? [], instances, recordings),
    '',
  ].join('\n');
}

/** Whether every instance of a set has traded on a recording. @param {Row[]} rows  @param {string} recording */
function isWhole(rows, recording) {
  const instances = new Set(rows.map(({ instance }) => instance));
  return rows.filter((row) => row.recording === recording).length === instances.size;
}

/** @param {string} instance  @param {Row[][]} sets */
function instanceLine(instance, sets) {
  const mine = sets.map((rows) => rows.filter((row) => row.instance === instance));
  const rows = mine[0] ?? [];
  const expected = rows.map(({ profits }) => profits[EXPECTED] ?? 0);
  const { mean, error } = meanOf(expected);
  /** @param {keyof Profit} part */
  const sumOf = (part) => sum(rows.map(({ profit }) => profit[part])).toFixed(0);
  const profits = (/** @type {Row[]} */ of) =>
    [0, 1, 2].map((at) => sum(of.map((row) => row.profits[at] ?? 0)).toFixed(0)).join(' / ');
  return [
    instance,
    String(sum(rows.map(({ fills }) => fills[EXPECTED] ?? 0))),
    profits(rows),
    `${mean.toFixed(1)} +- ${error.toFixed(1)}`,
    `${expected.filter((profit) => profit > 0).length} of ${rows.length}`,
    sumOf('spread'),
    sumOf('inventory'),
    sumOf('resolution'),
    markOutOf(rows),
    ...mine.slice(1).map(profits),
  ];
}

/** Own edge: mean over all shares, with the error over recordings. @param {Row[]} rows */
function markOutOf(rows) {
  const found = rows.flatMap(({ markOuts }) =>
    markOuts.filter(({ seconds }) => seconds === MARK_OUT_SECONDS),
  );
  const shares = sum(found.map((one) => one.shares));
  if (shares === 0) return '';
  const mean = sum(found.map((one) => one.profit)) / shares;
  const squares = sum(found.map((one) => (one.profit - mean * one.shares) ** 2));
  return `${(100 * mean).toFixed(2)} +- ${((100 * Math.sqrt(squares)) / shares).toFixed(2)}`;
}

/**
 * The instance that earned most so far trades on the next recording.
 * @param {Row[]} rows  @param {string[]} instances  @param {string[]} recordings in the order of time
 */
function walkForward(rows, instances, recordings) {
  const profitOn = (/** @type {string} */ instance, /** @type {string} */ recording) =>
    rows.find((row) => row.instance === instance && row.recording === recording)?.profits[EXPECTED] ?? 0;
  const bestOn = (/** @type {string[]} */ seen) =>
    instances.toSorted(
      (a, b) => sum(seen.map((one) => profitOn(b, one))) - sum(seen.map((one) => profitOn(a, one))),
    )[0] ?? '';
  const tested = recordings.slice(LEARNED);
  const chosen = tested.map((_, at) => bestOn(recordings.slice(0, LEARNED + at)));
  const earned = tested.map((recording, at) => profitOn(chosen[at] ?? '', recording));
  const best = bestOn(tested);
  const { mean, error } = meanOf(earned);
  return [
    `Walk-forward over ${tested.length} recordings: ${sum(earned).toFixed(0)}, ${mean.toFixed(1)} +- ${error.toFixed(1)} each; chosen in turn: ${runsOf(chosen)}.`,
    `Best afterwards: ${best}, ${sum(tested.map((recording) => profitOn(best, recording))).toFixed(0)}.`,
  ];
}

/** @param {string[]} names */
function runsOf(names) {
  const runs = /** @type {[string, number][]} */ ([]);
  for (const name of names) {
    const last = runs.at(-1);
    if (last?.[0] === name) last[1] += 1;
    else runs.push([name, 1]);
  }
  return runs.map(([name, times]) => `${name} (${times})`).join(', ');
}

/** @param {number[]} values */
function meanOf(values) {
  const mean = sum(values) / Math.max(1, values.length);
  const squares = sum(values.map((value) => (value - mean) ** 2));
  return { mean, error: Math.sqrt(squares / Math.max(1, values.length * (values.length - 1))) };
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** @param {string[]} head  @param {string[][]} rows */
function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
