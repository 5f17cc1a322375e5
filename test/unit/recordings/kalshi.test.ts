/** Kalshi's frames of three generations: a no bid is an offer, snapshots have no time. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { importFiles, importFrames, words } from '../../support/tape/raw-import.js';

const T = 'KXA-26-T1';
const at = (recv: number, type: string, msg: object, more = {}) => ({
  recv_ms: BASE + recv,
  event: { type, sid: 1, msg: { market_ticker: T, ...msg }, ...more },
});
const BASE = 1_700_000_000_000;
const ts = (ms: number) => ({ ts_ms: BASE + ms });
const relative = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/^\d+/, (t) => String(Number(t) - BASE)));

const GENERATIONS = {
  cents: [
    at(5, 'orderbook_snapshot', { yes: [[40, 10]], no: [[55, 20]] }),
    at(9, 'orderbook_delta', { price: 55, delta: -5, side: 'no', ...ts(7) }),
    at(9, 'trade', { yes_price: 45, no_price: 55, count: 5, taker_side: 'yes', ...ts(7) }),
  ],
  both: [
    at(5, 'orderbook_snapshot', {
      yes: [[40, 10]],
      no: [[55, 20]],
      yes_dollars: [['0.4000', 10]],
      no_dollars: [['0.5500', 20]],
    }),
    at(9, 'orderbook_delta', {
      price: 55,
      price_dollars: '0.5500',
      delta: -5,
      delta_fp: '-5.00',
      side: 'no',
      ...ts(7),
    }),
    at(9, 'trade', {
      yes_price: 45,
      yes_price_dollars: '0.4500',
      count: 5,
      count_fp: '5.00',
      taker_side: 'yes',
      ...ts(7),
    }),
  ],
  'fixed point': [
    at(5, 'orderbook_snapshot', {
      yes_dollars_fp: [['0.4000', '10.00']],
      no_dollars_fp: [['0.5500', '20.00']],
    }),
    at(9, 'orderbook_delta', { price_dollars: '0.5500', delta_fp: '-5.00', side: 'no', ...ts(7) }),
    at(9, 'trade', { yes_price_dollars: '0.4500', count_fp: '5.00', taker_side: 'yes', ...ts(7) }),
  ],
};

describe('an import of Kalshi', () => {
  it.each(Object.entries(GENERATIONS))('reads frames in %s alike', async (_, frames) => {
    const { lines } = await importFrames(scratchFolder(), frames);
    expect(relative(words(lines))).toEqual([
      '5 1 open',
      '5 1 book [[0.4,10]] [[0.45,20]]',
      '7 1 trade 0.45 5 bid',
      '7 1 book [[0.4,10]] [[0.45,15]]',
    ]);
  });

  it('gives a snapshot no later time than the change behind it', async () => {
    const [snapshot] = GENERATIONS.cents;
    const change = at(9, 'orderbook_delta', { price: 41, delta: 1, side: 'yes', ...ts(3) });
    const { lines } = await importFrames(scratchFolder(), [snapshot, change]);
    expect(relative(words(lines))).toEqual(['3 1 open', '3 1 book [[0.41,1],[0.4,10]] [[0.45,20]]']);
  });

  it('reads a missing side as an empty one', async () => {
    const empty = at(8, 'orderbook_snapshot', {});
    const { lines, counts } = await importFrames(scratchFolder(), [GENERATIONS.cents[0], empty]);
    expect(relative(words(lines)).at(-1)).toBe('8 1 book [] []');
    expect(counts.jumps).toBe(1);
  });

  it('reads prices of the no side as prices of yes when told to, and says so where a book is crossed', async () => {
    const yes = [at(5, 'orderbook_snapshot', { yes: [[60, 10]], no: [[65, 20]] })];
    const { lines } = await importFrames(scratchFolder(), yes, { noPrices: 'yes' });
    expect(relative(words(lines)).at(-1)).toBe('5 1 book [[0.6,10]] [[0.65,20]]');
    await expect(importFrames(scratchFolder(), yes)).rejects.toThrow(/raw.ndjson:1: .*add --no-prices yes/);
  });

  it('leaves block trades out unless told to take them', async () => {
    const block = at(9, 'trade', {
      yes_price: 45,
      count: 500,
      taker_side: 'no',
      is_block_trade: true,
      ...ts(8),
    });
    const frames = [GENERATIONS.cents[0], block];
    expect((await importFrames(scratchFolder(), frames)).counts.offBookTrades).toBe(1);
    const taken = await importFrames(scratchFolder(), frames, { offBook: true });
    expect(relative(words(taken.lines)).at(-1)).toBe('8 1 trade 0.45 500 ask');
  });

  it('closes a market when frames are missing, if told to, until its next snapshot', async () => {
    const [snapshot, change] = GENERATIONS.cents;
    const numbered = [snapshot, change, snapshot, change].map((frame, place) => ({
      ...frame!,
      recv_ms: BASE + 5 + place,
      event: {
        ...frame!.event,
        seq: [1, 3, 4, 5][place],
        msg: { ...frame!.event.msg, ...(place % 2 === 1 && ts(6 + place)) },
      },
    }));
    const ignoring = await importFrames(scratchFolder(), numbered);
    expect(ignoring.counts.sequenceGaps).toBe(1);
    const closing = await importFrames(scratchFolder(), numbered, { gaps: 'close' });
    expect(relative(words(closing.lines))).toEqual([
      '5 1 open',
      '5 1 book [[0.4,10]] [[0.45,20]]',
      '6 1 closed',
      '7 1 open',
      '9 1 book [[0.4,10]] [[0.45,15]]',
    ]);
  });

  it('takes results from lifecycle frames, from a table beside the file, and from the command', async () => {
    const determined = at(20, 'market_lifecycle_v2', {
      event_type: 'determined',
      result: 'no',
      determination_ts: BASE / 1_000 + 1,
    });
    const told = await importFrames(scratchFolder(), [GENERATIONS.cents[0], determined]);
    expect(relative(words(told.lines)).at(-1)).toBe('1000 1 resolved short');
    const folder = scratchFolder();
    const table = `ticker,event_ticker,close_time,result,settlement_value_dollars\n${T},KXA-26,${new Date(BASE + 6).toISOString()},scalar,0.25\n`;
    writeFileSync(join(folder, 'MARKETS.csv'), table);
    const beside = await importFrames(folder, GENERATIONS.cents);
    expect(relative(words(beside.lines)).slice(2)).toEqual(['6 1 closed', '6 1 resolved payout=0.25']);
    expect(beside.counts.afterClose).toBe(2);
    expect(beside.markets[0]).toMatchObject({
      venue_event: 'KXA-26',
      close_t: BASE + 6,
      resolution: null,
      payout: 0.25,
    });
    const stated = await importFrames(scratchFolder(), GENERATIONS.cents, {}, { resolutions: [`${T}=void`] });
    expect(relative(words(stated.lines))).toContain('7 1 resolved void');
  });

  it('goes on with a market in the next file, whatever the order of the files', async () => {
    const folder = scratchFolder();
    const [snapshot, change, trade] = GENERATIONS.cents;
    const files = [[change, trade], [snapshot]].map((frames, place) => {
      const path = join(folder, `${place}.ndjson`);
      writeFileSync(path, frames.map((frame) => JSON.stringify(frame)).join('\n'));
      return path;
    });
    const { lines } = await importFiles(folder, files);
    expect(relative(words(lines)).at(-1)).toBe('7 1 book [[0.4,10]] [[0.45,15]]');
  });

  it.each([
    [
      'a change before any snapshot',
      [GENERATIONS.cents[1]],
      /raw.ndjson:1: a change of KXA-26-T1 comes before any snapshot/,
    ],
    [
      'a level below zero',
      [GENERATIONS.cents[0], at(9, 'orderbook_delta', { price: 55, delta: -25, side: 'no', ...ts(7) })],
      /raw.ndjson:2: a level of negative size/,
    ],
    [
      'two generations',
      [GENERATIONS.cents[0], GENERATIONS['fixed point'][1]],
      /raw.ndjson:2: .*a frame in fixed point after frames in cents/,
    ],
    ['a price history', [{ history: [{ t: 1, p: 0.5 }] }], /raw.ndjson:1: this is a price history/],
  ])('refuses %s', async (_, frames, message) => {
    await expect(importFrames(scratchFolder(), frames)).rejects.toThrow(message);
  });

  it('keeps numbers that markets.json has, and gives equal bytes a second time', async () => {
    const folder = scratchFolder();
    const first = await importFrames(folder, GENERATIONS.cents);
    expect(await importFrames(folder, GENERATIONS.cents)).toMatchObject({
      files: first.files,
      markets: first.markets,
    });
    const kept = [{ ...first.markets[0], event: 1_014, market: 1_015 }];
    writeFileSync(join(folder, 'out', 'markets.json'), JSON.stringify(kept));
    const { lines } = await importFrames(folder, GENERATIONS.cents);
    expect(new Set(lines.map(({ event, market }) => `${String(event)} ${market}`))).toEqual(
      new Set(['1014 1015']),
    );
  });

  it('takes a part of the time, beginning with what was known then', async () => {
    const known = ['6 1 open', '6 1 book [[0.4,10]] [[0.45,20]]'];
    const { lines } = await importFrames(scratchFolder(), GENERATIONS.cents, {
      from: BASE + 6,
      to: BASE + 7,
    });
    expect(relative(words(lines))).toEqual(known);
    const rest = await importFrames(scratchFolder(), GENERATIONS.cents, { from: BASE + 6 });
    expect(relative(words(rest.lines))).toEqual([
      ...known,
      '7 1 trade 0.45 5 bid',
      '7 1 book [[0.4,10]] [[0.45,15]]',
    ]);
    const { markets } = rest;
    expect(markets[0]).toMatchObject({ books: 2, first_t: BASE + 6, last_t: BASE + 7 });
  });

  it.each([
    ['before', { to: BASE - 1 }],
    ['after', { from: BASE + 86_400_000 }],
  ])('says that nothing was recorded %s a time, and writes nothing', async (_, range) => {
    const folder = scratchFolder();
    await expect(importFrames(folder, GENERATIONS.cents, range)).rejects.toThrow(
      'shows no book of a market and a time that were chosen',
    );
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('names a market or an event that was chosen and that no recording has', async () => {
    const { notes } = await importFrames(scratchFolder(), GENERATIONS.cents, { markets: [T, 'TYPO'] });
    expect(notes).toContain('--market TYPO: no recording has it');
    expect(notes.join()).not.toContain(`--market ${T}:`);
    await expect(importFrames(scratchFolder(), GENERATIONS.cents, { events: ['NONE'] })).rejects.toThrow(
      'a time that were chosen; --event NONE: no recording has it',
    );
  });

  it('says of a stated result that no market takes it, or how it is written', async () => {
    const { notes } = await importFrames(
      scratchFolder(),
      GENERATIONS.cents,
      {},
      { resolutions: ['TYPO=no'] },
    );
    expect(notes.join()).toContain('--resolution TYPO=...: no market here takes it');
    const wrong = importFrames(scratchFolder(), GENERATIONS.cents, {}, { resolutions: ['A=maybe'] });
    await expect(wrong).rejects.toThrow('--resolution A=maybe: expected a table, or ID= with yes, no, void');
    const missing = importFrames(scratchFolder(), GENERATIONS.cents, {}, { names: ['nowhere.csv'] });
    await expect(missing).rejects.toThrow('--names nowhere.csv: there is no such file');
  });
});
