/** One life of a market, told in the frames of every generation, becomes the same neutral lines. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { importFrames, words } from '../../support/tape/raw-import.js';

const BASE = 1_700_000_000_000;

/** Prices in cents, sizes in whole shares; a level of size zero is gone. */
type Happening =
  | { readonly kind: 'level'; readonly side: 'bid' | 'ask'; readonly price: number; readonly size: number }
  | { readonly kind: 'trade'; readonly side: 'bid' | 'ask'; readonly price: number; readonly size: number }
  | { readonly kind: 'full' };
type Book = Readonly<Record<'bid' | 'ask', Map<number, number>>>;

/** A happening, when it was, and the book before and after it. */
interface Told {
  readonly at: number;
  readonly what: Happening;
  readonly before: Book;
  readonly after: Book;
}

const onSide = fc.oneof(
  fc.record({ side: fc.constant('bid' as const), price: fc.integer({ min: 1, max: 49 }) }),
  fc.record({ side: fc.constant('ask' as const), price: fc.integer({ min: 51, max: 99 }) }),
);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(onSide, fc.nat(60))
      .map(([level, size]) => ({ kind: 'level' as const, ...level, size })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(onSide, fc.integer({ min: 1, max: 60 }))
      .map(([level, size]) => ({ kind: 'trade' as const, ...level, size })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'full' as const }) },
);
/** The first one is a full book with a level. */
const life = fc
  .tuple(fc.array(happening, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 60 }))
  .map(([happenings, size]) => {
    let book: Book = { bid: new Map([[40, size]]), ask: new Map() };
    const told: Told[] = [{ at: BASE, what: { kind: 'full' }, before: book, after: book }];
    happenings.forEach((what, place) => {
      const after = { bid: new Map(book.bid), ask: new Map(book.ask) };
      if (what.kind === 'level' && what.size > 0) after[what.side].set(what.price, what.size);
      if (what.kind === 'level' && what.size === 0) after[what.side].delete(what.price);
      told.push({ at: BASE + 10 * (place + 1), what, before: book, after });
      book = after;
    });
    return told;
  });

const dollars = (cents: number): string => (cents / 100).toFixed(4);
const fixed = (size: number): string => size.toFixed(2);

/** A no bid at 100 - p stands for an offer of yes at p. */
function kalshi(told: readonly Told[], generation: 'cents' | 'both' | 'fixed point'): readonly unknown[] {
  const [hasCents, hasText] = [generation !== 'fixed point', generation !== 'cents'];
  return told.flatMap(({ at, what, before, after }) => {
    const frame = (type: string, msg: object) => ({
      recv_ms: at,
      event: { type, sid: 1, msg: { market_ticker: 'KXA-26-T1', ...msg } },
    });
    if (what.kind === 'full') {
      const sides = {
        yes: [...after.bid],
        no: [...after.ask].map(([price, size]) => [100 - price, size] as const),
      };
      const cents = hasCents ? sides : {};
      const name = generation === 'both' ? '_dollars' : '_dollars_fp';
      const text = Object.fromEntries(
        Object.entries(sides).map(([side, levels]) => [
          `${side}${name}`,
          levels.map(([price, size]) => [dollars(price), generation === 'both' ? size : fixed(size)]),
        ]),
      );
      return frame('orderbook_snapshot', { ...cents, ...(hasText ? text : {}) });
    }
    const ts = { ts_ms: at };
    if (what.kind === 'trade')
      return frame('trade', {
        ...ts,
        ...(hasCents && { yes_price: what.price, no_price: 100 - what.price, count: what.size }),
        ...(hasText && { yes_price_dollars: dollars(what.price), count_fp: fixed(what.size) }),
        taker_side: what.side === 'bid' ? 'no' : 'yes',
      });
    const delta = what.size - (before[what.side].get(what.price) ?? 0);
    const price = what.side === 'bid' ? what.price : 100 - what.price;
    return frame('orderbook_delta', {
      ...ts,
      ...(hasCents && { price, delta }),
      ...(hasText && { price_dollars: dollars(price), delta_fp: fixed(delta) }),
      side: what.side === 'bid' ? 'yes' : 'no',
    });
  });
}

/** Levels come worst first; the other token's book is the mirror. */
function polymarket(
  told: readonly Told[],
  generation: 'single' | 'one token' | 'both tokens',
): readonly unknown[] {
  const [yes, no] = ['7'.repeat(77), '1'.repeat(77)];
  const price = (cents: number): string => (cents / 100).toFixed(2);
  return told.flatMap(({ at, what, after }): unknown[] | object => {
    const frame = (kind: string, more: object) => ({
      event_type: kind,
      market: '0xabc',
      timestamp: String(at),
      ...more,
    });
    const levels = (levelsOf: Iterable<readonly [number, number]>, worstFirst: 1 | -1) =>
      [...levelsOf]
        .toSorted(([one], [other]) => worstFirst * (one - other))
        .map(([cents, size]) => ({ price: price(cents), size: String(size) }));
    const mirror = (side: Map<number, number>) =>
      [...side].map(([cents, size]) => [100 - cents, size] as const);
    if (what.kind === 'full')
      return [
        [
          frame('book', { asset_id: yes, bids: levels(after.bid, 1), asks: levels(after.ask, -1) }),
          frame('book', {
            asset_id: no,
            bids: levels(mirror(after.ask), 1),
            asks: levels(mirror(after.bid), -1),
          }),
        ],
      ];
    const size = String(what.size);
    const [buys, sells] = ['BUY', 'SELL'];
    if (what.kind === 'trade') {
      const side = what.side === 'bid' ? sells : buys;
      return frame('last_trade_price', { asset_id: yes, price: price(what.price), size, side });
    }
    const change = { price: price(what.price), size, side: what.side === 'bid' ? buys : sells };
    if (generation === 'single') return frame('price_change', { asset_id: yes, ...change });
    if (generation === 'one token') return frame('price_change', { asset_id: yes, changes: [change] });
    const mirrored = { price: price(100 - what.price), size, side: what.side === 'bid' ? sells : buys };
    return frame('price_change', {
      price_changes: [
        { asset_id: no, ...mirrored },
        { asset_id: yes, ...change },
      ],
    });
  });
}

/** What a neutral file has to say, by the definition alone. */
function expected(told: readonly Told[]): readonly string[] {
  const lines = [`${BASE} 1 open`];
  let shown = '[] []';
  for (const { at, what, after } of told) {
    if (what.kind === 'trade')
      lines.push(`${at} 1 trade ${what.price / 100} ${what.size} ${what.side === 'bid' ? 'ask' : 'bid'}`);
    const side = (which: 'bid' | 'ask'): string => {
      const sign = which === 'bid' ? -1 : 1;
      const levels = [...after[which]].toSorted(([one], [other]) => sign * (one - other)).slice(0, 10);
      return JSON.stringify(levels.map(([price, size]) => [price / 100, size]));
    };
    const now = `${side('bid')} ${side('ask')}`;
    if (now !== shown) lines.push(`${at} 1 book ${now}`);
    shown = now;
  }
  return lines;
}

test('a life told in any generation of frames becomes the same lines', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (told) => {
      const lines = expected(told);
      for (const generation of ['cents', 'both', 'fixed point'] as const) {
        const imported = await importFrames(scratchFolder(), kalshi(told, generation));
        expect(words(imported.lines), `kalshi, ${generation}`).toEqual(lines);
        expect(imported.counts.jumps).toBeUndefined();
      }
      for (const generation of ['single', 'one token', 'both tokens'] as const) {
        const imported = await importFrames(scratchFolder(), polymarket(told, generation));
        expect(words(imported.lines), `polymarket, ${generation}`).toEqual(lines);
        expect(imported.counts.jumps).toBeUndefined();
      }
    }),
    { numRuns: 20 },
  );
});
