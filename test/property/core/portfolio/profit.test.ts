import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PRICE_ONE, money, shares } from '../../../../src/domain/units.js';
import { oppositePosition } from '../../../../src/domain/vocabulary.js';
import type { Fill } from '../../../../src/domain/fill.js';
import { MarketAccount } from '../../../../src/core/portfolio/market-account.js';
import { fillOf } from '../../../support/orders/fills.js';

type Happening =
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'mark'; readonly mid: number | null }
  | {
      readonly kind: 'transfer';
      readonly position: 'long' | 'short';
      readonly came: number;
      readonly price: number;
    }
  | { readonly kind: 'resolve'; readonly resolution: 'long' | 'short' | 'void' }
  | { readonly kind: 'reverse' };

const fill = fc
  .record({
    price: fc.integer({ min: 1, max: 9_999 }),
    size: fc.integer({ min: 1, max: 50_000 }),
    improvement: fc.integer({ min: 0, max: 1 }),
    side: fc.constantFrom('bid' as const, 'ask' as const),
    position: fc.constantFrom('long' as const, 'short' as const),
    fee: fc.integer({ min: -2_000, max: 2_000 }),
  })
  .map(({ price, size, improvement, side, position, fee }) => ({
    kind: 'fill' as const,
    fill: fillOf(0, 0, {
      side,
      position,
      shares: shares(size),
      amount: money(price * size - improvement),
      fee: money(fee),
    }),
  }));
const mid = fc.integer({ min: 1, max: 19_999 }).map((half) => half / 2);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fill },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mark' as const), mid: fc.option(mid) }) },
  fc.record({
    kind: fc.constant('transfer' as const),
    position: fc.constantFrom('long' as const, 'short' as const),
    came: fc.integer({ min: -50_000, max: 50_000 }).filter((came) => came !== 0),
    price: mid,
  }),
  fc.record({ kind: fc.constant('resolve' as const), resolution: fc.constantFrom('long', 'short', 'void') }),
  fc.constant({ kind: 'reverse' as const }),
);

function apply(account: MarketAccount, happened: Happening): void {
  if (happened.kind === 'fill') account.book(happened.fill);
  else if (happened.kind === 'mark') account.markAt(happened.mid);
  else if (happened.kind === 'transfer')
    account.transfer(happened.position, shares(happened.came), happened.price);
  else if (happened.kind === 'resolve') account.resolve(happened.resolution);
  else account.reverse();
}

const after = (story: readonly Happening[], nets = false): MarketAccount => {
  const account = new MarketAccount(undefined, null, nets);
  for (const happened of story) apply(account, happened);
  return account;
};

/** 1e-9 currency units. */
const TOLERANCE = 1e-3;

describe('profit', () => {
  it('is spread + inventory + resolution - fees + rebates, to 1e-9, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (story) => {
        const { spread, inventory, resolution, fees, rebates, total } = after(story).profit();
        expect(Math.abs(spread + inventory + resolution - fees + rebates - total)).toBeLessThan(TOLERANCE);
      }),
      { numRuns: 500 },
    );
  });

  it('is cash plus the value of what is held', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fill, fc.record({ kind: fc.constant('mark' as const), mid })), { maxLength: 30 }),
        (story) => {
          const account = after(story);
          const value =
            account.holding('long').shares * (account.mark ?? 0) +
            account.holding('short').shares * (PRICE_ONE - (account.mark ?? 0));
          expect(Math.abs(account.cash + value - account.profit().total)).toBeLessThan(TOLERANCE);
        },
      ),
    );
  });

  it('of an account that nets is the same, and it holds one position at most', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (story) => {
        const [apart, netted] = [after(story), after(story, true)];
        const { long, short } = netted.ledger;
        expect(Math.min(long.shares, short.shares)).toBe(0);
        expect(netted.net).toBe(apart.net);
        expect(Math.abs(netted.profit().total - apart.profit().total)).toBeLessThan(TOLERANCE);
      }),
    );
  });

  it('does not depend on the order in which fills are told at one mark', () => {
    fc.assert(
      fc.property(
        fc
          .array(fill, { minLength: 2, maxLength: 8 })
          .chain((fills) =>
            fc.tuple(fc.constant(fills), fc.shuffledSubarray(fills, { minLength: fills.length })),
          ),
        mid,
        ([fills, shuffled], mark) => {
          const [one, other] = [fills, shuffled].map((story) =>
            after([{ kind: 'mark', mid: mark }, ...story]),
          );
          expect(other!.cash).toBe(one!.cash);
          expect(other!.net).toBe(one!.net);
          expect(Math.abs(other!.profit().total - one!.profit().total)).toBeLessThan(TOLERANCE);
        },
      ),
    );
  });

  it('is the same in the mirror: long and short exchanged, prices p to 1 - p', () => {
    const mirrored = (happened: Happening): Happening => {
      if (happened.kind === 'fill')
        return {
          kind: 'fill',
          fill: { ...happened.fill, position: oppositePosition(happened.fill.position) },
        };
      if (happened.kind === 'mark')
        return { kind: 'mark', mid: happened.mid === null ? null : PRICE_ONE - happened.mid };
      return happened;
    };
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fill, fc.record({ kind: fc.constant('mark' as const), mid })), { maxLength: 30 }),
        (story) => {
          const one = after(story).profit();
          const other = after(story.map(mirrored)).profit();
          for (const part of ['spread', 'inventory', 'realised', 'unrealised', 'total'] as const)
            expect(Math.abs(one[part] - other[part])).toBeLessThan(TOLERANCE);
        },
      ),
    );
  });

  it('a reversed resolution leaves no trace', () => {
    fc.assert(
      fc.property(
        fc.array(fill, { maxLength: 8 }),
        fc.constantFrom('long', 'short', 'void'),
        (story, resolution) => {
          const account = after(story);
          const before = account.profit();
          account.resolve(resolution);
          account.reverse();
          expect(account.profit()).toEqual(before);
        },
      ),
    );
  });

  it('a void leaves nothing earned', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fill, fc.record({ kind: fc.constant('mark' as const), mid })), { maxLength: 20 }),
        (story) => {
          const account = after([...story, { kind: 'resolve', resolution: 'void' }]);
          expect([account.profit().total, account.cash, account.net]).toEqual([0, 0, 0]);
        },
      ),
    );
  });
});
