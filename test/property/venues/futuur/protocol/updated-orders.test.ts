import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OrderId, eventId, marketId, orderId } from '../../../../../src/domain/ids.js';
import { POSITION_SPELLINGS } from '../../../../../src/domain/inputs.js';
import { micros, money, priceUnits, shares } from '../../../../../src/domain/units.js';
import { CURRENCIES, ORDER_STATUSES, SIDES } from '../../../../../src/domain/vocabulary.js';
import { readBatchUpdate } from '../../../../../src/venues/futuur/protocol/read/orders.js';
import { scanBatchUpdate } from '../../../../../src/venues/futuur/protocol/read/updated-orders.js';
import { batchOrder } from '../../../../../src/exchange-server/present/rest.js';
import { changed, changes, spelling, timeText } from '../../../../support/wire/frame-texts.js';

const id = fc.maxSafeInteger().map((number) => Math.abs(number) % 10 ** 15);
const size = fc.integer({ min: 0, max: 10 ** 11 }).map((count) => count / 100);
/** As answers write it: to the microsecond, as realtime events do, or without a fraction. */
const time = fc
  .tuple(timeText(), fc.constantFrom('Z', '250Z', '.Z'))
  .map(([text, end]) => (end === '.Z' ? text.replace(/\.\d+Z$/, 'Z') : text.replace('Z', end)));
/** By name, in the order of the specification. */
const MEMBERS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  id,
  event: id.map(String),
  market: id.map(String),
  price: fc.option(fc.integer({ min: 1, max: 9_999 }).map((count) => count / 10_000)),
  shares: size,
  shares_requested: size,
  shares_filled: fc
    .tuple(fc.nat(10 ** 9), fc.constantFrom(2, 6))
    .map(([count, places]) => (count / 100).toFixed(places)),
  currency: fc.constantFrom(...CURRENCIES),
  side: fc.constantFrom(...SIDES),
  position: fc.constantFrom(...Object.keys(POSITION_SPELLINGS)),
  expired_at: fc.oneof(time, fc.constantFrom(null, undefined)),
  status: fc.constantFrom(...ORDER_STATUSES),
  created: time,
};
const NAMES = Object.keys(MEMBERS);

/** Members as the texts of their values; null: it is missing. */
type Values = readonly (string | null)[];

const order: fc.Arbitrary<Values> = fc
  .tuple(...Object.values(MEMBERS))
  .map((values) => values.map((value) => (value === undefined ? null : JSON.stringify(value))));

const orderText = (values: Values, names: readonly string[] = NAMES): string =>
  `{${names.flatMap((name) => memberText(name, values[NAMES.indexOf(name)]!)).join(',')}}`;
const memberText = (name: string, value: string | null): string[] =>
  value === null ? [] : [`"${name}":${value}`];

const textOf = (orders: readonly string[], submitted: readonly string[]): string =>
  `[${orders.map((text, at) => `{"index":${at},"order_id":${submitted[at]},"success":true,"order":${text}}`).join(',')}]`;

interface Told {
  readonly text: string;
  readonly submitted: readonly OrderId[];
}

/** An answer to as many updates as there are orders. */
const told = (orders: fc.Arbitrary<readonly string[]>): fc.Arbitrary<Told> =>
  fc.tuple(orders, fc.array(id, { minLength: 20, maxLength: 20 }), spelling).map(([texts, ids, spelled]) => {
    const submitted = ids.slice(0, texts.length).map(orderId);
    return { text: spelled(textOf(texts, submitted)), submitted };
  });
const batch = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 20 });
const usual = told(batch(order.map((values) => orderText(values))));

const ODD_VALUES = (
  '-1|-0|0|0.0|1|1.0|01|.5|1.|1e2|0.50000|0.52341|1.001|90071992547409.9|90071992547410|999999999999999|' +
  '123456789012345678901234567890|true|false|{}|[]|""|"0"|"07"|"7.0"|"7.5"|"-1"|"1e2"|"1.0000001"|' +
  '"open "|"ask"|"OOM"|"long"|"yes"|"filled"|"2026-02-30T10:00:00.000Z"|"2026-02-28T23:59:60.000000Z"|' +
  '"2026-02-28T23:59:59.2500000Z"|"9999-12-31T23:59:59.999999Z"|"2026-02-28T23:59:59.25Z"|' +
  '"2026-02-28T23:59:59.250000+01:00"'
).split('|');

/** As JSON.parse and the shapes read it; null for what is no answer in which everything went well. */
function parsed({ text, submitted }: Told): unknown {
  try {
    const placed = readBatchUpdate(JSON.parse(text), submitted);
    return placed.ok ? placed.value : null;
  } catch {
    return null;
  }
}

/** Reads it as everybody else does, or not at all; and has learnt nothing from it that makes another of it the next time. */
function isRead(answer: Told): void {
  const otherwise = parsed(answer);
  for (let turn = 0; turn < 2; turn++)
    expect(scanBatchUpdate(answer.text, answer.submitted) ?? otherwise).toStrictEqual(otherwise);
}

describe('an answer to updates is read from its text as JSON.parse and the shapes do', () => {
  it('in the usual spellings, with whatever may be missing', () => {
    const fractional = usual.filter(({ text }) => !/:\d\dZ/.test(text));
    fc.assert(
      fc.property(fractional, (answer) => {
        expect(scanBatchUpdate(answer.text, answer.submitted)).toStrictEqual(parsed(answer));
      }),
      { numRuns: 300 },
    );
  });

  it('as the exchange writes it', () => {
    const view = fc.record({
      id: id.map(orderId),
      marketId: id.map(marketId),
      eventId: id.map(eventId),
      side: fc.constantFrom(...SIDES),
      position: fc.constantFrom('long' as const, 'short' as const),
      currency: fc.constantFrom(...CURRENCIES),
      price: fc.option(fc.integer({ min: 1, max: 9_999 }).map(priceUnits)),
      shares: fc.integer({ min: 1, max: 10 ** 12 }).map(shares),
      filled: fc.integer({ min: 0, max: 10 ** 12 }).map(shares),
      status: fc.constantFrom(...ORDER_STATUSES),
      createdAt: fc.integer({ min: 1, max: 4 * 10 ** 15 }).map(micros),
      expiresAt: fc.option(fc.integer({ min: 1, max: 4 * 10 ** 15 }).map(micros)),
      amount: fc.constant(money(0)),
    });
    fc.assert(
      fc.property(told(batch(view.map((one) => JSON.stringify(batchOrder(one as never))))), (answer) => {
        expect(scanBatchUpdate(answer.text, answer.submitted)).toStrictEqual(parsed(answer));
      }),
      { numRuns: 300 },
    );
  });

  it('or not at all, where a value is another than usual', () => {
    const odd = fc
      .tuple(order, fc.nat(NAMES.length - 1), fc.constantFrom(null, ...ODD_VALUES))
      .map(([values, at, value]) => orderText(values.with(at, value)));
    fc.assert(fc.property(told(fc.array(odd, { minLength: 1, maxLength: 2 })), isRead), { numRuns: 3_000 });
  });

  it('or not at all, where a member stands elsewhere, or twice', () => {
    const moved = fc
      .tuple(order, fc.nat(NAMES.length - 1), fc.nat(NAMES.length), fc.nat(1))
      .map(([values, from, to, cut]) =>
        orderText(values, NAMES.toSpliced(from, cut).toSpliced(to, 0, NAMES[from]!)),
      );
    fc.assert(fc.property(told(moved.map((text) => [text])), isRead), { numRuns: 1_000 });
  });

  it('or not at all, where the text was tampered with, or answers another request', () => {
    const few = told(
      fc.array(order, { minLength: 1, maxLength: 3 }).map((all) => all.map((values) => orderText(values))),
    );
    fc.assert(
      fc.property(few, changes, fc.integer({ min: -1, max: 1 }), ({ text, submitted }, made, more) => {
        isRead({ text: made.reduce(changed, text), submitted });
        isRead({
          text,
          submitted: more < 0 ? submitted.slice(1) : [...submitted, ...submitted.slice(0, more)],
        });
        isRead({ text, submitted: submitted.toReversed() });
        isRead({ text: text.replace(/"index":( ?)\d+/, `"index":$1${more + 1}`), submitted });
      }),
      { numRuns: 3_000 },
    );
  });
});
