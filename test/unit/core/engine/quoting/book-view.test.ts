import { expect, it } from 'vitest';
import { BookPane } from '../../../../../src/core/engine/quoting/book-view.js';
import { NO_OWN_LEVELS } from '../../../../../src/core/mirror/books/own-levels.js';
import { Glance } from '../../../../../src/core/strategy/glance.js';
import { levels, MARKET, MirrorDriver } from '../../../../support/mirror/mirror-driver.js';

const TICK_UNITS = 100;

/** A pane in front of a market, and who looks at it. */
function hung() {
  const driver = new MirrorDriver().goLive();
  const glance = new Glance();
  const pane = new BookPane(glance);
  const show = (...bids: [number, number][]) => {
    driver.update({ bids: levels(...bids) });
    return pane.show(driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now), TICK_UNITS);
  };
  return { pane, glance, show };
}

it('levels are those of the last book, however many went by unseen', () => {
  const { show } = hung();
  show([48, 300], [47, 200]);
  const book = show([48, 300], [46, 100], [45, 50]);
  expect(book.bids).toEqual([
    { price: 0.48, shares: 300 },
    { price: 0.46, shares: 100 },
    { price: 0.45, shares: 50 },
  ]);
  expect(show([48, 300]).bids).toEqual([{ price: 0.48, shares: 300 }]);
});

it('a level behind the touch is news for who looked at levels, the touch for everybody', () => {
  const { glance, show } = hung();
  const book = show([48, 300], [47, 200]);
  glance.begin();
  show([48, 300], [47, 100]);
  expect([glance.levels, glance.hasMoved]).toEqual([false, false]);
  expect(book.bids).toHaveLength(2);
  show([48, 300], [47, 150]);
  expect([glance.levels, glance.hasMoved]).toEqual([true, true]);
  glance.begin();
  show([48, 200], [47, 150]);
  expect([glance.levels, glance.hasMoved]).toEqual([false, true]);
});

it('what others had at a price is known of levels that nobody looked at', () => {
  const { pane, glance, show } = hung();
  show([48, 300], [47, 200]);
  glance.begin();
  expect([pane.foreignAt('bid', 4_700), pane.foreignAt('bid', 4_600)]).toEqual([20_000, 0]);
  expect([pane.bestPrice('bid'), pane.bestShares('bid')]).toEqual([4_800, 30_000]);
  expect(glance.levels).toBe(false);
});
