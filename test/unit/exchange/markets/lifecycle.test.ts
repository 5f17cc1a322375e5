import { describe, expect, test } from 'vitest';
import { accountId, eventId, marketId } from '../../../../src/exchange/contract/ids.js';
import type { Micros, Money } from '../../../../src/domain/units.js';
import type { EventStatus } from '../../../../src/domain/vocabulary.js';
import { eventConfig, marketConfig } from '../../../../src/exchange/defaults.js';
import { ALICE, BOB, EVENT, RED, TestVenue } from '../../../support/exchange/test-venue.js';

const setEvent = (venue: TestVenue, status: EventStatus) =>
  venue.run({ kind: 'set-event-status', eventId: EVENT, status }).outcome;

describe('event status', () => {
  test('a pause leaves orders resting without matching and takes no new ones', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5');
    setEvent(venue, 'paused');
    expect(venue.orderOf(ALICE, bid.id).status).toBe('open');
    expect(venue.refused(BOB, 'bid short 5 @ 0.5')).toBe('MarketClosed');
    expect(venue.update(ALICE, { orderId: bid.id, price: 5_100 })).toMatchObject([
      { ok: false, why: { code: 'MarketClosed' } },
    ]);
    expect(venue.cancel(ALICE, bid.id).ok).toBe(true);
    setEvent(venue, 'open');
    expect(venue.refused(BOB, 'bid short 5 @ 0.5')).toBe('taken');
  });

  test.each(['stopped', 'cancelled'] as const)('%s cancels every order', (status) => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5');
    setEvent(venue, status);
    expect(venue.orderOf(ALICE, bid.id).status).toBe('canceled');
    expect(venue.said('order-update')).toMatchObject([
      {
        status: 'canceled',
        systemInitiated: true,
        cancelReason: status === 'stopped' ? 'market-closed' : 'event-cancelled',
      },
    ]);
  });

  test('tells the status with what it was before, and the live data', () => {
    const venue = new TestVenue();
    setEvent(venue, 'paused');
    expect(venue.said('market-status-change')).toEqual([
      {
        kind: 'market-status-change',
        eventId: EVENT,
        marketId: null,
        status: 'paused',
        previousStatus: 'open',
        betStart: null,
        betEnd: null,
        disabled: false,
        at: venue.at,
      },
    ]);
    expect(venue.said('live-data-update')).toMatchObject([{ eventId: EVENT, status: 'paused' }]);
    setEvent(venue, 'paused');
    expect(venue.events).toEqual([]);
  });

  test.each([
    ['open', 'resolved'],
    ['open', 'reversed'],
    ['cancelled', 'open'],
  ] as const)('an administrator cannot go from %s to %s by hand', (from, to) => {
    const venue = new TestVenue();
    if (from !== 'open') setEvent(venue, from);
    expect(setEvent(venue, to)).toMatchObject({ ok: false, why: 'invalid' });
  });

  test('a resolved event is only reversed', () => {
    const venue = new TestVenue();
    venue.resolve({ 100: 'long', 101: 'short' });
    expect(setEvent(venue, 'open')).toMatchObject({ ok: false });
    expect(setEvent(venue, 'cancelled')).toMatchObject({ ok: false });
  });
});

describe('market status', () => {
  const set = (venue: TestVenue, change: object) =>
    venue.run({ kind: 'set-market-status', marketId: RED, ...change }).outcome;

  test('a disabled market keeps its orders and takes no new ones; its wagers show it', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(BOB, 'bid short 2 @ 0.5');
    set(venue, { disabled: true });
    expect(venue.refused(BOB, 'bid short 1 @ 0.5')).toBe('OutcomeDisabled');
    expect(venue.ladder()).toBe('3 |0.50|');
    const wagers = venue.exchange.wagers({ viewer: ALICE, limit: 10, offset: 0 }).results;
    expect(wagers).toMatchObject([{ status: 'disabled' }]);
    set(venue, { disabled: false });
    expect(venue.refused(BOB, 'bid short 1 @ 0.5')).toBe('taken');
  });

  test('stopped cancels its orders and leaves the other markets alone', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(ALICE, 'bid long 5 @ 0.5', { marketId: marketId(101) });
    set(venue, { status: 'stopped' });
    expect(venue.ladder()).toBe('');
    expect(venue.ladder(marketId(101))).toBe('5 |0.50|');
    expect(venue.refused(BOB, 'bid short 1 @ 0.5')).toBe('OrderBookMarketClosed');
    expect(venue.said('market-status-change')).toEqual([]);
  });

  test('a change to what it is already is not told', () => {
    const venue = new TestVenue();
    const betEnd = venue.after(60);
    const set = (change: object) => venue.run({ kind: 'set-market-status', marketId: RED, ...change });
    set({ status: 'paused', disabled: true, betEnd });
    expect(venue.said('market-status-change')).toHaveLength(1);
    for (const change of [{ status: 'paused' }, { disabled: true }, { betEnd }, {}]) {
      expect(set(change).outcome.ok).toBe(true);
      expect(venue.events).toEqual([]);
    }
  });

  test('cancelled voids the market alone', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(BOB, 'bid short 5 @ 0.5');
    set(venue, { status: 'cancelled' });
    expect([venue.cash(ALICE), venue.cash(BOB)]).toEqual([1_000, 1_000]);
    expect(venue.exchange.event(EVENT)?.status).toBe('open');
    expect(set(venue, { status: 'active' })).toMatchObject({ ok: false });
  });

  test('is not resolved or reversed by hand', () => {
    const venue = new TestVenue();
    expect(set(venue, { status: 'resolved' })).toMatchObject({ ok: false, why: 'invalid' });
    expect(set(venue, { status: 'reversed' })).toMatchObject({ ok: false, why: 'invalid' });
  });

  test('has its own bet end', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(ALICE, 'bid long 5 @ 0.5', { marketId: marketId(101) });
    set(venue, { betEnd: venue.after(5) });
    expect(venue.said('market-status-change')).toMatchObject([{ marketId: RED, betEnd: venue.after(5) }]);
    venue.pass(5);
    expect(venue.said('market-status-change')).toMatchObject([{ marketId: RED, status: 'active' }]);
    expect([venue.ladder(), venue.ladder(marketId(101))]).toEqual(['', '5 |0.50|']);
    expect(venue.refused(BOB, 'bid short 1 @ 0.5')).toBe('MarketClosed');
    set(venue, { betEnd: null });
    expect(venue.refused(BOB, 'bid short 1 @ 0.5')).toBe('taken');
  });
});

describe('the bet window', () => {
  const START = 1_767_225_600_000_000;
  const windowed = (): TestVenue =>
    new TestVenue({
      event: { betStart: (START + 10_000_000) as Micros, betEnd: (START + 20_000_000) as Micros },
    });

  test('orders are taken from its start until before its end, when what rests is cancelled', () => {
    const venue = windowed();
    expect(venue.refused(ALICE, 'bid long 5 @ 0.5')).toBe('MarketClosed');
    venue.pass(10);
    expect(venue.said('market-status-change')).toMatchObject([{ marketId: null, status: 'open' }]);
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.pass(9.999999);
    expect(venue.refused(BOB, 'bid short 1 @ 0.5')).toBe('taken');
    venue.pass(0.000001);
    expect(venue.said('market-status-change')).toMatchObject([{ marketId: null, status: 'open' }]);
    expect(venue.said('order-update')).toMatchObject([{ orderId: bid.id, cancelReason: 'market-closed' }]);
    expect(venue.refused(BOB, 'bid short 1 @ 0.5')).toBe('MarketClosed');
  });

  test('nextDue names its edges', () => {
    const venue = windowed();
    expect(venue.exchange.nextDue()).toBe(venue.after(10));
    venue.pass(10);
    expect(venue.exchange.nextDue()).toBe(venue.after(10));
    venue.pass(10);
    expect(venue.exchange.nextDue()).toBeNull();
  });
});

describe('administration', () => {
  test('an event and a market can be added and traded; each market is announced', () => {
    const venue = new TestVenue();
    const added = eventConfig({
      id: eventId(20),
      title: 'Another one',
      markets: [marketConfig({ id: marketId(200), title: 'Yes' })],
    });
    expect(venue.run({ kind: 'add-event', event: added }).outcome).toEqual({ ok: true });
    expect(venue.said('new-market')).toEqual([{ kind: 'new-market', marketId: 200, eventId: 20 }]);
    const market = marketConfig({ id: marketId(201), title: 'Perhaps', tickUnits: 10 });
    venue.run({ kind: 'add-market', eventId: eventId(20), market });
    expect(venue.said('new-market')).toEqual([{ kind: 'new-market', marketId: 201, eventId: 20 }]);
    expect(venue.refused(ALICE, 'bid long 1 @ 0.505', { marketId: marketId(201) })).toBe('taken');
  });

  test('a market joins an event that is resolved only where it shall open again, and never one that is cancelled', () => {
    const venue = new TestVenue();
    const { markets } = venue.exchange.event(EVENT)!;
    const resolutions = markets.map(({ id }) => ({ marketId: id, resolution: 'short' as const }));
    venue.run({ kind: 'resolve-event', eventId: EVENT, resolutions });
    expect(venue.exchange.event(EVENT)!.status).toBe('resolved');
    const join = (id: number, reopens?: true) => {
      const market = marketConfig({ id: marketId(id), title: 'Late' });
      return venue.run({ kind: 'add-market', eventId: EVENT, market, ...(reopens && { reopens }) }).outcome;
    };
    expect(join(300)).toMatchObject({ ok: false, why: 'invalid' });
    expect(join(300, true)).toEqual({ ok: true });
    expect(venue.exchange.event(EVENT)!).toMatchObject({ status: 'open', resolvedAt: null });
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'cancelled' });
    expect(join(301, true)).toMatchObject({ ok: false, why: 'invalid' });
  });

  test('ids that are taken are refused', () => {
    const venue = new TestVenue();
    const red = marketConfig({ id: RED, title: 'Red again' });
    const twice = eventConfig({ id: EVENT, title: 'Again', markets: [] });
    const foreign = eventConfig({ id: eventId(20), title: 'Other', markets: [red] });
    expect(venue.run({ kind: 'add-event', event: twice }).outcome).toMatchObject({ ok: false });
    expect(venue.run({ kind: 'add-event', event: foreign }).outcome).toMatchObject({ ok: false });
    expect(venue.run({ kind: 'add-market', eventId: EVENT, market: red }).outcome).toMatchObject({
      ok: false,
    });
  });

  test.each([0, 0.5, 10_000, 3])('a tick of %d price units is refused', (tickUnits) => {
    const market = marketConfig({ id: marketId(300), title: 'Odd', tickUnits });
    expect(new TestVenue().run({ kind: 'add-market', eventId: EVENT, market }).outcome).toMatchObject({
      ok: false,
      why: 'invalid',
    });
  });

  test('unknown events, markets and accounts are not found', () => {
    const venue = new TestVenue();
    const nowhere = eventId(99);
    const commands = [
      { kind: 'set-event-status', eventId: nowhere, status: 'open' },
      { kind: 'set-market-status', marketId: marketId(999) },
      { kind: 'resolve-event', eventId: nowhere, resolutions: [] },
      { kind: 'reverse-event', eventId: nowhere },
      { kind: 'set-live', eventId: nowhere, isLive: true, extraData: null },
      { kind: 'post-comment', eventId: nowhere, account: ALICE, content: '?' },
      { kind: 'post-comment', eventId: EVENT, account: accountId(99), content: '?' },
      { kind: 'deposit', account: accountId(99), currency: 'USDC', amount: 1 as Money },
      { kind: 'add-market', eventId: nowhere, market: marketConfig({ id: marketId(300), title: 'X' }) },
    ] as const;
    for (const command of commands) {
      expect(venue.run(command).outcome).toMatchObject({ ok: false, why: 'not-found' });
    }
  });

  test('a deposit is told with its amount and balanced by the world', () => {
    const venue = new TestVenue();
    venue.run({ kind: 'deposit', account: ALICE, currency: 'USDC', amount: 2_500_000 as Money });
    expect(venue.kinds()).toEqual(['deposit-success', 'balance-changed']);
    expect(venue.said('deposit-success')).toMatchObject([{ amount: 2_500_000, currency: 'USDC' }]);
    expect(venue.cash(ALICE)).toBe(1_002.5);
    const nothing = venue.run({ kind: 'deposit', account: ALICE, currency: 'USDC', amount: 0 as Money });
    expect(nothing.outcome).toMatchObject({ ok: false, why: 'invalid' });
    const tooMuch = {
      kind: 'deposit',
      account: ALICE,
      currency: 'USDC',
      amount: Number.MAX_SAFE_INTEGER as Money,
    } as const;
    expect(venue.run(tooMuch).outcome).toMatchObject({ ok: false, why: 'invalid' });
  });

  test('a comment is told five seconds after it was posted', () => {
    const venue = new TestVenue();
    venue.run({ kind: 'post-comment', eventId: EVENT, account: ALICE, content: 'Red, surely.' });
    const postedAt = venue.at;
    expect(venue.events).toEqual([]);
    venue.pass(4.999999);
    expect(venue.events).toEqual([]);
    venue.pass(0.000001);
    expect(venue.events).toEqual([
      {
        kind: 'market-comment',
        commentId: 1,
        eventId: EVENT,
        account: ALICE,
        content: 'Red, surely.',
        postedAt,
      },
    ]);
  });

  test('live data and the test event are told at once', () => {
    const venue = new TestVenue();
    venue.run({ kind: 'set-live', eventId: EVENT, isLive: true, extraData: { score: '1:0' } });
    expect(venue.events).toMatchObject([
      { kind: 'live-data-update', isLive: true, extraData: { score: '1:0' }, resolution: null },
    ]);
    venue.run({ kind: 'send-test-event' });
    expect(venue.events).toEqual([{ kind: 'test-event', at: venue.at }]);
  });

  test('a registered safe answers with the account', () => {
    const venue = new TestVenue();
    const { outcome } = venue.run({
      kind: 'register-safe',
      account: ALICE,
      safeAddress: '0xabc',
      chainId: 137,
    });
    expect(outcome).toMatchObject({ ok: true, account: { id: ALICE, walletUser: false } });
  });
});
