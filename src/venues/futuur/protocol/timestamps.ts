/**
 * Times where they cross the border: ISO 8601 and Unix seconds on the wire, integer microseconds inside.
 * Without `Date`, so that the pure rooms can use it.
 */
import { dayName, dayOf, dayOfDate, MICROS_PER_DAY } from '../../../domain/days.js';
import { EXIT, OddsmithError } from '../../../domain/errors.js';
import type { Micros } from '../../../domain/units.js';

/** A text or number that is no time. Names the field. */
export class TimestampError extends OddsmithError {
  readonly code = 'ODDSMITH_TIMESTAMP';
  readonly exit = EXIT.internal;

  constructor(
    readonly field: string,
    found: unknown,
  ) {
    super(
      `${field}: expected an ISO 8601 time such as 2026-01-31T09:30:00.250Z, found ${String(found).slice(0, 64)}`,
    );
  }
}

/** The last instant that integer microseconds hold exactly: in the year 2255. */
export const LAST_INSTANT = Number.MAX_SAFE_INTEGER as Micros;

const MICROS_PER_SECOND = 1_000_000;

const SPELLING =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** A zero is any digit. */
const PLAIN = '0000-00-00T00:00:00.000Z';
const SECOND_AT = PLAIN.indexOf('00.000Z');
const POINT_AT = PLAIN.indexOf('.');
const POINT = PLAIN.charCodeAt(POINT_AT);
const ZONE = PLAIN.charCodeAt(PLAIN.length - 1);
const ZERO = 48;
const NINE = 57;

/**
 * Reads ISO 8601. A time without a zone is taken as UTC; digits beyond the microsecond are cut off; a time after
 * {@link LAST_INSTANT} (some venues write the year 9999 for "never") is read as that instant.
 * @throws TimestampError when it is no calendar time
 */
export function readTimestamp(value: unknown, field: string): Micros {
  return (typeof value === 'string' ? plainTime(value) : null) ?? spelledTime(value, field);
}

/** The minute that was read last in the plain spelling, up to its seconds, as text and as time; times come in order, mostly. */
let lastMinute = PLAIN.slice(0, SECOND_AT);
let lastMinuteStart: Micros | null = null;

/** The spelling of realtime events, which come by the thousand, digit by digit; null for any other, and for no time. */
function plainTime(text: string): Micros | null {
  if (text.length !== PLAIN.length) return null;
  // `startsWith` would compare character by character, and ask before each how the text is kept.
  if (lastMinuteStart === null || text.slice(0, SECOND_AT) !== lastMinute) return firstOfMinute(text);
  const micros = microsOfMinute(text);
  return micros === null ? null : (Math.min(lastMinuteStart + micros, LAST_INSTANT) as Micros);
}

function firstOfMinute(text: string): Micros | null {
  if (!isPlain(text)) return null;
  const days = dayOfDate(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2));
  const start = instantOf(days, secondsOfDay(digitsAt(text, 11, 2), digitsAt(text, 14, 2), 0), 0);
  const micros = microsOfMinute(text);
  if (start === null || micros === null) return null;
  const time = Math.min(start + micros, LAST_INSTANT) as Micros;
  if (time === LAST_INSTANT) return time;
  lastMinute = text.slice(0, SECOND_AT);
  lastMinuteStart = start;
  return time;
}

/** Up to its seconds. */
function isPlain(text: string): boolean {
  for (let at = 0; at < SECOND_AT; at++) {
    const [found, expected] = [text.charCodeAt(at), PLAIN.charCodeAt(at)];
    if (expected === ZERO ? found < ZERO || found > NINE : found !== expected) return false;
  }
  return true;
}

/** Seconds and milliseconds at the end of a plain time, each character looked at once; null when that is no such end. */
function microsOfMinute(text: string): number | null {
  const seconds = digitsAt(text, SECOND_AT, 2);
  const milliseconds = digitsAt(text, POINT_AT + 1, 3);
  if (seconds < 0 || seconds > 59 || milliseconds < 0) return null;
  if (text.charCodeAt(POINT_AT) !== POINT || text.charCodeAt(PLAIN.length - 1) !== ZONE) return null;
  return seconds * MICROS_PER_SECOND + milliseconds * 1_000;
}

/**
 * {@link LAST_INSTANT} for whatever is later.
 * @param days    since 1970; null for no date
 * @param seconds of the day; null for no time of day
 * @param micros  of the second
 */
function instantOf(days: number | null, seconds: number | null, micros: number): Micros | null {
  if (days === null || seconds === null) return null;
  return Math.min(days * MICROS_PER_DAY + seconds * MICROS_PER_SECOND + micros, LAST_INSTANT) as Micros;
}

/** -1 where there is something else. */
function digitsAt(text: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const found = text.charCodeAt(at);
    if (found < ZERO || found > NINE) return -1;
    value = value * 10 + found - ZERO;
  }
  return value;
}

function spelledTime(value: unknown, field: string): Micros {
  const parts = typeof value === 'string' ? SPELLING.exec(value) : null;
  if (parts === null) throw new TimestampError(field, value);
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = parts;
  const days = dayOfDate(Number(year), Number(month), Number(day));
  const clock = secondsOfDay(Number(hour), Number(minute), Number(second));
  const east = zoneSeconds(zone);
  if (days === null || clock === null || east === null) throw new TimestampError(field, value);
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return instantOf(days, clock - east, micros)!;
}

/** Like {@link readTimestamp}, with null and a missing value read as null. */
export const readOptionalTimestamp = (value: unknown, field: string): Micros | null =>
  value === null || value === undefined ? null : readTimestamp(value, field);

/** Unix seconds, whole or with a fraction (floored to the microsecond). @throws TimestampError */
export function readUnixSeconds(value: unknown, field: string): Micros {
  if (typeof value !== 'number' || !(value >= 0) || value > LAST_INSTANT / MICROS_PER_SECOND) {
    throw new TimestampError(field, value);
  }
  const whole = Math.floor(value);
  return (whole * MICROS_PER_SECOND + Math.floor((value - whole) * MICROS_PER_SECOND)) as Micros;
}

/** Whole Unix seconds, floored: what the `Timestamp` header carries (specification 5.2). */
export const unixSeconds = (time: Micros): number => Math.floor(time / MICROS_PER_SECOND);

/** `2026-01-31T09:30:00.250Z`: milliseconds, floored; the spelling of realtime events (specification 6.3). */
export const formatMilliseconds = (time: Micros): string =>
  `${dayName(dayOf(time))}T${clockText(time)}.${padded(Math.floor(microsOfSecond(time) / 1_000), 3)}Z`;

/** `2026-01-31T09:30:00.250000Z`: exact. */
export const formatMicroseconds = (time: Micros): string =>
  `${dayName(dayOf(time))}T${clockText(time)}.${padded(microsOfSecond(time), 6)}Z`;

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;
const padded = (value: number, width: number): string => String(value).padStart(width, '0');
const microsOfSecond = (time: Micros): number => modulo(time, MICROS_PER_SECOND);

function clockText(time: Micros): string {
  const seconds = Math.floor(modulo(time, MICROS_PER_DAY) / MICROS_PER_SECOND);
  const minutes = Math.floor(seconds / 60);
  return `${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}:${padded(seconds % 60, 2)}`;
}

/** Null when there is no such time of day. */
function secondsOfDay(hour: number, minute: number, second: number): number | null {
  return hour > 23 || minute > 59 || second > 59 ? null : hour * 3_600 + minute * 60 + second;
}

/** `Z` is 0; `+05:30`, `+0530` and `+05` are seconds east of UTC; null for an offset beyond 23:59. */
function zoneSeconds(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const east = secondsOfDay(Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '')), 0);
  return east !== null && zone.startsWith('-') ? -east : east;
}
