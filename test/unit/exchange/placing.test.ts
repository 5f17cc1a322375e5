import { describe, expect, test } from 'vitest';
import { eventId, marketId } from '../../../src/exchange/contract/ids.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import { ladder } from '../../support/exchange/ladder.js';
import { ALICE, BOB, CAROL, EVENT, TestVenue, order } from '../../support/exchange/test-venue.js';

describe('account checks, in the order of the facts', () => {
  const real = 'bid long 1 @ 0.5 USDC';
  const play = 'bid long 1 @ 0.5 OOM';

  test('an unconfirmed email comes before everything else', () => {
    const venue = new TestVenue({ alice: { emailConfirmed: false, blocked: true, forbiddenCountry: true } });
    expect(venue.refused(ALICE, play)).toBe('EmailNotConfirmed');
  });

  test('a blocked account places nothing', () => {
    const venue = new TestVenue({ alice: { blocked: true, forbiddenCountry: true } });
    expect(venue.refused(ALICE, play)).toBe('UserBlockedBets');
  });

  test('a forbidden country and a missing permission concern real money only', () => {
    const abroad = new TestVenue({ alice: { forbiddenCountry: true, realCurrencyEnabled: false } });
    expect(abroad.refused(ALICE, real)).toBe('RealMoneyForbiddenCountry');
    expect(abroad.refused(ALICE, play)).toBe('taken');
    const plain = new TestVenue({ alice: { realCurrencyEnabled: false } });
    expect(plain.refused(ALICE, real)).toBe('RealMoneyBetNotAllowed');
    expect(plain.refused(ALICE, play)).toBe('taken');
  });

  test('the account is checked before the market, the market before the order', () => {
    const venue = new TestVenue({ alice: { blocked: true } });
    const nowhere = { marketId: marketId(999) };
    expect(venue.refused(ALICE, 'bid long 0 @ 0.5', nowhere)).toBe('UserBlockedBets');
    expect(venue.fields(BOB, 'bid long 0 @ 0.5', nowhere)).toEqual(['market']);
    expect(venue.refused(BOB, 'bid long 0 @ 0.5')).toBe('InvalidShares');
  });
});

describe('market checks', () => {
  test('an event that does not own the market is named', () => {
    const venue = new TestVenue();
    expect(venue.fields(ALICE, 'bid long 1 @ 0.5', { eventId: eventId(11) })).toEqual(['event']);
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5', { eventId: eventId(10) })).toBe('taken');
  });

  test('disabled comes before closed, closed before a closed order book', () => {
    const venue = new TestVenue();
    venue.run({ kind: 'set-market-status', marketId: marketId(100), status: 'paused', disabled: true });
    venue.run({ kind: 'set-event-status', eventId: eventId(10), status: 'paused' });
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5')).toBe('OutcomeDisabled');
    venue.run({ kind: 'set-market-status', marketId: marketId(100), disabled: false });
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5')).toBe('MarketClosed');
    venue.run({ kind: 'set-event-status', eventId: eventId(10), status: 'open' });
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5')).toBe('OrderBookMarketClosed');
    venue.run({ kind: 'set-market-status', marketId: marketId(100), status: 'active' });
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5')).toBe('taken');
  });
});

describe('order checks', () => {
  test.each([
    ['off the tick', 5_050],
    ['zero', 0],
    ['one', 10_000],
    ['negative', -100],
    ['finer than the grid', 5_000.5],
    ['no number', Number.NaN],
    ['too large to be a number', 1e308],
  ])('a price that is %s is refused by its field', (_, price) => {
    expect(new TestVenue().fields(ALICE, 'bid long 1 @ 0.5', { price })).toEqual(['price']);
  });

  test.each([
    ['zero', 0],
    ['negative', -100],
    ['off the grid', 0.5],
    ['no number', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
    ['beyond exact arithmetic', 1e15],
  ])('shares that are %s are InvalidShares', (_, shares) => {
    expect(new TestVenue().refused(ALICE, 'bid long 1 @ 0.5', { shares })).toBe('InvalidShares');
  });

  test('what is wrong with the request itself comes before account and market', () => {
    const blocked = new TestVenue({ alice: { blocked: true } });
    blocked.run({ kind: 'set-event-status', eventId: EVENT, status: 'paused' });
    const wrong = [{ price: 15_000 }, { price: 0.5 }, { shares: null }, { amount: -1 }];
    for (const more of wrong)
      expect(blocked.refused(ALICE, 'bid long 1 @ 0.5', more)).toBe('ValidationError');
    expect(blocked.refused(ALICE, 'bid long 1 @ 0.505')).toBe('UserBlockedBets');
    expect(blocked.refused(BOB, 'bid long 1 @ 0.505')).toBe('MarketClosed');
  });

  test('neither shares nor amount is refused by its field', () => {
    const venue = new TestVenue();
    expect(venue.fields(ALICE, 'bid long 1 @ 0.5', { shares: null })).toEqual(['shares']);
    expect(venue.fields(ALICE, 'bid long 1', { shares: null })).toEqual(['shares']);
  });

  test('an amount must be positive, exact, and agree with price x shares to half a cent', () => {
    const venue = new TestVenue();
    const amounts = [0, -1, 0.5, Number.NaN, 5_005_001, 4_994_999];
    for (const amount of amounts) {
      expect(venue.fields(ALICE, 'bid long 10 @ 0.5', { amount })).toEqual(['amount']);
    }
    expect(venue.refused(ALICE, 'bid long 10 @ 0.5', { amount: 5_005_000 })).toBe('taken');
  });

  test('an expiry in the past or now is refused by its field', () => {
    const venue = new TestVenue();
    for (const expiresAt of [venue.at, Number.NaN as Micros, 1e300 as Micros]) {
      expect(venue.fields(ALICE, 'bid long 1 @ 0.5', { expiresAt })).toEqual(['expired_at']);
    }
    const later = (venue.at + 1) as Micros;
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5', { expiresAt: later })).toBe('taken');
  });

  test('price x shares outside the event’s limits is OrderBookInvalidAmount', () => {
    const venue = new TestVenue({
      event: { minAmount: 1_000_000 as Money, maxAmount: 10_000_000 as Money },
    });
    expect(venue.refused(ALICE, 'bid long 1.99 @ 0.5')).toBe('OrderBookInvalidAmount');
    expect(venue.refused(ALICE, 'bid long 2 @ 0.5')).toBe('taken');
    expect(venue.refused(ALICE, 'bid long 20 @ 0.5')).toBe('taken');
    expect(venue.refused(ALICE, 'bid long 20.01 @ 0.5')).toBe('OrderBookInvalidAmount');
    expect(venue.refused(ALICE, 'bid long for 0.99')).toBe('OrderBookInvalidAmount');
    expect(venue.refused(ALICE, 'bid long for 10.01')).toBe('OrderBookInvalidAmount');
  });

  test('an order that may rest and is larger than a book can hold is OrderBookInvalidAmount', () => {
    const venue = new TestVenue({ event: { maxAmount: 10_000_000_000_000 as Money } });
    expect(venue.refused(ALICE, 'bid long 21474836.48 @ 0.01')).toBe('OrderBookInvalidAmount');
    expect(venue.refused(ALICE, 'bid long 21474836.47 @ 0.01')).toBe('UserNotEnoughBalance');
    expect(venue.refused(ALICE, 'bid long for 214748.37 @ 0.01')).toBe('OrderBookInvalidAmount');
    expect(venue.refused(ALICE, 'bid long for 214748.36 @ 0.01')).toBe('UserNotEnoughBalance');
  });

  test('a bid must be paid for with its fee, an ask needs its shares free', () => {
    const venue = new TestVenue({ alice: { balances: { USDC: 5_000_000 as Money } } });
    expect(venue.refused(ALICE, 'bid long 10 @ 0.5')).toBe('UserNotEnoughBalance');
    expect(venue.refused(ALICE, 'bid long 9.98 @ 0.5')).toBe('taken');
    expect(venue.cash(ALICE)).toBeCloseTo(5 - 9.98 * 0.501, 6);
    expect(venue.refused(ALICE, 'ask short 1 @ 0.9')).toBe('UserNotEnoughBalance');
  });

  test('a refused order changes nothing', () => {
    const venue = new TestVenue();
    const before = venue.exchange.ledger();
    venue.refused(ALICE, 'bid long 9999 @ 0.99');
    expect(venue.events).toEqual([]);
    expect(venue.exchange.ledger()).toEqual(before);
  });
});

describe('matching', () => {
  test('price, then time; the resting price holds and the incoming order gets the improvement', () => {
    const venue = new TestVenue();
    const late = venue.placed(BOB, 'bid long 5 @ 0.55');
    const best = venue.placed(CAROL, 'bid long 5 @ 0.56');
    const later = venue.placed(CAROL, 'bid long 5 @ 0.55');
    const taker = venue.placed(ALICE, 'bid short 12 @ 0.45');
    expect(taker).toMatchObject({ status: 'filled', filled: 1_200 });
    expect(taker.filledAmount).toBe(500 * 4_400 + 700 * 4_500);
    expect(venue.orderOf(CAROL, best.id).status).toBe('filled');
    expect(venue.orderOf(BOB, late.id).status).toBe('filled');
    expect(venue.orderOf(CAROL, later.id)).toMatchObject({ status: 'partial_filled', filled: 200 });
    expect(venue.ladder()).toBe('3 |0.55|');
  });

  test('what an improvement saves becomes spendable again', () => {
    const venue = new TestVenue({ exchange: { fees: FREE } });
    venue.placed(BOB, 'bid short 10 @ 0.6');
    venue.placed(ALICE, 'bid long 10 @ 0.7');
    expect(venue.cash(ALICE)).toBe(1_000 - 4);
    expect(venue.locked(ALICE)).toBe(0);
  });

  test('one book in long-side prices: a bid on short stands among the asks', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 5 @ 0.40');
    venue.placed(ALICE, 'bid short 4 @ 0.45');
    venue.placed(BOB, 'bid short 6 @ 0.45');
    venue.placed(BOB, 'bid long 2 @ 0.41');
    expect(venue.ladder()).toBe(
      ladder(`
          |0.55| 10
        2 |0.41|
        5 |0.40|
      `),
    );
  });

  test('the modes have books of their own', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 5 @ 0.6 OOM');
    venue.placed(BOB, 'bid short 5 @ 0.6 USDC');
    expect(venue.ladder(marketId(100), 'play_money')).toBe('5 |0.60|');
    expect(venue.ladder(marketId(100), 'real_money')).toBe('|0.40| 5');
  });

  test('a limit order by amount has floor(amount / price) shares', () => {
    const venue = new TestVenue();
    expect(venue.placed(ALICE, 'bid long for 10 @ 0.3')).toMatchObject({ shares: 3_333, amount: 9_999_000 });
    expect(venue.refused(ALICE, 'bid long for 0.002 @ 0.3')).toBe('OrderBookInvalidAmount');
  });
});

const FREE = {
  play_money: { taker: 0 as Money, maker: 0 as Money },
  real_money: { taker: 0 as Money, maker: 0 as Money },
};

describe('market orders', () => {
  const stocked = (): TestVenue => {
    const venue = new TestVenue({ exchange: { fees: FREE } });
    venue.placed(BOB, 'bid short 10 @ 0.5');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    return venue;
  };

  test('by shares: fills at the best prices, what it cannot fill is cancelled', () => {
    const venue = stocked();
    expect(venue.placed(ALICE, 'bid long 15')).toMatchObject({
      status: 'filled',
      price: null,
      filledAmount: 1_000 * 5_000 + 500 * 6_000,
    });
    const rest = venue.placed(ALICE, 'bid long 9');
    expect(rest).toMatchObject({ status: 'canceled', filled: 500 });
    expect(venue.said('order-update').at(-1)).toMatchObject({
      status: 'canceled',
      previousStatus: 'partial_filled',
      cancelReason: 'unfilled-market-order',
      systemInitiated: true,
    });
    expect(venue.placed(ALICE, 'bid long 1')).toMatchObject({ status: 'canceled', filled: 0 });
  });

  test('by amount: spends at most its amount, fees included', () => {
    const venue = new TestVenue();
    venue.placed(BOB, 'bid short 10 @ 0.5');
    const bought = venue.placed(ALICE, 'bid long for 2');
    expect(bought).toMatchObject({ status: 'filled', shares: 399, filled: 399, amount: 2_000_000 });
    expect(venue.cash(ALICE)).toBeCloseTo(1_000 - 3.99 * 0.501, 6);
  });

  test('by shares and amount: whichever comes first', () => {
    const venue = stocked();
    expect(venue.placed(ALICE, 'bid long 15', { amount: 5_600_000 })).toMatchObject({ filled: 1_100 });
    expect(venue.placed(ALICE, 'bid long 2', { amount: 5_600_000 })).toMatchObject({ status: 'filled' });
  });

  test('by amount against an empty book is cancelled', () => {
    expect(new TestVenue().placed(ALICE, 'bid long for 2')).toMatchObject({ status: 'canceled', filled: 0 });
  });

  test('by amount is filled when its amount is used up just as the book is empty, canceled when some is left', () => {
    const venue = new TestVenue();
    venue.placed(BOB, 'bid short 2 @ 0.5 OOM');
    expect(venue.placed(ALICE, 'bid long for 1 OOM')).toMatchObject({ status: 'filled', filled: 200 });
    venue.placed(BOB, 'bid short 2 @ 0.5 OOM');
    expect(venue.placed(ALICE, 'bid long for 1.01 OOM')).toMatchObject({ status: 'canceled', filled: 200 });
  });

  test('what it would cost must be there', () => {
    const venue = new TestVenue({
      exchange: { fees: FREE },
      alice: { balances: { USDC: 4_000_000 as Money } },
    });
    venue.placed(BOB, 'bid short 10 @ 0.5');
    expect(venue.refused(ALICE, 'bid long 10')).toBe('UserNotEnoughBalance');
    expect(venue.refused(ALICE, 'bid long for 4.01')).toBe('UserNotEnoughBalance');
    expect(venue.placed(ALICE, 'bid long 8')).toMatchObject({ status: 'filled' });
  });

  test('selling: by shares and by amount, never more than is held', () => {
    const venue = stocked();
    venue.placed(ALICE, 'bid long 10');
    venue.placed(CAROL, 'bid long 20 @ 0.3');
    expect(venue.refused(ALICE, 'ask long 10.01')).toBe('UserNotEnoughBalance');
    expect(venue.placed(ALICE, 'ask long for 1.5')).toMatchObject({ status: 'filled', filled: 500 });
    expect(venue.placed(ALICE, 'ask long 5')).toMatchObject({ status: 'filled', filledAmount: 1_500_000 });
    expect(venue.refused(ALICE, 'ask long for 1')).toBe('UserNotEnoughBalance');
  });

  test('a short market order takes the long bids', () => {
    const venue = new TestVenue({ exchange: { fees: FREE } });
    venue.placed(BOB, 'bid long 10 @ 0.7');
    expect(venue.placed(ALICE, 'bid short for 1.5')).toMatchObject({ filled: 500, filledAmount: 1_500_000 });
  });

  test('what the book holds for it is held to the event’s limits', () => {
    const venue = new TestVenue({ event: { maxAmount: 3_000_000 as Money } });
    venue.placed(BOB, 'bid short 5 @ 0.5');
    venue.placed(CAROL, 'bid short 5 @ 0.5');
    expect(venue.refused(ALICE, 'bid long 7')).toBe('OrderBookInvalidAmount');
    expect(venue.refused(ALICE, 'bid long 6')).toBe('taken');
  });

  test('limits and funds count others’ volume alone: its own is cancelled before it trades', () => {
    const venue = new TestVenue({
      exchange: { fees: FREE },
      event: { minAmount: 1_000_000 as Money, maxAmount: 3_000_000 as Money },
      alice: { balances: { USDC: 10_000_000 as Money } },
    });
    const cancelling = { cancelConflicting: true };
    venue.placed(ALICE, 'bid short 5 @ 0.6');
    venue.placed(BOB, 'bid short 6 @ 0.4');
    venue.placed(CAROL, 'bid short 6 @ 0.4');
    expect(venue.refused(ALICE, 'bid long 6', cancelling)).toBe('OrderBookInvalidAmount');
    expect(venue.placed(ALICE, 'bid long 5', cancelling)).toMatchObject({ filledAmount: 3_000_000 });
    venue.placed(ALICE, 'bid short 2 @ 0.6');
    expect(venue.refused(ALICE, 'bid long 2')).toBe('OrderBookConflictingOrders');
    expect(venue.placed(ALICE, 'bid long 2', cancelling)).toMatchObject({ filledAmount: 1_200_000 });
  });

  test('what it would cost is what others ask for', () => {
    const venue = new TestVenue({
      exchange: { fees: FREE },
      alice: { balances: { USDC: 4_000_000 as Money } },
    });
    venue.placed(ALICE, 'bid short 5 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.2');
    const cancelling = { cancelConflicting: true };
    expect(venue.refused(ALICE, 'bid long 5.01', cancelling)).toBe('UserNotEnoughBalance');
    expect(venue.placed(ALICE, 'bid long 5', cancelling)).toMatchObject({ status: 'filled' });
  });
});

describe('conflicts', () => {
  test('orders of one account that could trade with each other are refused', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 5 @ 0.60');
    expect(venue.refused(ALICE, 'bid short 5 @ 0.40')).toBe('OrderBookConflictingOrders');
    expect(venue.refused(ALICE, 'bid short 5')).toBe('OrderBookConflictingOrders');
    expect(venue.refused(ALICE, 'bid short 5 @ 0.39')).toBe('taken');
    expect(venue.refused(ALICE, 'bid short 5 @ 0.40 USD')).toBe('OrderBookConflictingOrders');
    expect(venue.refused(ALICE, 'bid short 5 @ 0.40 OOM')).toBe('taken');
    expect(venue.refused(ALICE, 'bid short 5 @ 0.40', { marketId: marketId(101) })).toBe('taken');
  });

  test('a conflict behind better orders of others still is one', () => {
    const venue = new TestVenue();
    venue.placed(BOB, 'bid long 50 @ 0.65');
    venue.placed(ALICE, 'bid long 5 @ 0.60');
    expect(venue.refused(ALICE, 'bid short 5 @ 0.40')).toBe('OrderBookConflictingOrders');
  });

  test('are cancelled when told so, oldest first, and only the conflicting ones', () => {
    const venue = new TestVenue();
    const first = venue.placed(ALICE, 'bid long 5 @ 0.60');
    const second = venue.placed(ALICE, 'bid long 5 @ 0.62');
    const kept = venue.placed(ALICE, 'bid long 5 @ 0.59');
    const outcome = venue.place(ALICE, 'bid short 5 @ 0.40', { cancelConflicting: true });
    expect(outcome).toMatchObject({ ok: true, cancelledIds: [first.id, second.id] });
    expect(venue.said('order-update').map((update) => [update.orderId, update.cancelReason])).toEqual([
      [first.id, 'conflicting-order'],
      [second.id, 'conflicting-order'],
      [4, null],
    ]);
    expect(venue.orderOf(ALICE, kept.id).status).toBe('open');
  });

  test('what they locked pays for the new order, and nothing is cancelled when even that is too little', () => {
    const venue = new TestVenue({
      exchange: { fees: FREE },
      alice: { balances: { USDC: 3_000_000 as Money } },
    });
    const old = venue.placed(ALICE, 'bid long 5 @ 0.60');
    const replacing = { cancelConflicting: true };
    expect(venue.refused(ALICE, 'bid short 7 @ 0.45', replacing)).toBe('UserNotEnoughBalance');
    expect(venue.orderOf(ALICE, old.id).status).toBe('open');
    expect(venue.refused(ALICE, 'bid short 6 @ 0.45', replacing)).toBe('taken');
    expect(venue.orderOf(ALICE, old.id).status).toBe('canceled');
  });

  test('an order in processing cannot be cancelled, so it stays a conflict', () => {
    const venue = new TestVenue({ exchange: { processingDelayMs: 1_000 } });
    venue.placed(ALICE, 'bid long 5 @ 0.60');
    expect(venue.refused(ALICE, 'bid short 5 @ 0.40', { cancelConflicting: true })).toBe(
      'OrderBookConflictingOrders',
    );
  });

  test('within a batch the items see each other', () => {
    const venue = new TestVenue();
    const { outcome } = venue.run({
      kind: 'place-batch',
      account: ALICE,
      request: null,
      orders: [
        order('bid long 5 @ 0.60'),
        order('bid short 5 @ 0.40'),
        order('bid short 5 @ 0.41', { cancelConflicting: true }),
        order('bid long 0 @ 0.60'),
      ],
    });
    expect(outcome).toMatchObject({
      ok: true,
      items: [
        { ok: true, value: { id: 1, status: 'open' } },
        { ok: false, why: { code: 'OrderBookConflictingOrders' } },
        { ok: true, value: { id: 2, status: 'open' } },
        { ok: false, why: { code: 'InvalidShares' } },
      ],
      cancelledIds: [1],
    });
  });
});
