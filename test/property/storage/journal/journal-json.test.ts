import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VenueRequest } from '../../../../src/domain/effects.js';
import { orderId } from '../../../../src/domain/ids.js';
import { micros, money } from '../../../../src/domain/units.js';
import type { JournalRecord } from '../../../../src/core/ports/journal.js';
import { journalJson, recordFrom } from '../../../../src/storage/journal/file-journal.js';
import { judgeLine, recordIn, sealLine } from '../../../../src/storage/log/segment.js';
import { answered, created, replaceRequest } from '../../../support/disk/journal-records.js';

const sum = fc.integer({ min: 0, max: 0xff_ff_ff_ff });
const id = fc.maxSafeInteger().filter((value) => value >= 0);
const requests: readonly VenueRequest[] = [
  { kind: 'create-orders', orders: [] },
  { kind: 'cancel-orders', orderIds: [orderId(7)] },
];
const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('request' as const),
    requestId: id,
    key: fc.option(fc.string({ unit: 'binary' })),
    at: id.map(micros),
    venueAhead: fc.integer(),
    request: fc.constantFrom(...requests),
    body: fc.string({ unit: 'binary' }),
  }),
  fc.tuple(id, id).map(([one, other]) => created(one, other)),
  fc.tuple(id, id).map(([one, other]) => replaceRequest(one, other)),
  fc
    .integer({ min: 0 })
    .map((amount) =>
      answered(1, { kind: 'read-balances', balances: new Map([['OOM' as const, money(amount)]]) }),
    ),
);
const back = (text: string): JournalRecord =>
  recordFrom(recordIn(Buffer.from(text.slice(0, -1))) as JournalRecord);

describe('a line of the journal', () => {
  it('comes back as it was written, the body byte by byte', () => {
    fc.assert(
      fc.property(record, sum, (written, previous) => {
        expect(back(sealLine(journalJson(written), previous).text)).toEqual(written);
      }),
    );
  });

  it('is intact behind the line that it continues alone', () => {
    fc.assert(
      fc.property(record, sum, sum, (written, previous, other) => {
        const line = sealLine(journalJson(written), previous);
        const bytes = Buffer.from(line.text.slice(0, -1));
        expect(line.sum).toBe(crc32(journalJson(written).slice(1), previous));
        expect(judgeLine(bytes, previous)).toEqual({ state: 'intact', sum: line.sum });
        const state = other === previous ? 'intact' : 'altered';
        expect(judgeLine(bytes, other)).toMatchObject({ state });
      }),
    );
  });
});
