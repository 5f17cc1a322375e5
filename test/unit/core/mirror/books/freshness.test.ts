import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../../src/domain/ids.js';
import { NO_OWN_LEVELS } from '../../../../../src/core/mirror/books/foreign-book.js';
import {
  ASKS,
  BIDS,
  EVENT,
  MARKET,
  MirrorDriver,
  bookBody,
  eventOf,
  levels,
  marketOf,
} from '../../../../support/mirror/mirror-driver.js';

const stateOf = (driver: MirrorDriver): string => driver.mirror.freshness(MARKET).state;
const reasonOf = (driver: MirrorDriver): string => driver.mirror.freshness(MARKET).reason;

describe('freshness after a connection', () => {
  it('is resyncing until connected, joined and read', () => {
    const driver = new MirrorDriver();
    expect(reasonOf(driver)).toBe('connection-lost');
    driver.connection('connected');
    expect(reasonOf(driver)).toBe('channel-not-joined');
    driver.channel(`event-${EVENT}`);
    expect(reasonOf(driver)).toBe('private-channel-not-joined');
    driver.channel('private-user-7');
    expect(reasonOf(driver)).toBe('orders-not-read');
    driver.readAll();
    expect(stateOf(driver)).toBe('live');
  });

  it('names the part of the account that is still missing', () => {
    const driver = new MirrorDriver().join();
    for (const [kind, missing] of [
      ['read-orders', 'holdings-not-read'],
      ['read-holdings', 'balances-not-read'],
      ['read-balances', 'book-not-read'],
    ] as const) {
      for (const sent of driver.send(kind)) driver.answer(sent, driver.usualAnswer(sent.request));
      expect(reasonOf(driver)).toBe(missing);
    }
  });

  it('asks again for everything after a reconnect, and trusts no answer to an older request', () => {
    const driver = new MirrorDriver().goLive();
    driver.wait(60_000);
    const old = [...driver.send(), driver.issue({ kind: 'read-orders' })];
    driver.wait(10).connection('lost');
    expect(stateOf(driver)).toBe('resyncing');
    driver.wait(10).join();
    for (const sent of old) driver.answer(sent, driver.usualAnswer(sent.request));
    expect(stateOf(driver)).toBe('resyncing');
    driver.readAll();
    expect(stateOf(driver)).toBe('live');
  });

  it('needs no book read where an update came after the subscription', () => {
    const driver = new MirrorDriver().join().update();
    const kinds = driver.send().map(({ request }) => request.kind);
    expect(kinds).toEqual(['read-orders', 'read-holdings', 'read-balances', 'read-event']);
  });

  it('waits with the book read until its answer cannot be older than the subscription', () => {
    const driver = new MirrorDriver({ bookCacheMs: 3_000 }).join();
    expect(driver.send('read-book')).toEqual([]);
    driver.wait(2_999);
    expect(driver.send('read-book')).toEqual([]);
    driver.wait(1);
    expect(driver.send('read-book')).toHaveLength(1);
  });

  it('reports a refused channel and stays stale', () => {
    const driver = new MirrorDriver().connection('connected').channel(`event-${EVENT}`, 'refused');
    expect(driver.mirror.freshness(MARKET)).toEqual({
      state: 'stale',
      reason: 'channel-refused',
    });
    expect(driver.mirror.drainFindings()).toEqual([
      { kind: 'channel-refused', channel: `event-${EVENT}`, reason: 'test' },
    ]);
  });

  it('is stale while the private channel is refused, though public updates flow', () => {
    const driver = new MirrorDriver().connection('connected').channel(`event-${EVENT}`);
    driver.channel('private-user-7', 'refused').update();
    expect(reasonOf(driver)).toBe('private-channel-refused');
    expect(driver.send('read-orders')).toEqual([]);
  });

  it('ignores a subscription that is reported after the loss', () => {
    const driver = new MirrorDriver().goLive().connection('lost').channel(`event-${EVENT}`);
    driver.connection('connected');
    expect(reasonOf(driver)).toBe('channel-not-joined');
  });
});

describe('freshness over time', () => {
  it('silence is no reason against a book while its connection stands and its channel is joined', () => {
    const driver = new MirrorDriver().goLive();
    for (let hour = 0; hour < 24; hour++) {
      driver.wait(3_600_000);
      expect(stateOf(driver)).toBe('live');
    }
    expect(driver.mirror.drainDirty()).toEqual([]);
  });

  it('a book that was never shown stays unread, however long it is waited for', () => {
    const driver = new MirrorDriver().join();
    for (const kind of ['read-orders', 'read-holdings', 'read-balances'] as const)
      for (const sent of driver.send(kind)) driver.answer(sent, driver.usualAnswer(sent.request));
    driver.wait(3_600_000);
    expect(reasonOf(driver)).toBe('book-not-read');
  });

  it('a quiet book is compared with a read once a round', () => {
    const driver = new MirrorDriver({ witnessEveryMs: 60_000 }).goLive();
    for (let second = 0; second < 600; second++) driver.wait(1_000).readAll();
    expect(driver.mirror.counters.witnessesAgreed).toBe(10);
    expect(driver.mirror.counters.witnessesDisagreed).toBe(0);
  });

  it('quiet books are compared one after the other, not all at once', () => {
    const ids = Array.from({ length: 10 }, (_, at) => marketId(3_000 + at));
    const event = eventOf({ markets: ids.map((id) => marketOf({ id })) });
    const driver = new MirrorDriver({ witnessEveryMs: 60_000 }, event, ids).says(event).goLive();
    let most = 0;
    for (let second = 0; second < 120; second++) {
      const sent = driver.wait(1_000).send('read-book');
      most = Math.max(most, sent.length);
      for (const one of sent) driver.answer(one, driver.usualAnswer(one.request));
    }
    expect(most).toBe(1);
    expect(driver.mirror.counters.witnessesAgreed).toBe(20);
  });
});

describe('freshness by sight of the book', () => {
  it.each([
    ['crossed', levels([52, 1]), levels([51, 1]), 'book-crossed'],
    ['locked', levels([52, 1]), levels([52, 1]), 'book-locked'],
    ['off the grid', levels([48.5, 1]), ASKS, 'price-off-grid'],
    ['at zero', levels([0, 1]), ASKS, 'price-off-grid'],
    ['at one', BIDS, levels([100, 1]), 'price-off-grid'],
    ['unsorted', levels([47, 1], [48, 1]), ASKS, 'levels-malformed'],
    ['repeating a price', levels([47, 1], [47, 1]), ASKS, 'levels-malformed'],
    ['with an empty level', levels([48, 0]), ASKS, 'levels-malformed'],
  ])('a book %s is unusable', (_name, bids, asks, reason) => {
    const driver = new MirrorDriver().goLive().update({ bids, asks });
    expect(driver.mirror.freshness(MARKET)).toEqual({ state: 'stale', reason });
    expect(driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now).bids).toEqual([]);
    driver.update();
    expect(stateOf(driver)).toBe('live');
  });

  it('counts and reports a price off the grid once, and never rounds it', () => {
    const driver = new MirrorDriver().goLive();
    for (let times = 0; times < 3; times++) driver.update({ bids: levels([48.5, 1]) });
    expect(driver.mirror.counters.booksOffGrid).toBe(1);
    expect(driver.mirror.drainFindings()).toEqual([
      { kind: 'book-off-grid', marketId: MARKET, price: 4_850, tickUnits: 100, fitting: 10 },
    ]);
  });

  it('an off-grid book that a read corrects is live', () => {
    const driver = new MirrorDriver()
      .goLive()
      .wait(1)
      .update({ bids: levels([48.5, 1]) });
    driver.wait(1).readAll();
    expect(stateOf(driver)).toBe('live');
  });

  it('a book that reads cannot mend is read ever less often, though updates keep coming', () => {
    const driver = new MirrorDriver({ bookCacheMs: 0, latencyMs: 1_000 }).goLive();
    const offGrid = { bids: levels([48.5, 1]), asks: ASKS };
    driver.update(offGrid).readAll(offGrid);
    let reads = 0;
    for (let second = 0; second < 600; second++)
      for (const sent of driver.wait(1_000).update(offGrid).send('read-book')) {
        reads += 1;
        driver.answer(sent, bookBody(offGrid));
      }
    expect(reads).toBeGreaterThan(15);
    expect(reads).toBeLessThan(30);
  });

  it('a one-sided or empty book is live', () => {
    const driver = new MirrorDriver().goLive().update({ bids: levels() });
    expect(stateOf(driver)).toBe('live');
    driver.update({ bids: levels(), asks: levels() });
    expect(stateOf(driver)).toBe('live');
  });

  it('a read that is off the grid does not make a book usable', () => {
    const driver = new MirrorDriver().join();
    for (const sent of driver.send())
      driver.answer(
        sent,
        sent.request.kind === 'read-book'
          ? bookBody({ bids: levels([48.5, 1]) })
          : driver.usualAnswer(sent.request),
      );
    expect(reasonOf(driver)).toBe('price-off-grid');
  });
});

describe('a grid that is learned', () => {
  const FINE = { bids: levels([42.3, 100]), asks: levels([46, 100]) };
  const learning = (): MirrorDriver => new MirrorDriver({}, eventOf(), [MARKET], [MARKET]);

  it('follows the first finer price, which is quoted on at once', () => {
    const driver = learning().goLive().update(FINE);
    expect(stateOf(driver)).toBe('live');
    expect(driver.mirror.market(MARKET).tickUnits).toBe(10);
    expect(driver.mirror.drainFindings()).toEqual([
      { kind: 'grid-learned', marketId: MARKET, tickUnits: 10 },
    ]);
    expect(driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now).bids[0]?.price).toBe(4_230);
  });

  it('follows a read as well', () => {
    const driver = learning().join().readAll(FINE);
    expect(stateOf(driver)).toBe('live');
    expect(driver.mirror.market(MARKET).tickUnits).toBe(10);
  });

  it('has no price that is none', () => {
    const driver = learning()
      .goLive()
      .update({ bids: levels([0, 1]) });
    expect(reasonOf(driver)).toBe('price-off-grid');
    expect(driver.mirror.market(MARKET).tickUnits).toBe(100);
  });

  it('becomes coarser when refusals show it, and the book is read anew', () => {
    const driver = learning().goLive().update(FINE);
    driver.wait(10);
    expect(driver.mirror.learnGrid(MARKET, 50, driver.now)).toBe(true);
    driver.wait(10).readAll({ bids: levels([42.5, 100]) });
    expect(stateOf(driver)).toBe('live');
    expect(driver.mirror.market(MARKET).tickUnits).toBe(50);
  });

  it('is as configured where it is not to be learned', () => {
    const driver = new MirrorDriver().goLive();
    expect(driver.mirror.learnGrid(MARKET, 200, driver.now)).toBe(false);
    expect(driver.mirror.market(MARKET).tickUnits).toBe(100);
  });
});
