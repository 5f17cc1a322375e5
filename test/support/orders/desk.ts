/** A desk with one market of its own, on a clock that the test moves, and what tests do with it. */
import { expect } from 'vitest';
import type { SendEffect } from '../../../src/domain/effects.js';
import type { LimitOrder } from '../../../src/domain/orders.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import { Desk, type DeskOptions } from '../../../src/core/execution/desk.js';
import type { ApprovedPlan } from '../../../src/core/execution/planning/plan.js';
import { approved } from '../bot/effects.js';
import { answered, failed, ms, reportOf, TIMED_OUT } from './own-order-reports.js';
import { bid, created } from './own-orders.js';
import { EVENT, MARKET } from './order-scenario.js';
import { FUTUUR } from '../../../src/venues/futuur/protocol/profile.js';

/** What is due leaves at once. */
class SendingDesk extends Desk {
  override due(at: Micros): readonly SendEffect[] {
    const effects = super.due(at);
    this.sent(effects, at);
    return effects;
  }
}

/** A desk that has seen an empty listing, its request 1, at 1 ms. */
export const openDesk = (options: Partial<DeskOptions> = {}): Desk => {
  const desk = new SendingDesk(
    {
      orders: {
        tradedMarket: (market) =>
          market === MARKET ? { eventId: EVENT, ownership: 'exclusive', mode: 'play_money' } : null,
        fees: () => ({ takerFee: 0 as Money, makerFee: 0 as Money }),
        clockWindowMs: 60_000,
        readAgeMs: 0,
        keepEndedMs: 60_000,
      },
      budget: { perMinute: 600, perDay: 1e6, burst: 0.2, readReserve: 3, bookShare: 0.25 },
      venue: { ...FUTUUR, orders: { ...FUTUUR.orders, copiesRefusedMs: 0 } },
      scheduler: {
        quoteLifetimeMs: 500,
        otherLifetimeMs: 5_000,
        throttledMs: 1_000,
        firstPauseMs: 100,
        lastPauseMs: 1_000,
      },
      spending: null,
      callsBefore: 1,
      venueAhead: 0,
      settlement: { replayMaxAgeMs: 5_000, firstTryMs: 100, lastTryMs: 5_000, routineListMs: 600_000 },
      withdrawal: { roundMs: 100, giveUpMs: 10_000, longestWaitMs: 60_000 },
      touchOf: () => ({ bid: null, ask: null }),
      venueTime: (ours) => ours,
      disabledIn: () => [],
      mayReplay: () => true,
      ...options,
    },
    ms(0),
  );
  expect(requestKinds(desk.due(ms(0)))).toEqual(['read-orders']);
  desk.answered(answered(1, { kind: 'read-orders', orders: [] }, ms(0)), ms(1));
  return desk;
};

/** Its order 5, the {@link bid}, was asked for at 10 ms by request 2 and works since 20 ms. */
export function quotingDesk(): Desk {
  const desk = openDesk();
  offer(desk, bid);
  desk.due(ms(10));
  desk.answered(answered(2, created(reportOf(bid, 5)), ms(10)), ms(20));
  return desk;
}

/** The bid was asked for at 10 ms by request 2, whose answer is lost at 1,010 ms. */
export function lostCreate(options: Partial<DeskOptions> = {}): Desk {
  const desk = openDesk(options);
  offer(desk, bid);
  expect(requestKinds(desk.due(ms(10)))).toEqual(['create-orders']);
  desk.answered(failed(2, TIMED_OUT, ms(10)), ms(1_010));
  return desk;
}

/** Gives the desk a plan that creates these. @returns as {@link Desk.offer} */
export const offer = (desk: Desk, ...creates: LimitOrder[]): boolean =>
  desk.offer({ ...EMPTY_PLAN, creates: creates.map(approved) });

/** A plan of the market that does nothing. */
export const EMPTY_PLAN: ApprovedPlan = {
  marketId: MARKET,
  cancels: [],
  replacements: [],
  creates: [],
  unwanted: [],
  urgency: 0 as Money,
};

export const requestKinds = (effects: readonly SendEffect[]): string[] =>
  effects.map(({ request }) => request.kind);

/** Of the orders that work in the market. */
export const states = (desk: Desk): string[] => desk.orders.own(MARKET).working.map(({ state }) => state);
