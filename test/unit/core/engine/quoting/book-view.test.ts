import { expect, it } from 'vitest';
import { bookViewOf, touchOf } from '../../../../../src/core/engine/quoting/book-view.js';
import { NO_OWN_LEVELS } from '../../../../../src/core/mirror/books/foreign-book.js';
import { levels, MARKET, MirrorDriver } from '../../../../support/mirror/mirror-driver.js';

it('shows probabilities and whole shares, and the touch in price units', () => {
  const driver = new MirrorDriver().goLive();
  driver.update({ bids: levels([48, 300], [47, 200]), asks: levels([52, 100]) });
  const foreign = driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now);
  expect(touchOf(foreign)).toEqual({ bid: 4_800, ask: 5_200 });
  expect(bookViewOf(foreign)).toMatchObject({
    bids: [
      { price: 0.48, shares: 300 },
      { price: 0.47, shares: 200 },
    ],
    asks: [{ price: 0.52, shares: 100 }],
    bid: 0.48,
    ask: 0.52,
    mid: 0.5,
    weightedMid: 0.75 * 0.52 + 0.25 * 0.48,
    hidden: { bids: false, asks: false },
  });
});

it('has no mid while a side is empty', () => {
  const driver = new MirrorDriver().goLive();
  driver.update({ bids: levels([48, 300]), asks: levels() });
  const foreign = driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now);
  expect(bookViewOf(foreign)).toMatchObject({
    ask: null,
    mid: null,
    weightedMid: null,
  });
});
