import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURRENCIES, ORDER_STATUSES, SIDES } from '../../../../../src/domain/vocabulary.js';
import { POSITION_SPELLINGS } from '../../../../../src/domain/inputs.js';
import { readOrderFrame } from '../../../../../src/venues/futuur/protocol/read/order-frame.js';
import {
  changed,
  changes,
  envelope,
  parsed,
  spelling,
  timeText,
} from '../../../../support/wire/frame-texts.js';

const EVENT = 'order-update';

const id = fc.maxSafeInteger().map((number) => Math.abs(number) % 10 ** 15);
const shares = fc.integer({ min: 0, max: 10 ** 11 }).map((count) => count / 100);
const word = fc.stringMatching(/^[a-z][a-z-]{0,20}$/);
/** By name, in the order of the specification; what may be missing or null is so at times. */
const MEMBERS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  order_id: id,
  market_id: id,
  event_id: id,
  status: fc.constantFrom(...ORDER_STATUSES),
  previous_status: maybe(fc.oneof(fc.constantFrom(...ORDER_STATUSES), word)),
  side: fc.constantFrom(...SIDES),
  position: fc.constantFrom(...Object.keys(POSITION_SPELLINGS)),
  price: fc.option(fc.integer({ min: 1, max: 9_999 }).map((count) => count / 10_000)),
  shares_requested: shares,
  shares_filled: shares,
  shares_filled_delta: maybe(shares),
  avg_fill_price: maybe(fc.double({ min: 1e-6, max: 1, noNaN: true })),
  currency: fc.constantFrom(...CURRENCIES),
  timestamp: timeText(),
  cancel_reason: maybe(word),
  expired_at: maybe(timeText()),
  is_system_initiated: maybe(fc.boolean()),
};
const NAMES = Object.keys(MEMBERS);

/** A member as the text of its value; null: it is missing. */
type Values = readonly (string | null)[];

const usual: fc.Arbitrary<Values> = fc
  .tuple(...Object.values(MEMBERS))
  .map((values) => values.map((value) => (value === undefined ? null : JSON.stringify(value))));

function maybe(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(value, fc.constantFrom(null, undefined));
}

const json = (values: Values, names: readonly string[] = NAMES): string =>
  `{${names.flatMap((name) => memberText(name, values[NAMES.indexOf(name)]!)).join(',')}}`;
const memberText = (name: string, value: string | null): string[] =>
  value === null ? [] : [`"${name}":${value}`];

const written = (values: fc.Arbitrary<string>) =>
  fc
    .tuple(values, envelope, spelling)
    .map(([text, wrapped, spelled]) => wrapped(EVENT, 'private-user-1', spelled(text)));

const ODD_VALUES = [
  '-1',
  '-0',
  '0',
  '0.0',
  '1',
  '1.0',
  '01',
  '.5',
  '1.',
  '1e2',
  '0.5',
  '0.50000',
  '0.52341',
  '1.001',
  '90071992547409.9',
  '90071992547410',
  '999999999999999',
  '9007199254740993',
  '123456789012345678901234567890',
  '0.1000000000000000055511151231257827',
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '"l"',
  '"ll"',
  '"open"',
  '"opened"',
  '"OPEN"',
  '"0.52"',
  '"13"',
  '"constructor"',
  '"with a blank"',
  '"with \\u00e9"',
  '"with \\\\"',
  '"2026-02-29T09:30:00.250Z"',
  '"202x-02-28T23:59:59.250Z"',
  '"2026-02-28T24:00:00.000Z"',
  '"2026-02-28T23:60:00.000Z"',
  '"2026-02-28T23:59:60.000Z"',
  '"2026-02-28T23:59:59.250000Z"',
  '"2026-02-28T23:59:59.250+01:00"',
  '"2026-02-28 23:59:59.250Z"',
  '"9999-12-31T23:59:59.999Z"',
];

/** Reads it as everybody else does, or not at all; and has learnt nothing from it that makes another of it the next time. */
function isRead(text: string): void {
  const told = parsed(text);
  for (let time = 0; time < 2; time++) expect(readOrderFrame(text) ?? told).toStrictEqual(told);
}

describe('an update of an order is read from its text as JSON.parse and the shapes do', () => {
  it('in the usual spellings, with whatever may be missing', () => {
    fc.assert(
      fc.property(written(usual.map((values) => json(values))), (text) => {
        expect(readOrderFrame(text)).toStrictEqual(parsed(text));
      }),
      { numRuns: 500 },
    );
  });

  it('or not at all, where a value is another than usual', () => {
    const odd = fc
      .tuple(usual, fc.nat(NAMES.length - 1), fc.constantFrom(null, ...ODD_VALUES))
      .map(([values, at, value]) => json(values.with(at, value)));
    fc.assert(fc.property(written(odd), isRead), { numRuns: 3_000 });
  });

  it('or not at all, where a member stands elsewhere, or twice', () => {
    const moved = fc
      .tuple(usual, fc.nat(NAMES.length - 1), fc.nat(NAMES.length), fc.nat(1))
      .map(([values, from, to, cut]) =>
        json(values, NAMES.toSpliced(from, cut).toSpliced(to, 0, NAMES[from]!)),
      );
    fc.assert(fc.property(written(moved), isRead), { numRuns: 1_000 });
  });

  it('or not at all, where the text was tampered with', () => {
    fc.assert(
      fc.property(written(usual.map((values) => json(values))), changes, (text, made) => {
        isRead(made.reduce(changed, text));
      }),
      { numRuns: 3_000 },
    );
  });
});
