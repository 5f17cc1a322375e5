import { describe, expect, it } from 'vitest';
import { MOST_KEPT } from '../../../../../src/core/mirror/books/book.js';
import { NO_OWN_LEVELS } from '../../../../../src/core/mirror/books/foreign-book.js';
import {
  ASKS,
  BIDS,
  MARKET,
  MirrorDriver,
  bookBody,
  levels,
} from '../../../../support/mirror/mirror-driver.js';

/** Updates come every second, so that nothing but the routine comparison asks for reads. */
const SETTINGS = { bookCacheMs: 2_000, latencyMs: 500, witnessEveryMs: 10_000, maxBookAgeMs: 30_000 };

const live = (): MirrorDriver => {
  const driver = new MirrorDriver(SETTINGS).join().update();
  return driver.readAll().wait(3_000).update();
};

const bidAt = (cents: number) => ({ bids: levels([cents, 100]), asks: ASKS });
const stateOf = (driver: MirrorDriver): string => driver.mirror.freshness(MARKET, driver.now).state;
const bestBid = (driver: MirrorDriver): number | null =>
  driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now).bids.best;

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
    expect(driver.mirror.freshness(MARKET, driver.now)).toEqual({
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

describe('a book that no update confirms', () => {
  it('is read no faster than reads can bring anything, however long the cache', () => {
    const driver = new MirrorDriver({ bookCacheMs: 5_000, latencyMs: 1_000, maxBookAgeMs: 13_000 });
    driver.join().readAll();
    let asked = 0;
    for (let second = 0; second < 60; second++)
      for (const sent of driver.wait(1_000).send('read-book')) {
        asked += 1;
        driver.answer(sent, bookBody());
      }
    expect(asked).toBeLessThanOrEqual(10);
  });
});
