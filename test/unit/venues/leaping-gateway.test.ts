/** What the gateway makes of requests while nobody can say by how much our clock has leapt. */
import { expect, it } from 'vitest';
import type { Answer } from '../../../src/domain/answers.js';
import type { VenueRequest } from '../../../src/domain/effects.js';
import { orderId } from '../../../src/domain/ids.js';
import { micros } from '../../../src/domain/units.js';
import type { JournalRecord } from '../../../src/core/ports/journal.js';
import { VirtualClock } from '../../support/clocks/virtual-clock.js';
import { performing } from '../../../src/venues/futuur/requests.js';
import type { Wire } from '../../../src/venues/futuur/rest/wire.js';
import { VenueGateway } from '../../../src/venues/gateway.js';
import { approved, send } from '../../support/bot/effects.js';
import { limitOrder, replacement } from '../../support/wire/wire-orders.js';

const NOW = micros(1_000_000);
const CREATE: VenueRequest = { kind: 'create-orders', orders: [approved(limitOrder)] };
const UPDATE: VenueRequest = { kind: 'replace-orders', replacements: [approved(replacement(7))] };
const CANCEL: VenueRequest = { kind: 'cancel-orders', orderIds: [orderId(7)] };

async function outcomeOf(request: VenueRequest) {
  const journalled: JournalRecord[] = [];
  const wire = {
    call: (_call, sending) => {
      try {
        sending?.beforeFirstByte?.('{}');
      } catch (error) {
        const { message: reason } = error as Error;
        return Promise.resolve({ ok: false, failure: { kind: 'not-sent', reason }, sentAt: null });
      }
      return Promise.resolve({ ok: true, value: { orders: [], nextOffset: null }, sentAt: NOW });
    },
  } as Pick<Wire, 'call'>;
  const gateway = new VenueGateway({
    perform: performing(wire, {
      mode: 'play_money',
      tickUnitsOf: () => 100,
    }),
    clock: new VirtualClock(NOW),
    journal: { append: (record) => void journalled.push(record), close: () => Promise.resolve() },
    keyOf: () => 'key',
    latched: () => null,
    venueAhead: () => 0,
    canDate: () => false,
    onFault: (error) => {
      throw error;
    },
  });
  const given: Answer[] = [];
  gateway.answers.subscribe((answer) => given.push(answer));
  gateway.submit(send(1, request));
  await expect.poll(() => given).toHaveLength(1);
  return { outcome: given[0]!.outcome, journalled };
}

it.each([CREATE, UPDATE])('what may create an order is held back', async (request) => {
  const { outcome, journalled } = await outcomeOf(request);
  expect(outcome).toEqual({ ok: false, failure: { kind: 'not-sent', reason: 'clock' } });
  expect(journalled).toMatchObject([{ kind: 'answer' }]);
});

it('a cancel leaves', async () => {
  const { outcome } = await outcomeOf(CANCEL);
  expect(outcome).not.toMatchObject({ failure: { kind: 'not-sent' } });
});

it('a listing tells nothing, nor does a part of it', async () => {
  const { outcome } = await outcomeOf({
    kind: 'read-orders',
    // Of what an order's end is looked for, a part is told before.
    known: { places: new Map([[orderId(7), null]]), pages: 1 },
  });
  expect(outcome).toEqual({ ok: false, failure: { kind: 'unknown', reason: 'our clock has leapt' } });
});
