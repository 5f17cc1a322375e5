/** Scalars as people write them in YAML, read into the integers of `domain/units`. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import {
  type Micros,
  money,
  type Money,
  priceUnits,
  type PriceUnits,
  shares,
  type Shares,
} from '../domain/units.js';
import { eventId, marketId } from '../domain/ids.js';
import { EXPIRY_LEAST_MS } from '../core/execution/planning/expiry.js';
import { CURRENCIES, CURRENCY_MODES } from '../domain/vocabulary.js';
import { formatMoney } from '../venues/futuur/protocol/decimals.js';

const DECIMAL_TEXT = /^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$/i;

interface Grid {
  /** Integer units per whole. */
  readonly scale: number;
  readonly expected: string;
  /** What a value above `max` is told; absent: `expected`. */
  readonly most?: string;
  readonly min: number;
  readonly max: number;
}

/** A decimal, as text or number, that must be a whole count of 1/scale. */
function decimalOn(grid: Grid) {
  return textOrNumber(grid.expected).transform((found, context) => {
    const text = String(found).trim();
    const value = DECIMAL_TEXT.test(text) ? new Decimal(text).times(grid.scale) : null;
    if (value === null || !value.isInteger() || value.lt(grid.min) || value.gt(grid.max)) {
      const expected = value?.gt(grid.max) === true ? (grid.most ?? grid.expected) : grid.expected;
      context.addIssue({ code: 'custom', message: unexpected(expected, found) });
      return z.NEVER;
    }
    return value.toNumber();
  });
}

const textOrNumber = (expected: string) =>
  z.union([z.string(), z.number()], { error: ({ input }) => unexpected(expected, input) });

const unexpected = (expected: string, found: unknown): string =>
  `expected ${expected}, found ${JSON.stringify(found) ?? 'nothing'}`;

const MOST = Number.MAX_SAFE_INTEGER;

/** A price or distance between 0 and 1 in steps of 0.0001. */
export const probabilityScalar = decimalOn({
  scale: 10_000,
  expected: 'a probability from 0 to 1 in steps of 0.0001, such as "0.02"',
  min: 0,
  max: 10_000,
})
  .transform((value): PriceUnits => priceUnits(value))
  .meta({ title: 'probability in steps of 0.0001' });

/** A part of something, from 0 to 1. */
export const fractionScalar = decimalOn({
  scale: 10_000,
  expected: 'a part from 0 to 1 in steps of 0.0001, such as "0.5"',
  min: 0,
  max: 10_000,
})
  .transform((value) => value / 10_000)
  .meta({ title: 'part from 0 to 1' });

/** A tick size: 1 / tickSize divides 10,000. */
export const tickSizeScalar = decimalOn({
  scale: 10_000,
  expected: 'a tick size such as "0.01" or "0.001" that divides 1 into at most 10,000 ticks',
  min: 1,
  max: 5_000,
})
  .refine((units) => 10_000 % units === 0, {
    message:
      'expected a tick size that divides 1 into ticks and 10,000 by their number, such as "0.01" or "0.001"',
  })
  .meta({ title: 'price step' });

export const sharesScalar = decimalOn({
  scale: 100,
  expected: 'shares, at least 0, in steps of 0.01, such as "12.5"',
  min: 0,
  max: 1e11,
})
  .transform((value): Shares => shares(value))
  .meta({ title: 'shares in steps of 0.01' });

const moneyGrid = { scale: 1_000_000, max: MOST, most: `at most ${formatMoney(money(MOST))}` } as const;

export const amountScalar = decimalOn({
  ...moneyGrid,
  expected: 'an amount of currency, at least 0, with at most 6 decimals, such as "100"',
  min: 0,
})
  .transform((value): Money => money(value))
  .meta({ title: 'amount of currency' });

/** A fee per share; a negative one is a rebate. */
export const feeScalar = decimalOn({
  ...moneyGrid,
  expected: 'a fee in currency per share with at most 6 decimals, such as "0.001"',
  min: -1_000_000,
  max: 1_000_000,
})
  .transform((value): Money => money(value))
  .meta({ title: 'currency per share' });

interface IntegerRange {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly expected: string;
}

/** An integer, also as text, because an interpolated variable is text. */
function integerFrom({ title, min, max, expected }: IntegerRange) {
  return textOrNumber(expected)
    .transform((found, context) => {
      const value = typeof found === 'string' && /^-?\d+$/.test(found) ? Number(found) : found;
      if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
      context.addIssue({ code: 'custom', message: unexpected(expected, found) });
      return z.NEVER;
    })
    .meta({ title });
}

export const idScalar = integerFrom({
  title: 'id',
  min: 1,
  max: MOST,
  expected: 'an id, a positive integer',
});

/** Ids of the venue are whole numbers in a file. Outside its adapter an id is text. */
export const eventScalar = idScalar.transform((id) => eventId(id)).meta({ title: 'id' });
export const marketScalar = idScalar.transform((id) => marketId(id)).meta({ title: 'id' });

export const portScalar = integerFrom({
  title: 'port',
  min: 0,
  max: 65_535,
  expected: 'a port from 0 to 65535, where 0 means any free one',
});

export function countScalar(min: number, max: number) {
  const title = max < MOST ? `integer from ${min} to ${max}` : `integer from ${min}`;
  return integerFrom({ title, min, max, expected: `an ${title}` });
}

/** Milliseconds, an integer; "2s" and "500ms" are refused so that a unit is never guessed. */
export const msScalar = integerFrom({
  title: 'milliseconds',
  min: 0,
  max: 31_536_000_000,
  expected: 'milliseconds as an integer, such as 500',
});

/** Milliseconds of a wait or an interval, with an upper limit that a person would still wait for. */
export const boundedMsScalar = (min: number, max: number) =>
  integerFrom({
    title: `milliseconds from ${min} to ${max}`,
    min,
    max,
    expected: `milliseconds, an integer from ${min} to ${max}`,
  });

/** Milliseconds of a fault. They may be negative, for a clock that is behind. */
export const faultMsScalar = integerFrom({
  title: 'milliseconds',
  min: -31_536_000_000,
  max: 31_536_000_000,
  expected: 'milliseconds as an integer, such as 500',
});

/** Milliseconds until an order expires. Shorter times would end during an ordinary restart. */
export const expiryScalar = integerFrom({
  title: 'milliseconds from 120000',
  min: EXPIRY_LEAST_MS,
  max: 31_536_000_000,
  expected: `milliseconds, at least ${EXPIRY_LEAST_MS}`,
});

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `500ms`, `20s`, `2m`, `1.5h`, `7d` to milliseconds; null: it is none of these. */
export function durationOf(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  return match === null ? null : Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]);
}

/** A duration such as `20s`, in milliseconds. */
export const durationScalar = (leastMs: number) =>
  z
    .string({ error: EXPECTED_DURATION })
    .transform((text, context): number => {
      const ms = durationOf(text);
      if (ms !== null && ms >= leastMs) return ms;
      const least = `a duration such as 20m or 2h, at least ${leastMs / 1_000}s`;
      context.addIssue({ code: 'custom', message: unexpected(least, text) });
      return z.NEVER;
    })
    .meta({ title: 'duration such as 20m or 2h' });

const EXPECTED_DURATION = 'expected a duration such as 20m or 2h';

const EXPECTED_INSTANT =
  'expected an ISO 8601 time with zone, or a time from now such as "+90m", "+24h" or "+7d"';

/** A point in time, or so many milliseconds after a beginning. */
export type Instant = { readonly at: number } | { readonly afterMs: number };

export const instantScalar = z
  .string({ error: EXPECTED_INSTANT })
  .transform((text, context): Instant => {
    const afterMs = text.startsWith('+') ? durationOf(text.slice(1)) : null;
    if (afterMs !== null) return { afterMs };
    const at = /^\d{4}-.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
    if (!Number.isNaN(at)) return { at: at * 1_000 };
    context.addIssue({ code: 'custom', message: unexpected(EXPECTED_INSTANT.slice(9), text) });
    return z.NEVER;
  })
  .meta({ title: 'ISO 8601 time with zone, or +24h' });

export const currencyScalar = z.enum(CURRENCIES);
export const currencyModeScalar = z.enum(CURRENCY_MODES);

/** ISO 8601 with a zone, or null. */
export const timeScalar = z.iso
  .datetime({ offset: true, error: 'expected an ISO 8601 time with zone, such as 2026-07-01T12:00:00Z' })
  .transform((text): Micros => (Date.parse(text) * 1_000) as Micros)
  .meta({ title: 'ISO 8601 time with zone' });

/** Text in settings that becomes an address or a path. */

/** Address of a source. Messages never repeat the value, because it may contain a password. */
export const sourceUrlScalar = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
  .refine((text) => !hasCredentials(text), {
    message: 'expected a URL without user name and password, which would be shown in logs: use token',
  });

/** Address of a venue. Messages never repeat the value, because it may contain a password. */
export const urlScalar = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
  .refine((text) => !hasCredentials(text), {
    message:
      'expected a URL without user name and password, which would be shown in errors and logs: keys go into publicKey and privateKey',
  })
  .refine((text) => !/[?#]/.test(text), {
    message: 'expected a URL without ? and #: paths are appended',
  });

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

/** A host without a port. An empty one is refused: it would mean every interface of the machine. */
export const hostScalar = z.string().regex(/^[^\s/@?#]+$/, {
  error: 'expected a host name or address alone, such as 127.0.0.1 or ws.example.org',
});

/** A folder or a file. */
export const pathScalar = z
  .string()
  .regex(/^[^\0]*[^\s\0][^\0]*$/, { error: 'expected a path, found nothing' });

/** Names that become names of files and folders. */
export const fileNameScalar = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u, {
  error: ({ input }) =>
    `expected at most 64 letters, digits, spaces and . _ -, beginning with a letter or digit, found ${JSON.stringify(input)}: files are named after it`,
});

/** Checks that the first of two values is not the larger one. null means no limit. */
export function inOrder<Value extends number>(
  context: z.RefinementCtx,
  [least, path]: readonly [Value | null, string],
  [most, name]: readonly [Value | null, string],
  write: (value: Value) => string,
): void {
  if (least === null || most === null || least <= most) return;
  const message = `expected at most ${name}, which is ${write(most)}, found ${write(least)}`;
  context.addIssue({ code: 'custom', path: path.split('.'), message });
}
