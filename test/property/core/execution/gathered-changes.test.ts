import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MarketId, marketId, orderId } from '../../../../src/domain/ids.js';
import { momentOf } from '../../../../src/core/execution/orders/moment.js';
import { OrderBlotter } from '../../../../src/core/execution/orders/order-blotter.js';
import { TrackedOrder } from '../../../../src/core/execution/orders/tracked-order.js';
import { limitOrder } from '../../../support/orders/order-scenario.js';
import { ms } from '../../../support/orders/own-order-reports.js';

const MARKETS = [1, 2].map(marketId);
const step = fc.record({
  what: fc.constantFrom('add', 'name', 'end', 'end', 'revive', 'drop', 'unknown', 'look', 'fail'),
  market: fc.nat(1),
  pick: fc.nat(30),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A blotter that one hand changes, and what others hear of it. */
class Hand {
  readonly blotter = new OrderBlotter(5_000);
  readonly heard = this.blotter.watch();
  readonly orders: TrackedOrder[] = [];
  readonly #seen = new Map<string, readonly unknown[]>();
  told = 0;

  constructor() {
    this.blotter.follow({
      changed: () => (this.told += 1),
      came: () => undefined,
    });
  }

  take({ what, market, pick }: Step, serial: number): void {
    if (what === 'add') this.#add(MARKETS[market]!, serial);
    const order = this.orders[pick % Math.max(1, this.orders.length)];
    if (order === undefined) return;
    if (what === 'name') this.blotter.name(order, order.orderId ?? orderId(serial + 1));
    if (what === 'end' && order.state !== 'done') this.#end(order, serial);
    if (what === 'revive' && order.state === 'done') this.#revive(order);
    if (what === 'drop' && order.state !== 'done') this.#drop(order);
    if (what === 'unknown' && order.state !== 'done') this.#doubt(order);
  }

  view(): unknown {
    return [...MARKETS.map((market) => this.market(market)), [...this.blotter.doubtful].map(serialOf)];
  }

  market(market: MarketId): unknown {
    const { version, working, ended } = this.blotter.market(market);
    const states = working.map(({ serial, orderId: id, state }) => [serial, id, state]);
    this.#seen.set(`${market}:${version}`, [...(this.#seen.get(`${market}:${version}`) ?? []), states]);
    const byId = this.orders.map((order) =>
      order.orderId === null ? null : this.blotter.byId(order.orderId)?.serial,
    );
    return [working.map(serialOf), ended.map(serialOf), byId];
  }

  /** What was seen under each version; one stands for one state. */
  get seen(): readonly (readonly unknown[])[] {
    return [...this.#seen.values()];
  }

  #add(market: MarketId, serial: number): void {
    const order = { ...limitOrder(48, 10), marketId: market };
    this.orders.push(new TrackedOrder(order, order, serial, momentOf(ms(serial))));
    this.blotter.add(this.orders.at(-1)!);
  }

  #end(order: TrackedOrder, serial: number): void {
    order.state = 'done';
    this.blotter.restate(order);
    this.blotter.end(order, ms(serial));
  }

  #revive(order: TrackedOrder): void {
    this.blotter.revive(order);
    order.state = 'live';
    order.endedAt = null;
  }

  #drop(order: TrackedOrder): void {
    this.blotter.drop(order);
    this.orders.splice(this.orders.indexOf(order), 1);
  }

  #doubt(order: TrackedOrder): void {
    order.state = 'unknown';
    this.blotter.restate(order);
  }
}

function errorOf(run: () => void): unknown {
  try {
    run();
    return null;
  } catch (error) {
    return (error as Error).constructor;
  }
}

const serialOf = ({ serial }: { readonly serial: number }): number => serial;

describe('changes of orders that are gathered', () => {
  it('end as they would one by one, and show as they are to whoever looks meanwhile', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const [one, other] = [new Hand(), new Hand()];
        const views: unknown[][] = [[], []];
        const until = steps.findIndex(({ what }) => what === 'fail');
        const taken = until < 0 ? steps : steps.slice(0, until);
        const play = (): void => {
          taken.forEach((next, serial) => {
            one.take(next, serial);
            other.take(next, serial);
            if (next.what === 'look') [one, other].forEach((hand, at) => views[at]!.push(hand.view()));
          });
          if (until >= 0) throw new RangeError('on the way');
        };
        expect(errorOf(() => other.blotter.gather(play))).toBe(until < 0 ? null : RangeError);
        expect([...views[1]!, other.view()]).toEqual([...views[0]!, one.view()]);
        for (const states of other.seen) for (const state of states) expect(state).toEqual(states[0]);
        expect(other.heard).toEqual(one.heard);
        expect(other.told > 0).toBe(one.told > 0);
        expect(other.told).toBeLessThanOrEqual(one.told);
      }),
      { numRuns: 500 },
    );
  });

  it('are told once a market, and each later one by itself', () => {
    const hand = new Hand();
    hand.blotter.gather(() => {
      for (let serial = 0; serial < 20; serial += 1) hand.take({ what: 'add', market: 0, pick: 0 }, serial);
      for (let pick = 0; pick < 10; pick += 1) hand.take({ what: 'end', market: 0, pick }, 20 + pick);
    });
    expect(hand.told).toBe(1);
    expect(hand.blotter.working(MARKETS[0]!).map(serialOf)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    hand.take({ what: 'end', market: 0, pick: 10 }, 30);
    hand.take({ what: 'end', market: 0, pick: 11 }, 31);
    expect(hand.told).toBe(5);
  });
});
