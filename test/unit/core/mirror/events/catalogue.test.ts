import { expect, test } from 'vitest';
import { marketId } from '../../../../../src/domain/ids.js';
import { micros } from '../../../../../src/domain/units.js';
import { Catalogue, type MarketRecord } from '../../../../../src/core/mirror/events/catalogue.js';
import { tell } from '../../../../../src/core/mirror/events/status-facts.js';
import { eventOf, marketOf } from '../../../../support/mirror/mirror-driver.js';

const threeAlike = (): readonly [MarketRecord, MarketRecord, MarketRecord] => {
  const catalogue = new Catalogue();
  const event = catalogue.addEvent(eventOf());
  for (const id of [1, 2, 3]) catalogue.addMarket(event, marketOf({ id: marketId(id) }));
  return event.markets as unknown as ReturnType<typeof threeAlike>;
};

test('what a message states of one market changes no other of its event', () => {
  const [one, other, third] = threeAlike();
  tell(one, 'status', 'paused', micros(7));
  tell(third, 'status', 'paused', micros(3));
  other.betEnd = micros(9);
  expect([one, other, third].map(({ status }) => status)).toEqual(['paused', 'active', 'paused']);
  expect([one, other, third].map(({ betEnd }) => betEnd)).toEqual([null, 9, null]);
});

test('each market remembers for itself when it was told what', () => {
  const [one, other, third] = threeAlike();
  tell(one, 'status', 'paused', micros(7));
  tell(other, 'status', 'paused', micros(3));
  expect(tell(one, 'status', 'active', micros(5))).toBe(false);
  expect(tell(other, 'status', 'active', micros(5))).toBe(true);
  expect([one, other, third].map(({ status }) => status)).toEqual(['paused', 'active', 'active']);
  expect(third.toldAt).toBeNull();
});
