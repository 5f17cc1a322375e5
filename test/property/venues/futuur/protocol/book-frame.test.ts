import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { CURRENCIES, CURRENCY_MODES, type Side } from '../../../../../src/domain/vocabulary.js';
import { eventText } from '../../../../../src/venues/futuur/protocol/pusher-frames.js';
import { readBookFrame } from '../../../../../src/venues/futuur/protocol/read/book-frame.js';
import {
  changed,
  changes,
  envelope,
  parsed,
  spelling,
  timeText,
} from '../../../../support/wire/frame-texts.js';

const EVENT = 'order-book-update';

const id = fc.maxSafeInteger().map((number) => Math.abs(number) % 10 ** 15);
const price = fc.integer({ min: 1, max: 9_999 });
const amount = fc.integer({ min: 0, max: 10 ** 11 }).map((count) => count / 100);
const levelsOf = (side: Side) =>
  fc
    .uniqueArray(
      fc.record({ price, total_shares: amount, total_amount: fc.double({ min: 0, max: 1e9, noNaN: true }) }),
      {
        maxLength: 8,
        selector: (level) => level.price,
      },
    )
    .map((levels) =>
      levels
        .toSorted((left, right) => (side === 'bid' ? right.price - left.price : left.price - right.price))
        .map((level) => ({ ...level, price: level.price / 10_000 })),
    );
const payload = fc.record({
  market_id: id,
  event_id: id,
  currency: fc.constantFrom(...CURRENCIES),
  currency_mode: fc.constantFrom(...CURRENCY_MODES),
  top_n: fc.nat({ max: 100 }),
  ask: levelsOf('ask'),
  bid: levelsOf('bid'),
  timestamp: timeText(),
});

const frame = fc
  .tuple(payload, envelope, spelling)
  .map(([book, wrapped, spelled]) => wrapped(EVENT, `event-${book.event_id}`, spelled(JSON.stringify(book))));

/** Exponents of tiny amounts are left to the general way. */
const hasExponent = (text: string): boolean => /\de-\d/.test(text);

it('reads a book as JSON.parse and the shapes do, in the usual spellings', () => {
  fc.assert(
    fc.property(
      frame.filter((text) => !hasExponent(text)),
      (text) => {
        expect(readBookFrame(text)).toEqual(parsed(text));
      },
    ),
  );
});

it('leaves shares to the general way that are too many to be exact', () => {
  fc.assert(
    fc.property(payload, fc.constantFrom(90_071_992_547_409, 90_071_992_547_410), (book, shares) => {
      const ask = [{ price: 0.5, total_shares: shares, total_amount: 1 }];
      const text = eventText(EVENT, 'event-1', JSON.stringify({ ...book, bid: [], ask }));
      expect(readBookFrame(text) ?? parsed(text)).toEqual(parsed(text));
    }),
  );
});

it('reads times as they are, whatever minute the frame before was of', () => {
  const time = (minute: string, second: number, millisecond: number) =>
    `2026-${minute}:${String(second).padStart(2, '0')}.${String(millisecond).padStart(3, '0')}Z`;
  const minute = fc.constantFrom('01-31T09:59', '01-31T10:00', '02-31T09:59', '02-28T24:00', '02-28T23:60');
  const times = fc.array(fc.tuple(minute, fc.nat(61), fc.nat(999)), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(payload, times, (book, moments) => {
      for (const moment of moments) {
        const json = JSON.stringify({ ...book, ask: [], bid: [], timestamp: time(...moment) });
        const text = eventText(EVENT, 'event-1', json);
        expect(readBookFrame(text) ?? parsed(text)).toEqual(parsed(text));
      }
    }),
  );
});

it('reads a frame that was tampered with as JSON.parse and the shapes do, or not at all', () => {
  fc.assert(
    fc.property(frame, changes, (text, made) => {
      const tampered = made.reduce(changed, text);
      expect(readBookFrame(tampered) ?? parsed(tampered)).toEqual(parsed(tampered));
    }),
    { numRuns: 2_000 },
  );
});
