import { expect, test } from 'vitest';
import { micros } from '../../../src/domain/units.js';
import { VirtualClock } from '../../support/clocks/virtual-clock.js';
import { Answer } from '../../../src/exchange-server/http/answer.js';
import { BookCache } from '../../../src/exchange-server/http/book-cache.js';

const START = 1_700_000_000_000_000;
const MS = 1_000;

function scene(lifetimeMs: number) {
  const clock = new VirtualClock(micros(START));
  const cache = new BookCache(clock, lifetimeMs);
  let reads = 0;
  const read = (key = 'book', lifetime?: number): string =>
    cache.answer(key, () => new Answer(200, String(++reads)), lifetime).text;
  const pass = (ms: number): void => clock.advanceTo(micros(clock.now() + ms * MS));
  return { read, pass };
}

test('an answer is served again until its lifetime is over', () => {
  const { read, pass } = scene(2_000);
  expect(read()).toBe('1');
  pass(1_999);
  expect(read()).toBe('1');
  pass(1);
  expect(read()).toBe('2');
});

test('a lifetime of 0 reads the book of this moment', () => {
  const { read } = scene(0);
  expect([read(), read()]).toEqual(['1', '2']);
});

test('each key is a book of its own', () => {
  const { read } = scene(2_000);
  expect([read('a'), read('b'), read('a')]).toEqual(['1', '2', '1']);
});

test('a longer lifetime serves the last book that was read', () => {
  const { read, pass } = scene(0);
  read();
  pass(3_000);
  expect(read('book', 5_000)).toBe('1');
  pass(3_000);
  expect(read('book', 5_000)).toBe('2');
});

test('the books remembered are bounded', () => {
  const { read } = scene(1_000_000);
  for (let key = 0; key <= 4_096; key++) read(String(key));
  expect(read('1')).toBe('2');
  expect(read('0')).toBe('4098');
});
