import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountId, marketId, orderId } from '../../../src/exchange/contract/ids.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import type { Currency } from '../../../src/domain/vocabulary.js';
import { CURRENCIES, POSITIONS, SIDES } from '../../../src/domain/vocabulary.js';
import type { ExchangeConfig, OrderRequest } from '../../../src/exchange/contract.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import { audit } from '../../support/exchange/auditor.js';
import { SlowExchange } from '../../support/exchange/slow-exchange.js';
import { ALICE, BLUE, BOB, CAROL, EVENT, RED, venueConfig } from '../../support/exchange/test-venue.js';

const ACCOUNTS = [ALICE, BOB, CAROL];
const MARKETS = [RED, BLUE];
const START = 1_767_225_600_000_000;

const request: fc.Arbitrary<OrderRequest> = fc
  .record({
    marketId: fc.constantFrom(...MARKETS),
    side: fc.constantFrom(...SIDES),
    position: fc.constantFrom(...POSITIONS),
    currency: fc.constantFrom<Currency>('OOM', 'USDC', 'USDC', 'USD'),
    price: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 45, max: 55 }).map((tick) => tick * 100) },
      {
        weight: 1,
        arbitrary: fc.constant(null),
      },
    ),
    size: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ shares: fc.integer({ min: 1, max: 3_000 }), amount: fc.constant(null) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ shares: fc.constant(null), amount: fc.integer({ min: 1, max: 20_000_000 }) }),
      },
    ),
    expiry: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 6 }),
    cancelConflicting: fc.boolean(),
  })
  .map(({ size, expiry, ...rest }) => ({
    ...rest,
    ...size,
    eventId: null,
    expiresAt: expiry === null ? null : ((START + expiry * 1_000_000) as Micros),
  }));

type Step =
  | { readonly kind: 'place'; readonly account: number; readonly order: OrderRequest }
  | { readonly kind: 'update'; readonly account: number; readonly pick: number; readonly change: object }
  | { readonly kind: 'cancel'; readonly account: number; readonly pick: number }
  | { readonly kind: 'cancel-all'; readonly account: number }
  | { readonly kind: 'pause' }
  | { readonly kind: 'pass'; readonly seconds: number }
  | { readonly kind: 'resolve'; readonly market: number; readonly resolution: 'long' | 'short' | 'void' };

const account = fc.integer({ min: 0, max: ACCOUNTS.length - 1 });
const pick = fc.nat(1_000);
const change = fc.record(
  {
    price: fc.integer({ min: 45, max: 55 }).map((tick) => tick * 100),
    shares: fc.integer({ min: 1, max: 3_000 }),
  },
  { requiredKeys: [] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ kind: fc.constant('place' as const), account, order: request }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('update' as const), account, pick, change }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('cancel' as const), account, pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel-all' as const), account }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'pause' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      market: fc.nat(1),
      resolution: fc.constantFrom('long' as const, 'short' as const, 'void' as const),
    }),
  },
);

const fee = fc.integer({ min: -40, max: 60 }).map((rate) => (rate * 37) as Money);
const config: fc.Arbitrary<ExchangeConfig> = fc
  .record({ taker: fee, maker: fee, poor: fc.boolean() })
  .map(({ taker, maker, poor }) =>
    venueConfig({
      exchange: {
        fees: { play_money: { taker: 0 as Money, maker: 0 as Money }, real_money: { taker, maker } },
      },
      event: { resolutionMode: 'non_exclusive' },
      alice: poor ? { balances: { OOM: 8_000_000 as Money, USDC: 6_000_000 as Money } } : {},
    }),
  );

/** Gives the same steps to the fast and to the slow exchange and compares all there is after each. */
class BothExchanges {
  private readonly fast: Exchange;
  private readonly slow: SlowExchange;
  private now = START as Micros;
  private isPaused = false;
  private readonly resolved = new Set<number>();

  constructor(private readonly settings: ExchangeConfig) {
    this.fast = new Exchange(settings);
    this.slow = new SlowExchange(settings);
  }

  take(step: Step): void {
    this[step.kind](step as never);
    audit(this.fast, { fees: this.settings.fees, mayCross: false });
    this.compare();
  }

  place({ account, order }: Extract<Step, { kind: 'place' }>): void {
    const id = ACCOUNTS[account]!;
    const command = { kind: 'place-order', account: id, request: null, order } as const;
    const { outcome } = this.fast.execute(command, this.now);
    const answer = this.slow.place(id, order, this.now);
    expect(
      outcome.ok ? { ok: true, id: outcome.order.id } : { ok: false, code: outcome.refusal.code },
    ).toEqual(answer);
  }

  update({ account, pick, change }: Extract<Step, { kind: 'update' }>): void {
    const update = { orderId: this.picked(pick), ...change };
    const id = ACCOUNTS[account]!;
    const command = { kind: 'update-batch', account: id, request: null, updates: [update] } as const;
    const { outcome } = this.fast.execute(command, this.now);
    const item = outcome.ok ? outcome.items[0] : undefined;
    const told = item?.ok === true ? { ok: true, id: item.value.id } : { ok: false, code: item?.why.code };
    expect(told).toEqual(this.slow.update(id, update, this.now));
  }

  cancel({ account, pick }: Extract<Step, { kind: 'cancel' }>): void {
    const id = ACCOUNTS[account]!;
    const command = { kind: 'cancel-order', account: id, orderId: this.picked(pick) } as const;
    const { outcome } = this.fast.execute(command, this.now);
    const told = outcome.ok ? { ok: true, id: outcome.value } : { ok: false, code: outcome.why };
    expect(told).toEqual(this.slow.cancel(id, command.orderId));
  }

  'cancel-all'({ account }: Extract<Step, { kind: 'cancel-all' }>): void {
    const id = ACCOUNTS[account]!;
    const command = { kind: 'cancel-all', account: id, eventId: null, marketId: null } as const;
    const { outcome } = this.fast.execute(command, this.now);
    expect(outcome.canceledIds).toEqual(this.slow.cancelAll(id));
  }

  pause(): void {
    if (this.resolved.size === MARKETS.length) return;
    this.isPaused = !this.isPaused;
    const status = this.isPaused ? 'paused' : 'open';
    this.fast.execute({ kind: 'set-event-status', eventId: EVENT, status }, this.now);
    this.slow.setPaused(this.isPaused);
  }

  pass({ seconds }: Extract<Step, { kind: 'pass' }>): void {
    this.now = (this.now + seconds * 1_000_000) as Micros;
    this.fast.execute({ kind: 'advance-time' }, this.now);
    this.slow.expire(this.now);
  }

  resolve({ market, resolution }: Extract<Step, { kind: 'resolve' }>): void {
    if (this.resolved.has(market)) return;
    this.resolved.add(market);
    const id = MARKETS[market]!;
    const resolutions = [{ marketId: id, resolution }];
    this.fast.execute({ kind: 'resolve-event', eventId: EVENT, resolutions }, this.now);
    this.slow.resolve(id, resolution);
    if (this.resolved.size === MARKETS.length) this.slow.setPaused(true);
  }

  private picked(pick: number) {
    return orderId(this.slow.orders.length === 0 ? 1 : 1 + (pick % this.slow.orders.length));
  }

  private compare(): void {
    for (const order of this.slow.orders) {
      const { status, filled } = this.fast.order(accountId(order.account), orderId(order.id))!;
      expect([order.id, status, filled]).toEqual([order.id, order.status, order.filled]);
    }
    const trades = this.fast.trades(null);
    expect(
      trades.map(({ takerOrderId, makerOrderId, price, shares }) => [
        takerOrderId,
        makerOrderId,
        price,
        shares,
      ]),
    ).toEqual(this.slow.trades.map(({ taker, maker, price, shares }) => [taker, maker, price, shares]));
    this.compareMoney();
  }

  private compareMoney(): void {
    const { accounts } = this.fast.ledger();
    for (const id of ACCOUNTS) {
      for (const currency of CURRENCIES) {
        const row = accounts.find((one) => one.id === id && one.currency === currency);
        expect([BigInt(row?.cash ?? 0), BigInt(row?.locked ?? 0)]).toEqual([
          this.slow.spendable(id, currency),
          this.slow.lockedCash(id, currency),
        ]);
        for (const market of MARKETS) {
          for (const position of POSITIONS) {
            const holding = row?.shares.find((one) => one.marketId === market && one.position === position);
            expect(holding?.shares ?? 0).toBe(this.slow.heldShares(id, market, position, currency));
          }
        }
      }
    }
  }
}

describe('the exchange core', () => {
  test('equals the slow one, and adds up, after every command of any sequence', () => {
    fc.assert(
      fc.property(config, fc.array(step, { maxLength: 60, size: 'max' }), (settings, steps) => {
        const both = new BothExchanges(settings);
        for (const one of steps) both.take(one);
      }),
      { numRuns: 150 },
    );
  });
});

describe('long and short are mirror images', () => {
  /** The same flow with every position turned around, at the same own prices. */
  const mirrored = (steps: readonly Step[]): Step[] =>
    steps.map((one) => {
      if (one.kind === 'resolve' && one.resolution !== 'void')
        return { ...one, resolution: one.resolution === 'long' ? 'short' : 'long' };
      if (one.kind !== 'place') return one;
      const position = one.order.position === 'long' ? 'short' : 'long';
      return { ...one, order: { ...one.order, position } };
    });

  test('turning every position around turns the books and leaves the money as it is', () => {
    fc.assert(
      fc.property(config, fc.array(step, { maxLength: 60, size: 'max' }), (settings, steps) => {
        const [one, other] = [runAll(settings, steps), runAll(settings, mirrored(steps))];
        for (const id of ACCOUNTS) expect(other.account(id)?.wallet).toEqual(one.account(id)?.wallet);
        for (const market of MARKETS) {
          const book = one.book(marketId(market), 'real_money', 'long', null);
          expect(other.book(marketId(market), 'real_money', 'short', null)).toEqual(book);
        }
      }),
      { numRuns: 100 },
    );
  });

  function runAll(settings: ExchangeConfig, steps: readonly Step[]): Exchange {
    const exchange = new Exchange(settings);
    for (const one of steps) {
      if (one.kind === 'place') {
        const command = {
          kind: 'place-order',
          account: ACCOUNTS[one.account]!,
          request: null,
          order: one.order,
        } as const;
        exchange.execute(command, START as Micros);
      }
      if (one.kind === 'resolve') {
        const resolutions = [{ marketId: MARKETS[one.market]!, resolution: one.resolution }];
        exchange.execute({ kind: 'resolve-event', eventId: EVENT, resolutions }, START as Micros);
      }
    }
    return exchange;
  }
});
