import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { micros } from '../../../../../src/domain/units.js';
import {
  formatMicroseconds,
  formatMilliseconds,
  LAST_INSTANT,
  readTimestamp,
} from '../../../../../src/venues/futuur/protocol/timestamps.js';

const times = fc.integer({ min: -(10 ** 15), max: LAST_INSTANT }).map(micros);

/** null: refused */
const read = (text: string): number | null => {
  try {
    return readTimestamp(text, 'x');
  } catch {
    return null;
  }
};

it('a time written to the microsecond reads back exactly', () => {
  fc.assert(
    fc.property(times, (time) => {
      expect(readTimestamp(formatMicroseconds(time), 'x')).toBe(time);
    }),
  );
});

it('the calendar is the one of Date', () => {
  fc.assert(
    fc.property(times, (time) => {
      expect(formatMilliseconds(time)).toBe(new Date(Math.floor(time / 1_000)).toISOString());
    }),
  );
});

it('a time written to the millisecond is read, or refused, as the same time with three more zeros', () => {
  const two = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0'));
  const month = fc.integer({ min: 0, max: 14 }).map((value) => String(value).padStart(2, '0'));
  const year = fc.integer({ min: 0, max: 9_999 }).map((value) => String(value).padStart(4, '0'));
  const texts = fc
    .tuple(year, month, two, two, two, two, fc.integer({ min: 100, max: 999 }))
    .map(([y, mo, d, h, mi, s, ms]) => `${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`);
  const changes = fc.option(
    fc.tuple(fc.nat(19), fc.constantFrom(' ', 'T', ':', '-', '.', ',', 'Z', 'z', '0', '1', '9')),
    { freq: 3 },
  );
  fc.assert(
    fc.property(texts, changes, (text, change) => {
      const [place, character] = change ?? [0, text.charAt(0)];
      const changed = text.slice(0, place) + character + text.slice(place + 1);
      expect(read(changed)).toBe(read(`${changed.slice(0, -1)}000Z`));
    }),
    { numRuns: 2_000 },
  );
});

it('an offset is read within a day, in whole minutes of an hour, and refused beyond', () => {
  const noon = '2026-01-31T12:00:00';
  for (const sign of ['+', '-'])
    for (let hours = 0; hours <= 99; hours++)
      for (let minutes = 0; minutes <= 99; minutes++) {
        const [hh, mm] = [String(hours).padStart(2, '0'), String(minutes).padStart(2, '0')];
        const east = (sign === '+' ? 60_000_000 : -60_000_000) * (hours * 60 + minutes);
        const expected = hours > 23 || minutes > 59 ? null : readTimestamp(`${noon}Z`, 'x') - east;
        for (const offset of [
          `${sign}${hh}:${mm}`,
          `${sign}${hh}${mm}`,
          ...(minutes === 0 ? [sign + hh] : []),
        ])
          expect([offset, read(noon + offset)]).toEqual([offset, expected]);
      }
});

it('a time is read as the same, or refused, whatever was read before it', () => {
  const minutes = fc.constantFrom(
    '2026-01-31T09:30:',
    '2026-01-31T09:31:',
    '2026-02-30T09:30:',
    '9999-12-31T23:59:',
  );
  const ends = fc.oneof(
    fc.integer({ min: 0, max: 99_999 }).map((digits) => {
      const text = String(digits).padStart(5, '0');
      return `${text.slice(0, 2)}.${text.slice(2)}Z`;
    }),
    fc.string({ minLength: 7, maxLength: 7, unit: fc.constantFrom('0', '5', '9', '.', 'Z', ':', ' ') }),
  );
  // With a blank before the time of day it is read by another way, which remembers nothing.
  const slowly = (text: string): number | null => read(text.replace('T', ' '));
  fc.assert(
    fc.property(fc.array(fc.tuple(minutes, ends), { minLength: 2, maxLength: 12 }), (parts) => {
      for (const [minute, end] of parts) {
        const text = minute + end;
        expect(read(text)).toBe(slowly(text));
      }
    }),
    { numRuns: 2_000 },
  );
});
