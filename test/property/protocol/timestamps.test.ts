import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { micros } from '../../../src/domain/units.js';
import {
  formatMicroseconds,
  formatMilliseconds,
  LAST_INSTANT,
  readTimestamp,
} from '../../../src/protocol/timestamps.js';

const times = fc.integer({ min: -(10 ** 15), max: LAST_INSTANT }).map(micros);

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
