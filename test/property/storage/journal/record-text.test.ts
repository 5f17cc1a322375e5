import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Approved, VenueRequest } from '../../../../src/domain/effects.js';
import { eventId, marketId, orderId } from '../../../../src/domain/ids.js';
import type { AnswerBody, ItemOutcome } from '../../../../src/domain/answers.js';
import type { LimitOrder, OrderReplacement, OrderReport, Said } from '../../../../src/domain/orders.js';
import { micros, priceUnits, shares } from '../../../../src/domain/units.js';
import { CURRENCIES, ORDER_STATUSES, POSITIONS, SIDES } from '../../../../src/domain/vocabulary.js';
import type { JournalRecord } from '../../../../src/core/ports/journal.js';
import {
  batchCreateTexts,
  batchUpdateTexts,
} from '../../../../src/venues/futuur/protocol/write/batch-texts.js';
import { readRecord, recordText } from '../../../../src/storage/journal/record-text.js';
import { LineSealer, sealLine } from '../../../../src/storage/log/sealed-line.js';

const id = fc.maxSafeInteger().filter((value) => value >= 0);
const terms = {
  price: fc.integer({ min: 1, max: 9_999 }).map(priceUnits),
  shares: fc.integer({ min: 1, max: 10 ** 12 }).map(shares),
  expiresAt: fc.option(fc.integer({ min: 1, max: 4 * 10 ** 15 }).map(micros)),
};
const place = {
  eventId: id.map(eventId),
  marketId: id.map(marketId),
  side: fc.constantFrom(...SIDES),
  position: fc.constantFrom(...POSITIONS),
  currency: fc.constantFrom(...CURRENCIES),
};
const batchOf = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 20 });
const orders = batchOf(fc.record<LimitOrder>({ ...place, ...terms }));
const says = fc.constantFrom<Said>('price', 'price-and-shares', 'price-and-expiry', 'all');
const replacements = batchOf(
  fc.record<OrderReplacement>({ orderId: id.map(orderId), place: fc.record(place), ...terms, says }),
);

/** Only the risk gate approves; a record that is read back has no gate to pass. */
const creating = (items: readonly LimitOrder[]): VenueRequest => ({
  kind: 'create-orders',
  orders: items as readonly Approved<LimitOrder>[],
});
const replacing = (items: readonly OrderReplacement[]): VenueRequest => ({
  kind: 'replace-orders',
  replacements: items as readonly Approved<OrderReplacement>[],
});

const asked: fc.Arbitrary<{ request: VenueRequest; body: string }> = fc.oneof(
  orders.map((items) => ({ request: creating(items), body: batchCreateTexts(items, 'omit').json })),
  replacements.map((items) => ({ request: replacing(items), body: batchUpdateTexts(items, 'omit').json })),
  fc.record({
    request: fc.constant<VenueRequest>({ kind: 'cancel-orders', orderIds: [orderId(7)] }),
    body: fc.constantFrom('{"order_ids":[7]}', '{}', '', 'event=1&market=2'),
  }),
);
const key = fc.option(fc.string({ unit: 'binary' }));
/** Earlier versions wrote none. */
const ahead = fc.oneof(fc.constant({}), fc.record({ venueAhead: fc.oneof(fc.constant(0), fc.integer()) }));
const record: fc.Arbitrary<JournalRecord> = fc
  .tuple(asked, id, key, id.map(micros), ahead)
  .map(([what, requestId, ofRequest, at, more]) => ({
    kind: 'request',
    requestId,
    key: ofRequest,
    at,
    ...more,
    ...what,
  }));

const RESTING: OrderReport = {
  orderId: orderId(1),
  marketId: marketId(2231),
  eventId: eventId(873),
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  price: priceUnits(5_000),
  status: 'open',
  requested: shares(10_000_000),
  filled: shares(0),
  averageFillPrice: null,
  createdAt: micros(17e14),
  expiresAt: null,
};
const REPORT_KEYS = Object.keys(RESTING) as Exclude<keyof OrderReport, 'filledNow'>[];

const storedPlaces = (request: VenueRequest): unknown[] => {
  const text = recordText({ kind: 'request', requestId: 1, key: null, at: micros(1), request, body: '' });
  return (JSON.parse(text) as { request: { places: unknown[] } }).request.places;
};

const uniqueOf = (places: readonly unknown[]): unknown[] => [
  ...new Map(places.map((one) => [JSON.stringify(one), one])).values(),
];

describe('a journalled request', () => {
  it('comes back as it was, the body byte by byte', () => {
    fc.assert(
      fc.property(record, (written) => {
        expect(readRecord(recordText(written))).toEqual(written);
      }),
    );
  });

  it('stands as JSON.stringify writes it, but for its body, which stands as the JSON that it is', () => {
    fc.assert(
      fc.property(record, (written) => {
        const { body, request, ...rest } = written as Extract<JournalRecord, { kind: 'request' }>;
        const told = JSON.parse(recordText(written)) as Record<string, unknown>;
        const stands: unknown = body.startsWith('{') ? JSON.parse(body) : body;
        expect({ ...told, request }).toEqual({ ...rest, request, body: stands });
      }),
    );
  });

  it('names every place of its orders once', () => {
    fc.assert(
      fc.property(replacements, fc.nat(19), (items, copied) => {
        const { place: again } = items[copied % items.length]!;
        const places = storedPlaces(replacing([...items, { ...items[0]!, place: { ...again } }]));
        expect(places).toEqual(uniqueOf(items.map((item) => item.place)));
      }),
    );
  });

  it('is read from a journal whose requests and bodies stand in full', () => {
    fc.assert(
      fc.property(record, (written) => {
        expect(readRecord(JSON.stringify(written))).toEqual(written);
      }),
    );
  });

  it('is read from a journal in which the bodies of updates say everything', () => {
    fc.assert(
      fc.property(replacements, (items) => {
        const inFull = items.map((item) => ({ ...item, says: 'all' as const }));
        const request = replacing(inFull);
        const body = batchUpdateTexts(inFull, 'omit').json;
        const written = { kind: 'request', requestId: 1, key: null, at: micros(1), request, body } as const;
        const without = recordText(written).replace(/,"terms":\[.*?\]\]\}/, '}');
        expect(without).not.toContain('"terms"');
        expect(readRecord(without)).toEqual(written);
        const unsaid = {
          ...written,
          request: replacing(items.map(({ says: _, ...item }) => item as OrderReplacement)),
        };
        expect(readRecord(JSON.stringify(unsaid))).toEqual(written);
      }),
    );
  });

  it('is read from a journal whose requests stand as tables', () => {
    const [bid, ask] = (['long', 'short'] as const).map((position) => ({
      eventId: eventId(873),
      marketId: marketId(2231),
      side: 'bid' as const,
      position,
      currency: 'OOM' as const,
    }));
    const rows = `[7,0,5200,1300,null],[8,1,4700,1300,1700000000000000]`;
    const text =
      `{"kind":"request","requestId":3,"key":"a-3","at":1,"request":{"kind":"replace-orders",` +
      `"places":[${JSON.stringify(bid)},${JSON.stringify(ask)}],"replacements":[${rows}]},"body":{"orders":[]}}`;
    const same = { shares: shares(1_300), says: 'all' } as const;
    const request = replacing([
      { ...same, orderId: orderId(7), place: bid!, price: priceUnits(5_200), expiresAt: null },
      { ...same, orderId: orderId(8), place: ask!, price: priceUnits(4_700), expiresAt: micros(17e14) },
    ]);
    const read = { kind: 'request', requestId: 3, key: 'a-3', at: 1, request, body: '{"orders":[]}' };
    expect(readRecord(text)).toEqual(read);
    const creates = text
      .replace('replace-orders', 'create-orders')
      .replace(`"replacements":[${rows}]`, '"orders":[[1,4700,1300,null]]');
    const order = { ...ask!, price: priceUnits(4_700), shares: shares(1_300), expiresAt: null };
    expect(readRecord(creates)).toEqual({ ...read, request: creating([order]) });
  });
});

const report: fc.Arbitrary<OrderReport> = fc.record(
  {
    orderId: id.map(orderId),
    marketId: fc.constantFrom(1, 2).map(marketId),
    eventId: fc.constantFrom(null, eventId(1), eventId(2)),
    side: fc.constantFrom(...SIDES),
    position: fc.constantFrom(...POSITIONS),
    currency: fc.constantFrom(...CURRENCIES),
    price: fc.option(terms.price),
    status: fc.constantFrom(...ORDER_STATUSES),
    requested: fc.constantFrom(1, 10 ** 12).map(shares),
    filled: fc.constantFrom(null, shares(0), shares(1)),
    filledNow: fc.constantFrom(0, 1).map(shares),
    averageFillPrice: fc.constantFrom(null, 0.5, 0.123456789),
    createdAt: fc.constantFrom(null, micros(17e14), micros(17e14 + 1)),
    expiresAt: fc.constantFrom(null, micros(18e14)),
  },
  { requiredKeys: REPORT_KEYS },
);
const keys: readonly (keyof OrderReport)[] = [...REPORT_KEYS, 'filledNow'];
const pick = (one: OrderReport, key: keyof OrderReport): Partial<OrderReport> =>
  key in one ? { [key]: one[key] } : {};
const refused = { ok: false, code: 'MarketClosed', detail: 'a "closed" market' } as const;
/** As answers have them: neighbours differ in little, and seldom one is refused. */
const outcomes = fc
  .tuple(
    report,
    fc.array(fc.tuple(fc.constantFrom(...keys), report), { maxLength: 19 }),
    fc.option(fc.nat(40)),
  )
  .map(([first, changes, refusedAt]) => {
    const all = [first];
    for (const [key, other] of changes) all.push({ ...all.at(-1)!, ...pick(other, key) });
    const items = all.map((value): ItemOutcome<OrderReport> => ({ ok: true, value }));
    return refusedAt === null ? items : items.with(Math.min(refusedAt, items.length - 1), refused);
  });
const answer: fc.Arbitrary<JournalRecord> = fc
  .tuple(outcomes, fc.option(fc.array(id.map(orderId))), id, id.map(micros))
  .map(([items, canceledIds, requestId, at]) => ({
    kind: 'answer',
    requestId,
    at,
    outcome: {
      ok: true,
      body:
        canceledIds === null
          ? { kind: 'replace-orders', items }
          : { kind: 'create-orders', items, canceledIds },
    },
  }));

describe('a journalled answer that brought orders', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(answer, (written) => {
        expect(readRecord(recordText(written))).toEqual(written);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is read from a journal in which they stand in full', () => {
    fc.assert(
      fc.property(answer, (written) => {
        expect(readRecord(JSON.stringify(written))).toEqual(written);
      }),
    );
  });

  it('says once what neighbours have the same', () => {
    const twenty = Array.from({ length: 20 }, (_, at) => {
      const [side, position] = at < 10 ? (['bid', 'long'] as const) : (['ask', 'short'] as const);
      return {
        ok: true,
        value: { ...RESTING, orderId: orderId(at), price: priceUnits(at + 1), side, position },
      };
    });
    const body = { kind: 'replace-orders', items: twenty } as AnswerBody;
    const text = recordText({ kind: 'answer', requestId: 1, at: micros(1), outcome: { ok: true, body } });
    expect(text.match(/"marketId"/g)).toHaveLength(2);
    expect(text.length).toBeLessThan(800);
  });
});

it('a line sealed in place has the bytes of one sealed as text, whatever its pieces, length and alphabet', () => {
  const sealer = new LineSealer();
  const body = fc
    .string({ unit: 'grapheme', maxLength: 40_000, size: 'max' })
    .map((said) => JSON.stringify({ said }));
  const pieces = fc.array(body, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(pieces, fc.integer({ min: 0, max: 0xff_ff_ff_ff }), (texts, previous) => {
      const { block, length, sum } = sealer.seal(texts, previous);
      const text = texts.join('');
      expect(sum).toBe(crc32(text, previous));
      expect(block.toString('utf8', 0, length)).toBe(sealLine(text, previous).text);
    }),
    { numRuns: 30 },
  );
});
