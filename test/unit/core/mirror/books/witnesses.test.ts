import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../../src/domain/ids.js';
import { priceUnits, shares } from '../../../../../src/domain/units.js';
import { MOST_KEPT } from '../../../../../src/core/mirror/books/book.js';
import { NO_OWN_LEVELS } from '../../../../../src/core/mirror/books/foreign-book.js';
import {
  ASKS,
  BIDS,
  EVENT,
  MARKET,
  MirrorDriver,
  bookBody,
  levels,
} from '../../../../support/mirror/mirror-driver.js';

const SETTINGS = { bookCacheMs: 2_000, latencyMs: 500, witnessEveryMs: 10_000 };

const live = (): MirrorDriver => {
  const driver = new MirrorDriver(SETTINGS).join().update();
  return driver.readAll().wait(3_000).update();
};

const bidAt = (cents: number) => ({ bids: levels([cents, 100]), asks: ASKS });
const stateOf = (driver: MirrorDriver): string => driver.mirror.freshness(MARKET).state;
const bestBid = (driver: MirrorDriver): number | null =>
  (driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now).bids[0]?.price ?? 0) / 100;

/** Sends a book read now and answers it at once. */
const read = (driver: MirrorDriver, book: Partial<ReturnType<typeof bookBody>>): MirrorDriver =>
  driver.answer(driver.issue({ kind: 'read-book', marketId: MARKET, mode: 'play_money' }), bookBody(book));

describe('a read of a live book', () => {
  it('agrees when it shows the book as it is', () => {
    const driver = read(live(), {});
    expect(driver.mirror.counters.witnessesAgreed).toBe(1);
  });

  it('agrees when it shows what the book was within cache time plus latency', () => {
    const driver = live().update(bidAt(45)).wait(2_400).update(bidAt(46));
    read(driver, bidAt(45));
    read(driver, { bids: BIDS, asks: ASKS }).wait(500);
    expect(driver.mirror.counters).toMatchObject({ witnessesAgreed: 2, witnessesDisagreed: 0 });
    expect(bestBid(driver)).toBe(46);
  });

  it('disagrees when the book it shows had gone before', () => {
    const driver = live().update(bidAt(45)).wait(2_502).update(bidAt(46));
    read(driver, { bids: BIDS, asks: ASKS }).wait(500);
    expect(driver.mirror.counters).toMatchObject({ witnessesAgreed: 0, witnessesDisagreed: 1 });
  });

  it('agrees when an update that it overtook explains it within the latency', () => {
    const driver = read(live(), bidAt(44)).wait(400).update(bidAt(44)).wait(1_000);
    expect(driver.mirror.counters).toMatchObject({ witnessesAgreed: 1, witnessesDisagreed: 0 });
  });

  it('never changes the levels, even when it disagrees', () => {
    const driver = read(live(), bidAt(44)).wait(600);
    expect(bestBid(driver)).toBe(48);
    expect(driver.mirror.counters.booksRead).toBe(0);
  });

  it('shows more levels than updates do, of which only as many count', () => {
    const deep = levels([48, 300], [47, 200], [46, 1], [45, 1], [44, 1], [43, 1], [42, 1]);
    const driver = live().update({ bids: levels([48, 300], [47, 200], [46, 1], [45, 1], [44, 1]) });
    read(driver, { bids: deep });
    expect(driver.mirror.counters.witnessesAgreed).toBe(1);
  });

  it('agrees after a reconnection too, when nothing has changed', () => {
    const driver = live().connection('lost').join().readAll().wait(3_000).update();
    read(driver.wait(3_000), {});
    expect(driver.mirror.counters).toMatchObject({ witnessesAgreed: 1, witnessesInconclusive: 0 });
  });

  it('judges nothing when more was seen meanwhile than the mirror remembers', () => {
    const driver = live();
    for (let step = 0; step < 2 * MOST_KEPT; step++) driver.update(bidAt(10 + (step % 30)));
    read(driver, bidAt(60)).wait(600);
    expect(driver.mirror.counters).toMatchObject({ witnessesInconclusive: 1, witnessesDisagreed: 0 });
  });
});

describe('two disagreements in a row', () => {
  const disagreeTwice = (): MirrorDriver => {
    const driver = read(live(), bidAt(44)).wait(600);
    expect(stateOf(driver)).toBe('live');
    return read(driver, bidAt(44)).wait(600);
  };

  it('withdraw the book and touch the market', () => {
    const driver = disagreeTwice();
    expect(driver.mirror.freshness(MARKET)).toEqual({
      state: 'stale',
      reason: 'witnesses-disagree',
    });
    expect(driver.mirror.drainDirty()).toContain(MARKET);
    expect(driver.mirror.counters.booksWithdrawn).toBe(1);
  });

  it('are reported with both views', () => {
    const findings = disagreeTwice().mirror.drainFindings();
    expect(findings.map((finding) => finding.kind)).toEqual(['witness-disagreed', 'witness-disagreed']);
    expect(findings[1]).toMatchObject({
      inARow: 2,
      mirror: { bids: BIDS, asks: ASKS },
      venue: bidAt(44),
    });
  });

  it('are not asked for within the time in which the same answer may come again', () => {
    const driver = read(live(), bidAt(44)).wait(600);
    expect(driver.send('read-book')).toEqual([]);
    driver.wait(1_899);
    expect(driver.send('read-book')).toEqual([]);
    driver.wait(1);
    expect(driver.send('read-book')).toHaveLength(1);
  });

  it('end with a read that is certainly newer than every update', () => {
    const driver = disagreeTwice().wait(2_500).readAll(bidAt(44));
    expect(stateOf(driver)).toBe('live');
    expect(bestBid(driver)).toBe(44);
  });

  it('do not end with an update alone, but with a read that agrees with it', () => {
    const driver = disagreeTwice().update(bidAt(44));
    expect(stateOf(driver)).toBe('stale');
    read(driver, bidAt(44));
    expect(stateOf(driver)).toBe('live');
  });

  it('are not in a row when one in between agreed', () => {
    const driver = read(live(), bidAt(44)).wait(600);
    read(driver, {});
    read(driver, bidAt(44)).wait(600);
    expect(stateOf(driver)).toBe('live');
  });

  it('begin the venue time anew, should its clock have gone back', () => {
    const driver = live();
    driver.update(bidAt(45), -60_000);
    expect(driver.mirror.counters.framesOlder).toBe(1);
    read(driver, bidAt(45)).wait(600);
    read(driver, bidAt(45)).wait(600);
    driver.update(bidAt(45), -60_000);
    read(driver, bidAt(45));
    expect([stateOf(driver), bestBid(driver)]).toEqual(['live', 45]);
  });
});

describe('updates and reads', () => {
  it('an update with an older venue time is dropped and counted', () => {
    const driver = live().update(bidAt(45), -1);
    expect(bestBid(driver)).toBe(48);
    expect(driver.mirror.counters.framesOlder).toBe(1);
  });

  it('an update with the same venue time is applied', () => {
    const driver = live().update(bidAt(45), 0);
    expect(bestBid(driver)).toBe(45);
  });

  it('an older update is dropped across a reconnection too', () => {
    const driver = live().connection('lost').wait(100).join();
    driver.update(bidAt(45), -200);
    expect(driver.mirror.counters.framesOlder).toBe(1);
  });

  it('a read never replaces an update that came after its request was sent', () => {
    const driver = new MirrorDriver({ bookCacheMs: 0 }).join();
    const [sent] = driver.send('read-book');
    driver.update(bidAt(45));
    driver.answer(sent!, bookBody(bidAt(30))).readAll();
    expect(bestBid(driver)).toBe(45);
  });

  it('a read never replaces an update within the time it may have been cached', () => {
    const driver = live().update({ bids: levels([53, 1]), asks: ASKS });
    expect(stateOf(driver)).toBe('stale');
    driver.wait(1_000);
    read(driver, { bids: BIDS, asks: ASKS });
    expect(stateOf(driver)).toBe('stale');
  });

  it('an update of the other mode is counted and left out', () => {
    const driver = live().update({ mode: 'real_money', bids: levels([10, 1]) });
    expect(bestBid(driver)).toBe(48);
    expect(driver.mirror.counters.framesOfOtherMode).toBe(1);
  });
});

describe('what is said of a book elsewhere', () => {
  const cents = (value: number) => priceUnits(value * 100);
  const touched = (driver: MirrorDriver, bid: number, ask: number): MirrorDriver =>
    driver.apply({
      kind: 'touch',
      eventId: EVENT,
      marketId: MARKET,
      mode: 'play_money',
      bid: cents(bid),
      ask: cents(ask),
    });
  const filled = (driver: MirrorDriver): MirrorDriver =>
    driver.apply({
      kind: 'order',
      cancelReason: null,
      systemInitiated: false,
      venueTime: driver.now,
      report: {
        orderId: orderId('1'),
        marketId: MARKET,
        eventId: EVENT,
        side: 'bid',
        position: 'long',
        currency: 'OOM',
        price: cents(48),
        status: 'partial_filled',
        requested: shares(1_000),
        filled: shares(100),
        filledNow: shares(100),
        averageFillPrice: null,
        createdAt: null,
        expiresAt: null,
      },
    });
  const asked = (driver: MirrorDriver): number => driver.send('read-book').length;

  it('agrees when best prices are those of the book, or were a moment ago', () => {
    const driver = touched(live(), 48, 52).wait(600);
    expect(asked(driver)).toBe(0);
    driver.update(bidAt(45)).wait(400);
    expect(asked(touched(driver, 48, 52).wait(600))).toBe(0);
  });

  it('agrees when an update brings the best prices within the latency', () => {
    const driver = touched(live(), 45, 52).wait(400).update(bidAt(45)).wait(1_000);
    expect(asked(driver)).toBe(0);
    expect(driver.mirror.counters.witnessesDisagreed).toBe(0);
  });

  it('has the book read at once when nothing explains other best prices', () => {
    const driver = touched(live(), 45, 52).wait(500);
    expect(stateOf(driver)).toBe('live');
    expect(asked(driver)).toBe(1);
  });

  it('withdraws the book together with one read that disagrees as well', () => {
    const driver = touched(live(), 45, 52).wait(500);
    driver.answer(driver.send('read-book')[0]!, bookBody(bidAt(45))).wait(500);
    expect(driver.mirror.freshness(MARKET).reason).toBe('witnesses-disagree');
  });

  it('is overruled by a read that agrees', () => {
    const driver = touched(live(), 45, 52).wait(500);
    driver.answer(driver.send('read-book')[0]!, bookBody()).wait(3_000);
    expect(stateOf(driver)).toBe('live');
    expect(asked(driver)).toBe(0);
  });

  it('a fill of an own order has the book read when no update tells of the trade', () => {
    const driver = live().wait(600);
    expect(asked(filled(driver).wait(499))).toBe(0);
    expect(asked(driver.wait(1))).toBe(1);
  });

  it('a fill is told of by an update shortly before or after it', () => {
    const driver = live().wait(600);
    expect(asked(filled(driver).wait(300).update(bidAt(47)).wait(300))).toBe(0);
    expect(asked(filled(driver).wait(600))).toBe(0);
  });
});
