/** Frames of fills that get lost: every share that the venue's holdings show is in fills, profit and cash all the same. */
import { describe, expect, test } from 'vitest';
import type { Fill } from '../../src/domain/fill.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { quoting } from '../support/simulation/scenes.js';
import { type Seam, UNCHANGED } from '../support/simulation/seam.js';
import { MAKER, RIVAL, type World } from '../support/simulation/world.js';
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';

const SESSIONS = Array.from({ length: 20 }, (_, index) => index + 1);

/** Frames of orders and holdings do not come while it says so. */
const losing = (isLost: () => boolean): Seam => ({
  ...UNCHANGED,
  engine: (engine) => {
    const take = engine.take.bind(engine);
    engine.take = (stamped) => {
      const { kind } = stamped.input;
      const isGone = (kind === 'order' || kind === 'holding') && isLost();
      take(isGone ? { ...stamped, input: { kind: 'timer' } } : stamped);
    };
  },
});

/** Somebody takes a part of the best own quote of a market, if one stands there. */
function takeFrom(world: World, market: number, isBid: boolean, part: number): void {
  const side = isBid ? 1 : -1;
  const [best] = ordersAtVenue(world)
    .filter(
      ({ marketId, side: of, position }) =>
        marketId === market && ((of === 'bid') === (position === 'long')) === isBid,
    )
    .toSorted((a, b) => side * (longOf(b) - longOf(a)));
  if (best === undefined || best.status === 'processing') return;
  const price = isBid ? 10_000 - longOf(best) : longOf(best);
  const shares = Math.max(1, Math.floor((best.shares - best.filled) * part));
  world.tryPlace(RIVAL, { marketId: market, side: 'bid', position: isBid ? 'short' : 'long', price, shares });
  world.execute(
    { by: 'others' },
    { kind: 'cancel-all', account: RIVAL, eventId: null, marketId: market as never },
  );
  world.makeBook();
}

const longOf = ({ position, price }: { position: string; price: number | null }): number =>
  position === 'long' ? price! : 10_000 - price!;

/** Net long shares that came and what they cost, by market: of what fills say, and of what the venue says that was traded. */
type Sums = Record<string, readonly [shares: number, cost: number]>;

function add(sums: Sums, market: string | number, isBid: boolean, shares: number, cost: number): void {
  const [held, paid] = sums[market] ?? [0, 0];
  sums[market] = isBid ? [held + shares, paid + cost] : [held - shares, paid - cost];
}

function sumsOf(fills: readonly Fill[]): Sums {
  const sums: Sums = {};
  for (const { marketId, position, side, shares, amount } of fills)
    add(
      sums,
      marketId,
      (side === 'bid') === (position === 'long'),
      shares,
      position === 'long' ? amount : 10_000 * shares - amount,
    );
  return sums;
}

function sumsAt({ venue }: World): Sums {
  const sums: Sums = {};
  for (const { marketId, price, shares, takerBookSide, takerAccount, makerAccount } of venue.exchange.trades(
    null,
  )) {
    if (takerAccount === MAKER) add(sums, marketId, takerBookSide === 'bid', shares, price * shares);
    if (makerAccount === MAKER) add(sums, marketId, takerBookSide === 'ask', shares, price * shares);
  }
  return sums;
}

const sharesIn = (sums: Sums): readonly (readonly [string, number])[] =>
  Object.entries(sums).map(([market, [shares]]) => [market, shares]);
const costOf = (sums: Sums): number => Object.values(sums).reduce((sum, [, cost]) => sum + cost, 0);

describe('a session with lost frames', () => {
  let inferred = 0;
  test.each(SESSIONS)('%i has every share and every coin that the venue has', async (seed) => {
    const random = seededRandom(seed);
    let isBad = false;
    const fills: Fill[] = [];
    const seam = losing(() => isBad && random.uniform() < 0.5);
    const observer = { filled: (fill: Fill) => void fills.push(fill) };
    const { world, bot } = await quoting({ seam, observer });
    isBad = true;
    for (let hit = 0; hit < 25; hit++) {
      takeFrom(world, [1_001, 2_001, 2_002][hit % 3]!, random.uniform() < 0.5, random.uniform());
      await world.run(500 + random.below(2_000));
      if (random.uniform() < 0.1) bot.line.lose('connection closed', 500);
    }
    isBad = false;
    await world.run(180_000);
    inferred += fills.filter(({ isInferred }) => isInferred).length;
    expectAgreement(world, bot);
    const [ours, venues] = [sumsOf(fills), sumsAt(world)];
    expect(sharesIn(ours)).toEqual(sharesIn(venues));
    expect(costOf(ours)).toBe(costOf(venues));
    expect(bot.noticeCodes).not.toContain('holding-repaired');
    expect(bot.noticeCodes).not.toContain('cash-differs');
  });

  test('is one in which fills are inferred, mostly', () => {
    expect(inferred).toBeGreaterThan(SESSIONS.length);
  });
});
