import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../../../src/domain/units.js';
import {
  formatMicroseconds,
  formatMilliseconds,
  LAST_INSTANT,
  readOptionalTimestamp,
  readTimestamp,
  readUnixSeconds,
  TimestampError,
  unixSeconds,
} from '../../../../../src/venues/futuur/protocol/timestamps.js';

const at = (text: string): number => Date.parse(text) * 1_000;

describe('times that are read', () => {
  it.each([
    ['2026-01-31T09:30:00Z', at('2026-01-31T09:30:00Z')],
    ['2026-01-31T09:30:00.250Z', at('2026-01-31T09:30:00.250Z')],
    ['2026-01-31T09:30:00.250001Z', at('2026-01-31T09:30:00.250Z') + 1],
    ['2026-01-31T09:30:00.5Z', at('2026-01-31T09:30:00.500Z')],
    ['2026-01-31T09:30:00.123456789Z', at('2026-01-31T09:30:00.123Z') + 456],
    ['2026-01-31T09:30:00+00:00', at('2026-01-31T09:30:00Z')],
    ['2026-01-31T09:30:00-03:00', at('2026-01-31T12:30:00Z')],
    ['2026-01-31T09:30:00+0530', at('2026-01-31T04:00:00Z')],
    ['2026-01-31T09:30:00+02', at('2026-01-31T07:30:00Z')],
    ['2026-01-31 09:30:00.000001+00:00', at('2026-01-31T09:30:00Z') + 1],
    ['2026-01-31T09:30:00', at('2026-01-31T09:30:00Z')],
    ['2026-01-31T09:30Z', at('2026-01-31T09:30:00Z')],
    ['2026-01-31', at('2026-01-31T00:00:00Z')],
    ['2024-02-29T00:00:00Z', at('2024-02-29T00:00:00Z')],
    ['2000-02-29T23:59:59Z', at('2000-02-29T23:59:59Z')],
    ['1970-01-01T00:00:00Z', 0],
    ['1969-12-31T23:59:59.999999Z', -1],
  ])('%s', (text, micros) => {
    expect(readTimestamp(text, 'x')).toBe(micros);
  });

  it('a time that integer microseconds cannot hold is the last instant', () => {
    expect(readTimestamp('9999-12-31T23:59:59Z', 'x')).toBe(LAST_INSTANT);
    expect(readTimestamp(formatMicroseconds(LAST_INSTANT), 'x')).toBe(LAST_INSTANT);
  });

  it('null and a missing one are none', () => {
    expect(readOptionalTimestamp(null, 'x')).toBeNull();
    expect(readOptionalTimestamp(undefined, 'x')).toBeNull();
    expect(readOptionalTimestamp('1970-01-01T00:00:00Z', 'x')).toBe(0);
  });
});

describe('times that are refused', () => {
  it.each([
    '',
    'now',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:60Z',
    '2026-01-31T09:30:00.Z',
    '2026-01-31T09:30:00 UTC',
    '2026-1-31T09:30:00Z',
    ' 2026-01-31T09:30:00Z',
    1_767_225_600,
    null,
    {},
  ])('%j', (value) => {
    expect(() => readTimestamp(value, 'expired_at')).toThrow(TimestampError);
    expect(() => readTimestamp(value, 'expired_at')).toThrow('expired_at: expected an ISO 8601 time');
  });
});

describe('Unix seconds', () => {
  it('are read whole or with a fraction', () => {
    expect(readUnixSeconds(1_767_225_600, 'x')).toBe(1_767_225_600_000_000);
    expect(readUnixSeconds(1_767_225_600.5, 'x')).toBe(1_767_225_600_500_000);
    expect(readUnixSeconds(0, 'x')).toBe(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 1e13, '1767225600', null])('refuse %j', (value) => {
    expect(() => readUnixSeconds(value, 'timestamp')).toThrow(TimestampError);
  });

  it('are floored for the header', () => {
    expect(unixSeconds(1_767_225_600_999_999 as Micros)).toBe(1_767_225_600);
  });
});

it('writes milliseconds floored and microseconds exactly', () => {
  const time = 1_767_225_600_250_999 as Micros;
  expect(formatMilliseconds(time)).toBe('2026-01-01T00:00:00.250Z');
  expect(formatMicroseconds(time)).toBe('2026-01-01T00:00:00.250999Z');
  expect(formatMicroseconds(-1 as Micros)).toBe('1969-12-31T23:59:59.999999Z');
});
