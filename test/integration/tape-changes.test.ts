import { DuckDBInstance } from '@duckdb/node-api';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkParity, isIdentical } from '../../src/runs/replay/replay.js';
import { infoLines, verdictLines } from '../../src/cli/commands/tape.js';
import { marketId } from '../../src/domain/ids.js';
import {
  cutTape,
  exportParquet,
  importNeutral,
  mergeTapes,
  readNeutralRecording,
  surveyTape,
  type CutOptions,
} from '../../src/storage/index.js';
import { BAD_DAY, recordedSession } from '../support/tape/recorded-session.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';
import { HEAD, linesOf, openTape, second, timerTape } from '../support/tape/tape.js';

const RAIN = join(ROOT, 'config/recordings/synthetic-rain.ndjson.gz');
const WHOLE: CutOptions = { from: null, to: null, markets: [] };
const IMPORT = { markets: [], program: '0.1.0', onRead: () => undefined };

async function rowsOf(file: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(sql.replace('$FILE', `'${file}'`));
  const rows = reader.getRowObjectsJson();
  connection.closeSync();
  return rows;
}

describe('a recording in the neutral form', () => {
  it('becomes a tape with every line of it', async () => {
    const out = join(scratchFolder(), 'tape');
    const { lines: count } = await importNeutral([RAIN], out, IMPORT);
    const recorded = (await linesOf(out)).flatMap((line) => (line.kind === 'recorded' ? [line.line] : []));
    expect(recorded).toEqual(readNeutralRecording(RAIN));
    expect(count).toBe(recorded.length);
  });

  it('that was cut off on its way is refused, and so is one that goes back in time', async () => {
    const dir = scratchFolder();
    const bytes = readFileSync(RAIN);
    writeFileSync(join(dir, 'cut.gz'), bytes.subarray(0, bytes.length - 200));
    await expect(importNeutral([join(dir, 'cut.gz')], join(dir, 'a'), IMPORT)).rejects.toThrow(
      /cut\.gz:\d+: behind this line the gzip data are cut off or damaged; fetch the file again \(at byte \d+\)/,
    );
    const lines = gunzipSync(bytes).toString().split('\n');
    writeFileSync(join(dir, 'back.gz'), gzipSync(lines.with(40, lines[900]!).join('\n')));
    await expect(importNeutral([join(dir, 'back.gz')], join(dir, 'b'), IMPORT)).rejects.toThrow(
      /back\.gz:42.*its time is before that of the line above/,
    );
    expect(existsSync(join(dir, 'b'))).toBe(false);
  });

  it('is the same volume and depth in Parquet, read by DuckDB', async () => {
    const dir = scratchFolder();
    await importNeutral([RAIN], join(dir, 'tape'), IMPORT);
    const { rows } = await exportParquet(join(dir, 'tape'), join(dir, 'out'));
    expect(statSync(join(dir, 'out', 'trades.parquet')).mode & 0o777).toBe(0o600);
    const lines = readNeutralRecording(RAIN);
    const trades = lines.filter((line) => line.kind === 'trade');
    const books = lines.filter((line) => line.kind === 'book');
    const shares = trades.reduce((sum, line) => sum + line.shares, 0);
    const [trade] = await rowsOf(
      join(dir, 'out', 'trades.parquet'),
      'select count(*)::int as n, sum(shares)::varchar as shares, typeof(any_value(price)) as kind from $FILE',
    );
    expect(trade).toEqual({ n: trades.length, shares: (shares / 100).toFixed(6), kind: 'DECIMAL(18,6)' });
    const best = books.find((line) => line.bids.prices.length > 0)!;
    const [book] = await rowsOf(
      join(dir, 'out', 'books.parquet'),
      'select bid_price::varchar as p, bid_shares::varchar as s from $FILE where level = 1 and bid_price is not null order by line limit 1',
    );
    expect(book).toEqual({
      p: (best.bids.prices[0]! / 10_000).toFixed(6),
      s: (best.bids.shares[0]! / 100).toFixed(6),
    });
    const depth = books.reduce(
      (sum, { bids, asks }) => sum + Math.max(1, bids.prices.length, asks.prices.length),
      0,
    );
    expect(rows).toEqual({ books: depth, trades: trades.length, orders: 0, fills: 0, decisions: 0 });
  });
});

/** The recording once more, as if it were of another market. */
function ofAnotherMarket(dir: string): string {
  const file = join(dir, 'other.ndjson');
  const text = gunzipSync(readFileSync(RAIN)).toString();
  writeFileSync(file, text.replaceAll('"market":3001', '"market":3002'));
  return file;
}

/** Ten frames, a second apart; with inputs of an engine where each stands there once. */
async function frameTape(
  dir: string,
  payloadOf: (seq: number) => object = () => ({}),
  times = 1,
): Promise<void> {
  let mono = 0;
  const tape = openTape(dir, { clock: { now: () => second(0), monotonic: () => mono } });
  tape.record(HEAD);
  for (let seq = 1; seq <= 10; seq++) {
    mono = seq * 1_000_000;
    const frame = { kind: 'frame', venueAt: null, event: 'news', channel: 'event-1' } as const;
    const number = times === 1 ? { seq } : {};
    for (let time = 0; time < times; time++)
      tape.record({ ...frame, ...number, payload: payloadOf(seq) }, second(seq));
  }
  await tape.close();
}

describe('tapes', () => {
  it('are merged in the order of receipt, and are no run any more', async () => {
    const dir = scratchFolder();
    await importNeutral([RAIN], join(dir, 'one'), IMPORT);
    await importNeutral([ofAnotherMarket(dir)], join(dir, 'two'), IMPORT);
    await mergeTapes([join(dir, 'one'), join(dir, 'two')], join(dir, 'both'));
    const lines = (await linesOf(join(dir, 'both'))).filter(({ kind }) => kind === 'recorded');
    expect(lines).toHaveLength(2 * readNeutralRecording(RAIN).length);
    expect(lines.every((line, index) => index === 0 || line.at >= lines[index - 1]!.at)).toBe(true);
  });

  it('are not merged when two hold a recording of one market at the same time, nor are such recordings imported', async () => {
    const dir = scratchFolder();
    for (const name of ['one', 'two']) await importNeutral([RAIN], join(dir, name), IMPORT);
    await expect(mergeTapes([join(dir, 'one'), join(dir, 'two')], join(dir, 'both'))).rejects.toThrow(
      /000001\.ndjson\.gz:\d+ \(byte \d+\): market 3001 is also in .*two at the same time/,
    );
    await expect(importNeutral([RAIN, RAIN], join(dir, 'both'), IMPORT)).rejects.toThrow(
      /rain\.ndjson\.gz:\d+: market 3001 is also in .*rain\.ndjson\.gz at the same time/,
    );
    expect(existsSync(join(dir, 'both'))).toBe(false);
  });

  it('of one run that overlap give each line once, and say how many they were', async () => {
    const dir = scratchFolder();
    const place = (name: string): string => join(dir, name);
    await frameTape(place('run'));
    await cutTape(place('run'), place('early'), { ...WHOLE, to: second(6) });
    await cutTape(place('run'), place('late'), { ...WHOLE, from: second(4) });
    const whole = await mergeTapes([place('run')], place('alone'));
    const framesOf = async (name: string) =>
      (await linesOf(place(name))).filter(({ kind }) => kind === 'frame').map(({ at }) => at);
    for (const [name, parts, again] of [
      ['parts', ['early', 'late'], 3],
      ['late-first', ['late', 'early', 'run'], 13],
      ['merged', ['alone', 'run'], 10],
    ] as const) {
      const merged = await mergeTapes(parts.map(place), place(name));
      expect(merged).toMatchObject({ lines: whole.lines, again });
      expect(merged.notes).toEqual([`${again} lines that two tapes of one run have are taken once`]);
      expect(await framesOf(name)).toEqual(await framesOf('run'));
    }
    expect(whole).toMatchObject({ again: 0, notes: [] });
  });

  it('that were put together with what they share say how much stands there twice', async () => {
    const dir = scratchFolder();
    await frameTape(join(dir, 'once'));
    await frameTape(join(dir, 'twice'), () => ({}), 2);
    expect((await surveyTape(join(dir, 'once'))).twice).toBe(0);
    const survey = await surveyTape(join(dir, 'twice'));
    expect(survey.twice).toBe(10);
    for (const lines of [infoLines(survey), verdictLines(survey)])
      expect(lines.join('\n')).toMatch(/\n10 frames stand there twice: parts of one run that overlap/);
  });

  it('are never written over', async () => {
    const dir = scratchFolder();
    await timerTape(join(dir, 'one'), 3);
    await expect(cutTape(join(dir, 'one'), join(dir, 'one'), WHOLE)).rejects.toThrow('is there already');
  });

  it('are cut by time, and a part without its beginning is no run', async () => {
    const dir = scratchFolder();
    await timerTape(join(dir, 'one'), 20);
    const cut = await cutTape(join(dir, 'one'), join(dir, 'part'), {
      ...WHOLE,
      from: second(5),
      to: second(9),
    });
    expect(cut.replayable).toBe(false);
    const whole = await cutTape(join(dir, 'one'), join(dir, 'begin'), { ...WHOLE, to: second(9) });
    expect(whole.replayable).toBe(true);
    expect((await surveyTape(join(dir, 'begin'))).inputs).toBe(9);
  });
});

describe('an incident', () => {
  it('becomes a part that still decides the same; and tables in Parquet', async () => {
    const dir = scratchFolder();
    const session = await recordedSession({
      stateDir: dir,
      runId: 'incident-1',
      faults: BAD_DAY,
      isEnough: ({ counts }) => counts.decisions > 80 && counts.fills > 0,
    });
    const out = join(dir, 'incident.ndjson');
    const cut = await cutTape(session.folder, out, { ...WHOLE });
    expect(cut.replayable).toBe(true);
    const parity = await checkParity(out);
    expect(isIdentical(parity)).toBe(true);
    expect(parity).toMatchObject({
      decisions: session.view.counts.decisions,
      replayedHash: session.decisionHash,
    });
    const market = await cutTape(session.folder, join(dir, 'market'), {
      ...WHOLE,
      markets: [marketId(1_001)],
    });
    expect(market.replayable).toBe(false);
    expect((await surveyTape(join(dir, 'market'))).oddities).toEqual([]);

    const { rows } = await exportParquet(session.folder, join(dir, 'tables'));
    const { counts } = session.view;
    expect(rows.decisions).toBe(counts.decisions);
    const file = (name: string): string => join(dir, 'tables', `${name}.parquet`);
    const [fills] = await rowsOf(
      file('fills'),
      'select sum(shares)::varchar as shares, sum(amount)::varchar as amount from $FILE',
    );
    expect(fills).toEqual({
      shares: (counts.sharesFilled / 100).toFixed(6),
      amount: (counts.amountFilled / 1_000_000).toFixed(6),
    });
    const [orders] = await rowsOf(
      file('orders'),
      `select count(*)::int as n from $FILE where source = 'answer' and action = 'report'`,
    );
    expect(orders!['n']).toBeGreaterThan(0);
    const [last] = await rowsOf(
      file('decisions'),
      'select input::int as i from $FILE order by line desc limit 1',
    );
    expect(last!['i']).toBeGreaterThan(0);
    expect(statSync(file('books')).size).toBeGreaterThan(1_000);
  }, 120_000);
});
