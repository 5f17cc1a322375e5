/** Polymarket's frames: one token of two is folded, the best level is last, sizes are absolute. */
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { importFrames, words } from '../../support/tape/raw-import.js';

const [YES, NO] = [
  '8761897749749422724209054078244794145777693856614463256546737399611489089783',
  '14965588658799411272385430903075831224615961675357217884735713260981483529984',
];
const M = '0xabc';
const BASE = 1_700_000_000_000;
const frame = (ms: number, kind: string, more: object) => ({
  event_type: kind,
  market: M,
  timestamp: String(BASE + ms),
  ...more,
});
const levels = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([price, size]) => ({ size, price }));
const book = (
  ms: number,
  token = YES,
  bids = levels(['0.3', '5'], ['0.4', '10']),
  asks = levels(['0.7', '5'], ['0.45', '20']),
) => frame(ms, 'book', { asset_id: token, asks, bids });
const mirrored = (ms: number, touch = {}) =>
  frame(ms, 'price_change', {
    price_changes: [
      { asset_id: NO, price: '0.55', size: '7', side: 'BUY', ...touch },
      { asset_id: YES, price: '0.45', size: '7', side: 'SELL', best_bid: '0.4', best_ask: '0.45', ...touch },
    ],
  });
const relative = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/^\d+/, (t) => String(Number(t) - BASE)));
const OPENED = ['1 1 open', '1 1 book [[0.4,10],[0.3,5]] [[0.45,20],[0.7,5]]'];

describe('an import of Polymarket', () => {
  it.each([
    ['single changes', frame(2, 'price_change', { asset_id: YES, price: '0.45', size: '7', side: 'SELL' })],
    [
      'changes of one token',
      frame(2, 'price_change', { asset_id: YES, changes: [{ price: '0.45', size: '7', side: 'SELL' }] }),
    ],
    ['changes of both tokens', mirrored(2)],
  ])('folds %s once', async (_, change) => {
    const { lines, counts } = await importFrames(scratchFolder(), [[book(1), book(1, NO)], change]);
    expect(relative(words(lines))).toEqual([...OPENED, '2 1 book [[0.4,10],[0.3,5]] [[0.45,7],[0.7,5]]']);
    expect(counts.touchDiffers).toBeUndefined();
  });

  it('counts frames whose stated best prices are not those of the folded book', async () => {
    const { counts } = await importFrames(scratchFolder(), [book(1), mirrored(2, { best_ask: '0.44' })]);
    expect(counts.touchDiffers).toBe(1);
  });

  it('turns a print of the other token round', async () => {
    const print = (ms: number, token: string, price: string) =>
      frame(ms, 'last_trade_price', { asset_id: token, price, size: '3', side: 'BUY' });
    const { lines } = await importFrames(scratchFolder(), [
      book(1),
      print(2, YES, '0.45'),
      print(3, NO, '0.6'),
    ]);
    expect(relative(words(lines)).slice(2)).toEqual(['2 1 trade 0.45 3 bid', '3 1 trade 0.4 3 ask']);
  });

  it('mirrors the book when the other token is stated as the long one', async () => {
    const { lines, notes } = await importFrames(scratchFolder(), [book(1)], { tokens: [NO] });
    expect(relative(words(lines))).toEqual(['1 1 open', '1 1 book [[0.55,20],[0.3,5]] [[0.6,10],[0.7,5]]']);
    expect(notes).toEqual([
      `market 0xabc: there is no book of a token that --token names, so token ${YES} counts as the short side`,
    ]);
  });

  it('says nothing of sides when there is a book of the stated token', async () => {
    const { notes } = await importFrames(scratchFolder(), [book(1), book(2, NO)], { tokens: [NO] });
    expect(notes).toEqual([]);
  });

  it('waits for a full book after a change of the grid', async () => {
    const tick = frame(2, 'tick_size_change', {
      asset_id: YES,
      old_tick_size: '0.01',
      new_tick_size: '0.001',
    });
    const finer = book(4, YES, levels(['0.401', '1']), levels(['0.45', '20']));
    const { lines, counts, markets } = await importFrames(scratchFolder(), [
      book(1),
      tick,
      mirrored(3),
      finer,
    ]);
    expect(relative(words(lines)).slice(2)).toEqual([
      '2 1 closed tick=0.001',
      '4 1 open',
      '4 1 book [[0.401,1]] [[0.45,20]]',
    ]);
    expect(counts.waitingChanges).toBe(1);
    expect(markets[0]?.['tick']).toBe(0.001);
  });

  it('resolves by the winning token, and reads wrapped frames', async () => {
    const end = frame(9, 'market_resolved', { assets_ids: [YES, NO], winning_asset_id: NO });
    const wrapped = { received_at: '2026-07-28T03:05:05.962512Z', raw_frame: JSON.stringify(end) };
    const { lines } = await importFrames(scratchFolder(), [book(1), wrapped]);
    expect(relative(words(lines)).at(-1)).toBe('9 1 resolved short');
  });

  it('counts books that equal the folded one, and those that do not', async () => {
    const { counts } = await importFrames(scratchFolder(), [book(1), book(2), mirrored(3), book(4)]);
    expect(counts).toMatchObject({ images: 1, jumps: 1 });
  });

  it.each([
    ['a change before any book', [mirrored(1)], /raw.ndjson:1: a change of 0xabc comes before any book/],
    [
      'two generations',
      [book(1), mirrored(2), frame(3, 'price_change', { asset_id: YES, changes: [] })],
      /raw.ndjson:3: 0xabc: changes of one token after changes of both tokens/,
    ],
    ['a negative size', [book(1, YES, levels(['0.4', '-1']))], /raw.ndjson:1: a level of negative size: -1/],
  ])('refuses %s', async (_, frames, message) => {
    await expect(importFrames(scratchFolder(), frames)).rejects.toThrow(message);
  });
});
