import { describe, expect, it } from 'vitest';
import { priceUnits, shares } from '../../../../src/domain/units.js';
import {
  type ForeignLevel,
  NO_OWN_LEVELS,
  type OwnLevel,
} from '../../../../src/core/mirror/books/foreign-book.js';
import { MARKET, MirrorDriver, bookBody, levels } from '../../../support/mirror/mirror-driver.js';

const own = (side: 'bid' | 'ask', price: number, whole: number): OwnLevel => ({
  side,
  price: priceUnits(price * 100),
  shares: shares(whole * 100),
  spared: shares(0),
});

const shown = (side: readonly ForeignLevel[]): [number, number][] =>
  side.map(({ price, shares: units }) => [price / 100, units / 100]);

const FULL_BIDS = levels([48, 10], [47, 20], [46, 30], [45, 40], [44, 50]);

describe('the view without our own orders', () => {
  it('subtracts level by level and leaves out what is ours alone', () => {
    const driver = new MirrorDriver().goLive().update({ bids: levels([48, 300], [47, 200]) });
    const view = driver.mirror.view(MARKET, [own('bid', 48, 300), own('bid', 47, 50)], driver.now);
    expect(shown(view.bids)).toEqual([[47, 150]]);
    expect(view.freshness.state).toBe('live');
  });

  it('adds up several own orders at one price and clamps at zero', () => {
    const driver = new MirrorDriver().goLive().update({ bids: levels([48, 300], [47, 200]) });
    const mine = [own('bid', 48, 200), own('bid', 48, 200), own('ask', 52, 1_000), own('bid', 30, 5)];
    const view = driver.mirror.view(MARKET, mine, driver.now);
    expect(shown(view.bids)).toEqual([[47, 200]]);
  });

  it('calls a side hidden, not empty, when only our own orders are visible', () => {
    const driver = new MirrorDriver().goLive().update({ bids: levels([48, 300]) });
    const view = driver.mirror.view(MARKET, [own('bid', 48, 300)], driver.now);
    expect([view.hidden.bids, view.hidden.asks, view.freshness.state]).toEqual([true, false, 'hidden']);
    expect(view.bids).toEqual([]);
  });

  it('calls a side without any level empty', () => {
    const driver = new MirrorDriver().goLive().update({ bids: levels() });
    const view = driver.mirror.view(MARKET, [own('bid', 48, 300)], driver.now);
    expect([view.hidden.bids, view.freshness.state]).toEqual([false, 'live']);
  });

  it('shows nothing while the book is not live', () => {
    const driver = new MirrorDriver().goLive().connection('lost');
    const view = driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now);
    expect([view.bids.length, view.asks.length, view.freshness.state]).toEqual([0, 0, 'resyncing']);
  });

  it('is a book of its own that later updates leave alone', () => {
    const driver = new MirrorDriver().goLive();
    const before = driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now);
    driver.update({ bids: levels([40, 1]) });
    const after = driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now);
    expect([before.bids[0]?.price, after.bids[0]?.price]).toEqual([4_800, 4_000]);
  });
});

describe('behind a hidden side', () => {
  const MINE = [48, 47, 46, 45, 44].map((tick, level) => own('bid', tick, 10 * (level + 1)));
  const BEHIND = {
    bids: levels([48, 10], [47, 25], [46, 30], [45, 40], [44, 50], [43, 7], [42, 8]),
    ownBids: [10, 20, 30, 40, 50, 0, 0].map((whole) => shares(whole * 100)),
    ownAsks: [],
    asks: levels(),
  };
  const hide = (): MirrorDriver => {
    const driver = new MirrorDriver({ hiddenEveryMs: 5_000, depth: 5 }).goLive().update({ bids: FULL_BIDS });
    driver.mirror.look(MARKET, MINE, driver.now);
    return driver;
  };

  it('the last signed read stands, and is asked for at once and then again', () => {
    const driver = hide().wait(0);
    const [first] = driver.send('read-book');
    driver.answer(first!, bookBody(BEHIND));
    expect(driver.mirror.drainDirty()).toContain(MARKET);
    expect(driver.send('read-book')).toEqual([]);
    driver.wait(5_000);
    expect(driver.send('read-book')).toHaveLength(1);
  });

  it('reads that are not signed are not asked for more often', () => {
    const driver = hide().wait(0);
    driver.answer(driver.send('read-book')[0]!, bookBody({ ...BEHIND, ownBids: null, ownAsks: null }));
    expect(driver.send('read-book')).toEqual([]);
    expect(driver.wait(5_000).send('read-book')).toHaveLength(1);
  });

  it('a level better than the worst visible one is left out, for the update is newer', () => {
    const driver = hide().wait(0);
    const better = {
      ...BEHIND,
      bids: levels([49, 5], [48, 10], [43, 7]),
      ownBids: [0, 1_000, 0].map(shares),
    };
    driver.answer(driver.send('read-book')[0]!, bookBody(better));
    const view = driver.mirror.look(MARKET, MINE, driver.now);
    expect(shown(view.bids)).toEqual([[43, 7]]);
  });

  it('levels beyond the visible ones are shown as last read', () => {
    const driver = hide().wait(0);
    driver.answer(driver.send('read-book')[0]!, bookBody(BEHIND));
    const view = driver.mirror.look(MARKET, MINE, driver.now);
    expect(shown(view.bids)).toEqual([
      [43, 7],
      [42, 8],
    ]);
    expect(view.freshness.state).toBe('hidden');
  });

  it('nothing is behind a side that shows fewer levels than it could', () => {
    const driver = new MirrorDriver().goLive().update({ bids: levels([48, 10]) });
    driver.mirror.look(MARKET, [own('bid', 48, 10)], driver.now);
    driver.answer(driver.wait(0).send('read-book')[0]!, bookBody(BEHIND));
    expect(shown(driver.mirror.look(MARKET, [own('bid', 48, 10)], driver.now).bids)).toEqual([]);
  });
});
