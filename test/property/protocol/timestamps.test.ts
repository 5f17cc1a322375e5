import fc from 'fast-check';
import { it } from 'vitest';
import type { Micros } from '../../../src/domain/units.js';
import {
  formatMicroseconds,
  formatMilliseconds,
  LAST_INSTANT,
  readTimestamp,
} from '../../../src/protocol/timestamps.js';

const times = fc.integer({
  min: -(10 ** 15),
  max: LAST_INSTANT,
}) as fc.Arbitrary<number> as fc.Arbitrary<Micros>;

it('a time written to the microsecond reads back exactly', () => {
  fc.assert(fc.property(times, (time) => readTimestamp(formatMicroseconds(time), 'x') === time));
});

it('the calendar is the one of Date', () => {
  fc.assert(
    fc.property(
      times,
      (time) => formatMilliseconds(time) === new Date(Math.floor(time / 1_000)).toISOString(),
    ),
  );
});
