import { NO_OWN_LEVELS } from '../../../../../src/core/mirror/books/foreign-book.js';
import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../../../src/domain/ids.js';
import type { MarketStatusInput, EventStatusInput } from '../../../../../src/domain/inputs.js';
import { type Micros, micros } from '../../../../../src/domain/units.js';
import {
  EVENT,
  MARKET,
  MirrorDriver,
  OTHER_MARKET,
  START,
  eventOf,
  marketOf,
} from '../../../../support/mirror/mirror-driver.js';

const at = (driver: MirrorDriver, ms = 0): Micros => micros(driver.now + ms * 1_000);

const change = (driver: MirrorDriver, changes: Partial<MarketStatusInput>): MirrorDriver =>
  driver.apply({
    kind: 'market-status',
    understood: true,
    eventId: EVENT,
    marketId: MARKET,
    venueTime: driver.now,
    ...changes,
  });

const priceChange = (driver: MirrorDriver, changes: Partial<EventStatusInput> = {}): MirrorDriver =>
  driver.apply({
    kind: 'event-status',
    eventId: EVENT,
    status: 'open',
    mode: 'play_money',
    wagerable: true,
    volumePlayMoney: null,
    volumeRealMoney: null,
    markets: [],
    ...changes,
  });

const stateOf = (driver: MirrorDriver, market = MARKET): string => {
  const { state, reason } = driver.mirror.tradability(market, driver.now);
  return `${state}: ${reason}`;
};

const missing = {
  kind: 'refused',
  status: 404,
  code: 'NotFound',
  means: 'not-found',
  detail: '',
  retryAfterMs: null,
} as const;

describe('tradability by statuses', () => {
  it.each([
    ['paused', 'paused: event-paused'],
    ['stopped', 'closed: event-stopped'],
    ['resolved', 'closed: event-resolved'],
    ['cancelled', 'closed: event-cancelled'],
    ['reversed', 'closed: event-reversed'],
  ] as const)('an event that is %s halts all its markets', (status, expected) => {
    const driver = change(new MirrorDriver().goLive(), { marketId: null, status });
    expect([stateOf(driver), stateOf(driver, OTHER_MARKET)]).toEqual([expected, expected]);
    expect(driver.mirror.drainDirty()).toEqual([MARKET, OTHER_MARKET]);
  });

  it.each([
    ['paused', 'paused: market-paused'],
    ['stopped', 'closed: market-stopped'],
    ['resolved', 'closed: market-resolved'],
    ['cancelled', 'closed: market-cancelled'],
    ['reversed', 'closed: market-reversed'],
  ] as const)('a market that is %s halts alone', (status, expected) => {
    const driver = change(new MirrorDriver().goLive(), { status });
    expect([stateOf(driver), stateOf(driver, OTHER_MARKET)]).toEqual([expected, 'tradable: open']);
  });

  it('comes back with the status', () => {
    const driver = change(new MirrorDriver().goLive(), { status: 'paused' });
    expect(stateOf(change(driver, { status: 'active' }))).toBe('tradable: open');
  });

  it('a disabled market is paused, a whole event disabled pauses all', () => {
    const driver = change(new MirrorDriver().goLive(), { disabled: true });
    expect(stateOf(driver)).toBe('paused: market-disabled');
    change(driver, { marketId: null, disabled: true });
    expect(stateOf(driver, OTHER_MARKET)).toBe('paused: market-disabled');
  });

  it('what is said of a whole event does not enable a market that is disabled by itself', () => {
    const driver = change(new MirrorDriver().goLive(), { disabled: true });
    change(driver, { marketId: null, disabled: false });
    expect(stateOf(driver)).toBe('paused: market-disabled');
  });

  it('an older message is dropped, one without a time is not', () => {
    const driver = change(new MirrorDriver().goLive(), { status: 'paused' });
    change(driver, { status: 'active', venueTime: at(driver, -1) });
    expect(stateOf(driver)).toBe('paused: market-paused');
    change(driver, { status: 'active', venueTime: null });
    expect(stateOf(driver)).toBe('tradable: open');
  });

  it('a price change tells statuses, resolutions and, for this mode, whether wagers are taken', () => {
    const driver = priceChange(new MirrorDriver().goLive(), { wagerable: false });
    expect(stateOf(driver)).toBe('paused: event-not-wagerable');
    priceChange(driver, { wagerable: false, mode: 'real_money' });
    priceChange(driver, {
      markets: [{ marketId: MARKET, status: 'active', resolution: 'long' }],
    });
    expect(stateOf(driver)).toBe('closed: resolution-known');
    expect(stateOf(driver, OTHER_MARKET)).toBe('tradable: open');
  });

  it('a change of the event status outdates what was said of wagers before', () => {
    const driver = priceChange(new MirrorDriver().goLive(), { wagerable: false, status: 'paused' });
    change(driver, { marketId: null, status: 'open' });
    expect(stateOf(driver)).toBe('tradable: open');
  });

  it('live data tells the event status, start and whether it is live', () => {
    const driver = new MirrorDriver().goLive();
    driver.apply({
      kind: 'event-live',
      eventId: EVENT,
      status: 'paused',
      resolution: null,
      isLive: true,
      eventStart: START,
      eventEnd: null,
    });
    expect(stateOf(driver)).toBe('paused: event-paused');
    expect(driver.mirror.event(EVENT)).toMatchObject({ isLive: true, eventStart: START, eventEnd: null });
  });

  it('a message without a time halts at once, but a halt is lifted by a read', () => {
    const driver = priceChange(change(new MirrorDriver().goLive(), { status: 'paused' }), {
      markets: [{ marketId: MARKET, status: 'active', resolution: null }],
    });
    expect(stateOf(driver)).toBe('paused: market-paused');
    expect(stateOf(driver.wait(1).readAll())).toBe('tradable: open');
    priceChange(driver, { status: 'paused' });
    expect(stateOf(driver)).toBe('paused: event-paused');
  });

  it('messages that keep contradicting do not put off the read that settles them', () => {
    const driver = change(new MirrorDriver().goLive(), { status: 'paused' });
    const contradiction = { markets: [{ marketId: MARKET, status: 'active', resolution: null }] } as const;
    const [sent] = priceChange(driver, contradiction).send('read-event');
    priceChange(driver.wait(1), contradiction).answer(sent!, driver.usualAnswer(sent!.request));
    expect(stateOf(driver)).toBe('tradable: open');
  });

  it('a cancelled market has no resolution in a price change, which is no reason to read again', () => {
    const cancelled = { id: MARKET, status: 'cancelled', resolution: 'void' } as const;
    const told = eventOf({ markets: [marketOf(cancelled), marketOf({ id: OTHER_MARKET })] });
    const driver = new MirrorDriver({}, told).goLive().wait(1);
    priceChange(driver, { markets: [{ marketId: MARKET, status: 'cancelled', resolution: null }] });
    expect(driver.send('read-event')).toEqual([]);
    priceChange(driver, { markets: [{ marketId: MARKET, status: 'active', resolution: null }] });
    expect(driver.send('read-event')).toHaveLength(1);
  });

  it('a message that states one thing does not outdate an older one about another', () => {
    const driver = change(new MirrorDriver().goLive(), { disabled: false });
    change(driver, { status: 'paused', venueTime: at(driver, -5) });
    expect(stateOf(driver)).toBe('paused: market-paused');
  });

  it('messages about other events change nothing', () => {
    const driver = new MirrorDriver().goLive();
    priceChange(driver, { eventId: eventId(1), status: 'paused' });
    change(driver, { eventId: eventId(1), marketId: null, status: 'paused' });
    expect(stateOf(driver)).toBe('tradable: open');
    expect(driver.mirror.counters.framesUnplaced).toBe(2);
  });
});

describe('the bet window', () => {
  const windowed = (): MirrorDriver =>
    new MirrorDriver(
      {},
      eventOf({
        betStart: micros(START + 1_000_000),
        betEnd: micros(START + 9_000_000),
        markets: [marketOf({ betEnd: micros(START + 5_000_000) }), marketOf({ id: OTHER_MARKET })],
      }),
    ).goLive();

  it('opens and closes by the clock, and touches the markets then', () => {
    const driver = windowed();
    expect(stateOf(driver)).toBe('paused: before-bet-window');
    driver.wait(1_000);
    expect([stateOf(driver), driver.mirror.drainDirty()]).toEqual(['tradable: open', [MARKET, OTHER_MARKET]]);
    driver.wait(4_000);
    expect(stateOf(driver)).toBe('closed: after-bet-window');
    expect(stateOf(driver, OTHER_MARKET)).toBe('tradable: open');
    driver.wait(4_000);
    expect(stateOf(driver, OTHER_MARKET)).toBe('closed: after-bet-window');
  });

  it('ends at the earlier of event and market', () => {
    const driver = windowed();
    expect(driver.mirror.betEnd(MARKET)).toBe(START + 5_000_000);
    expect(driver.mirror.betEnd(OTHER_MARKET)).toBe(START + 9_000_000);
  });

  it('moves with a message', () => {
    const driver = windowed().wait(6_000);
    change(driver, { betEnd: at(driver, 1_000) });
    expect(stateOf(driver)).toBe('tradable: open');
    driver.wait(1_000);
    expect(stateOf(driver)).toBe('closed: after-bet-window');
  });

  it('may be taken away', () => {
    const driver = windowed().wait(6_000);
    expect(stateOf(change(driver, { betEnd: null }))).toBe('tradable: open');
  });
});

describe('doubt', () => {
  it('an event is unknown from joining its channel until it is read', () => {
    const driver = new MirrorDriver().join();
    expect(stateOf(driver)).toBe('unknown: event-not-read');
    expect(stateOf(driver.readAll())).toBe('tradable: open');
  });

  it('does not hide what a message has told against trading since', () => {
    const driver = change(new MirrorDriver().join(), { disabled: true });
    expect(stateOf(driver)).toBe('paused: market-disabled');
    expect(stateOf(change(driver, { disabled: false }))).toBe('unknown: event-not-read');
  });

  it('of an event that the venue does not show is told once', () => {
    const driver = new MirrorDriver().join();
    const fail = (): void =>
      driver.send('read-event').forEach(
        (sent) =>
          void driver.fail(sent, {
            kind: 'refused',
            status: 404,
            code: 'NotFound',
            means: 'not-found',
            detail: '',
            retryAfterMs: null,
          }),
      );
    fail();
    expect(driver.mirror.drainFindings()).toEqual([{ kind: 'event-not-shown', eventId: EVENT }]);
    driver.connection('lost').join();
    fail();
    expect(driver.mirror.drainFindings()).toEqual([]);
  });

  it('of a market that the event does not have is told once', () => {
    const driver = new MirrorDriver().join();
    const other = eventOf({ markets: [marketOf({ id: OTHER_MARKET })] });
    const answer = (): void =>
      driver
        .send('read-event')
        .forEach((sent) => void driver.answer(sent, { kind: 'read-event', event: other }));
    answer();
    expect(driver.mirror.drainFindings()).toEqual([
      { kind: 'market-not-in-event', eventId: EVENT, marketId: MARKET },
    ]);
    driver.connection('lost').join();
    answer();
    expect(driver.mirror.drainFindings()).toEqual([]);
  });

  it.each([
    ['is not understood', { understood: false }],
    ['names a market of no known event', { marketId: marketId(1) }],
    ['gives an event a status of markets', { marketId: null, status: 'active' } as const],
    ['gives a market a status of events', { status: 'open' } as const],
  ])('a message that %s puts the whole event in doubt until it is read', (_name, message) => {
    const driver = change(new MirrorDriver().goLive(), message);
    expect([stateOf(driver), stateOf(driver, OTHER_MARKET)]).toEqual(
      Array(2).fill('unknown: status-not-understood'),
    );
    expect(driver.mirror.drainFindings()).toEqual([{ kind: 'status-not-understood', eventId: EVENT }]);
    priceChange(change(driver, { status: 'active' }));
    expect(stateOf(driver)).toBe('unknown: status-not-understood');
    expect(stateOf(driver.wait(1).readAll())).toBe('tradable: open');
  });

  it('a message that names no event puts all in doubt', () => {
    const driver = change(new MirrorDriver().goLive(), { understood: false, eventId: null, marketId: null });
    expect(stateOf(driver)).toBe('unknown: status-not-understood');
  });

  it('a read sent before the message does not end it', () => {
    const driver = new MirrorDriver().join();
    const [sent] = driver.send('read-event');
    change(driver.wait(1), { understood: false });
    driver.answer(sent!, driver.usualAnswer(sent!.request));
    expect(stateOf(driver)).toBe('unknown: status-not-understood');
    expect(stateOf(driver.readAll())).toBe('tradable: open');
  });

  it('a read sent before a change of status does not undo it', () => {
    const driver = new MirrorDriver().join();
    const [sent] = driver.send('read-event');
    change(driver.wait(1), { status: 'paused' });
    driver.answer(sent!, driver.usualAnswer(sent!.request));
    expect(driver.mirror.market(MARKET).status).toBe('paused');
  });

  it('a refusal by the venue can put an event in doubt as well', () => {
    const driver = new MirrorDriver().goLive();
    driver.mirror.doubt(EVENT, driver.now);
    expect(stateOf(driver)).toBe('unknown: status-contradicted');
    expect(driver.send('read-event')).toHaveLength(1);
  });

  it('a failed read is repeated with doubled pauses, at least as long as the venue asks', () => {
    const driver = new MirrorDriver({ retryFirstMs: 500 }).join();
    driver.fail(driver.send('read-event')[0]!, { kind: 'unknown', reason: 'time-out' });
    expect(driver.wait(499).send('read-event')).toEqual([]);
    driver.fail(driver.wait(1).send('read-event')[0]!, { kind: 'unknown', reason: 'time-out' });
    expect(driver.wait(999).send('read-event')).toEqual([]);
    const busy = {
      kind: 'refused',
      status: 429,
      code: 'throttled',
      means: 'throttled',
      detail: '',
      retryAfterMs: 7_000,
    } as const;
    driver.fail(driver.wait(1).send('read-event')[0]!, busy);
    expect(driver.wait(6_999).send('read-event')).toEqual([]);
    expect(driver.wait(1).send('read-event')).toHaveLength(1);
  });
});

describe('a venue without an event endpoint', () => {
  it('configuration stands when a read is refused with 404', () => {
    const driver = new MirrorDriver().join();
    driver.fail(driver.send('read-event')[0]!, missing);
    expect(stateOf(driver)).toBe('tradable: open');
    driver.connection('lost').join();
    expect([stateOf(driver), driver.send('read-event')]).toEqual(['tradable: open', []]);
  });

  it('nothing is read when configuration says so', () => {
    const driver = new MirrorDriver({ eventSource: 'configuration' }).join();
    expect([stateOf(driver), driver.send('read-event')]).toEqual(['tradable: open', []]);
  });

  it('what frames said before a reconnection still stands after it', () => {
    const driver = change(new MirrorDriver({ eventSource: 'configuration' }).goLive(), { status: 'paused' });
    driver.connection('lost').join();
    expect(stateOf(driver)).toBe('paused: market-paused');
  });

  it('a message without a time lifts a halt, for nothing else could', () => {
    const driver = change(new MirrorDriver({ eventSource: 'configuration' }).goLive(), { status: 'paused' });
    priceChange(driver, { markets: [{ marketId: MARKET, status: 'active', resolution: null }] });
    expect(stateOf(driver)).toBe('tradable: open');
  });

  it('a message not understood stays in doubt until one states the event status', () => {
    const driver = change(new MirrorDriver({ eventSource: 'configuration' }).goLive(), { understood: false });
    change(driver, { status: 'active' });
    expect(stateOf(driver)).toBe('unknown: status-not-understood');
    expect(stateOf(priceChange(driver))).toBe('tradable: open');
  });
});

describe('markets that appear while running', () => {
  it('a new market of a known event is observed with the grid of its siblings', () => {
    const driver = new MirrorDriver().goLive();
    const added = marketId(9);
    driver.apply({
      kind: 'market-listed',
      eventId: EVENT,
      marketId: added,
      title: 'Candidate C',
      status: 'active',
      betStart: null,
      betEnd: null,
    });
    driver.update({ marketId: added });
    expect(driver.mirror.market(added)).toMatchObject({
      quoted: false,
      tickUnits: 100,
      title: 'Candidate C',
    });
    expect(driver.mirror.view(added, NO_OWN_LEVELS, driver.now).bids[0]?.price).toBe(4_800);
  });

  it('one that a read names is observed too', () => {
    const driver = new MirrorDriver().join();
    const added = marketOf({ id: marketId(9), tickUnits: 1 });
    const event = eventOf({ markets: [marketOf(), marketOf({ id: OTHER_MARKET }), added] });
    driver.answer(driver.send('read-event')[0]!, { kind: 'read-event', event });
    driver.readAll().update({ marketId: added.id });
    expect(driver.mirror.view(added.id, NO_OWN_LEVELS, driver.now).bids[0]?.price).toBe(4_800);
    expect(driver.mirror.markets).toHaveLength(3);
  });

  it('no request is spent on a market that nobody quotes', () => {
    const driver = new MirrorDriver({}, eventOf(), []).join();
    expect(driver.send().map(({ request }) => request.kind)).toEqual([
      'read-orders',
      'read-holdings',
      'read-balances',
    ]);
  });

  it('an id that nobody named is a broken invariant', () => {
    expect(() => new MirrorDriver().mirror.market(marketId(1))).toThrow('knows no market 1');
    expect(() => new MirrorDriver().mirror.event(eventId(1))).toThrow('knows no event 1');
    expect(() => new MirrorDriver({}, eventOf(), [marketId(1)])).toThrow('in none of the events');
  });
});

describe('live play', () => {
  const live = (driver: MirrorDriver, isLive: boolean): MirrorDriver =>
    driver.apply({
      kind: 'event-live',
      eventId: EVENT,
      status: 'open',
      resolution: null,
      isLive,
      eventStart: null,
      eventEnd: null,
    });
  const isLive = ({ mirror }: MirrorDriver): boolean => mirror.event(EVENT).isLive;
  const read = (told: Partial<ReturnType<typeof eventOf>>): MirrorDriver => {
    const driver = new MirrorDriver({}, eventOf(told)).goLive();
    change(live(driver, true).wait(1), { disabled: true });
    driver.mirror.doubt(EVENT, driver.now);
    return driver.readAll();
  };

  it('goes on, and a market stays disabled, where a read does not say', () => {
    const driver = read({ isLive: null, markets: [marketOf({ disabled: null })] });
    expect([isLive(driver), stateOf(driver)]).toEqual([true, 'paused: market-disabled']);
  });

  it('is over, and a market enabled, where a read says so', () => {
    const driver = read({ isLive: false, markets: [marketOf({ disabled: false })] });
    expect([isLive(driver), stateOf(driver)]).toEqual([false, 'tradable: open']);
  });

  it('is not over by a message that may be an old one before a read could say otherwise', () => {
    const driver = new MirrorDriver({}, eventOf({ isLive: true })).goLive();
    expect(stateOf(live(driver, false))).toBe('unknown: event-not-read');
    expect([stateOf(driver.readAll()), isLive(driver)]).toEqual(['tradable: open', true]);
  });

  it('is over by a message where no read says anything', () => {
    const silent = new MirrorDriver({}, eventOf({ isLive: null })).goLive();
    live(live(silent, true).readAll(), false);
    expect([stateOf(silent.readAll()), isLive(silent)]).toEqual(['tradable: open', false]);
    const unreadable = new MirrorDriver({ eventSource: 'configuration' }).goLive();
    live(live(unreadable, true), false);
    expect([stateOf(unreadable), isLive(unreadable)]).toEqual(['tradable: open', false]);
  });
});
