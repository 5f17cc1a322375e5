import { describe, expect, it, vi } from 'vitest';
import type { VenueRequest } from '../../../src/domain/effects.js';
import { eventId, marketId, orderId } from '../../../src/domain/ids.js';
import type { Answer } from '../../../src/domain/answers.js';
import { micros, priceUnits } from '../../../src/domain/units.js';
import { JournalError, type JournalRecord } from '../../../src/core/ports/journal.js';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import { VenueGateway, type VenueGatewayOptions } from '../../../src/venues/gateway.js';
import { performing } from '../../../src/venues/futuur/requests.js';
import type { Perform } from '../../../src/venues/port.js';
import { notSent } from '../../../src/venues/outcome.js';
import { approved, send } from '../../support/bot/effects.js';
import {
  answers,
  hangs,
  inTurn,
  resets,
  venueDouble,
  type Behaviour,
} from '../../support/wire/venue-double.js';
import { openWire } from '../../support/wire/wire.js';
import {
  createdBatch,
  limitOrder,
  listedOrder,
  replacement,
  wholePage,
} from '../../support/wire/wire-orders.js';

const CREATE: VenueRequest = { kind: 'create-orders', orders: [approved(limitOrder)] };
const CANCEL: VenueRequest = { kind: 'cancel-orders', orderIds: [orderId(7)] };
const CANCELED = [{ index: 0, order_id: 7, success: true }];

/** Time for whatever ends by itself. */
const AMPLE_MS = 5_000;

async function gatewayTo(
  behaviour: Behaviour,
  changes: Partial<VenueGatewayOptions> = {},
  timeoutMs = AMPLE_MS,
) {
  const venue = await venueDouble(behaviour);
  const { wire } = openWire(venue.url, { timeoutMs });
  const journalled: JournalRecord[] = [];
  const faults: Error[] = [];
  const gateway = new VenueGateway({
    perform: performing(wire, {
      mode: 'play_money',
      tickUnitsOf: () => 100,
    }),
    clock: new SystemClock(),
    journal: { append: (record) => void journalled.push(record), close: () => Promise.resolve() },
    keyOf: (requestId) => `run-${requestId}`,
    latched: () => null,
    venueAhead: () => 0,
    canDate: () => true,
    onFault: (error) => faults.push(error),
    ...changes,
  });
  const given: Answer[] = [];
  gateway.answers.subscribe((answer) => given.push(answer));
  const answerTo = async (request: VenueRequest, deadline?: Parameters<typeof send>[2]): Promise<Answer> => {
    const before = given.length;
    gateway.submit(send(before + 1, request, deadline));
    expect(given).toHaveLength(before);
    await expect.poll(() => given).toHaveLength(before + 1);
    return given[before]!;
  };
  return { gateway, venue, journalled, faults, given, answerTo };
}

describe('the gateway', () => {
  const requests: [request: VenueRequest, answer: unknown, body: object, path: string][] = [
    [CREATE, createdBatch(7), { kind: 'create-orders', items: [{ ok: true }] }, 'POST /orders/batch/'],
    [
      { kind: 'replace-orders', replacements: [approved(replacement(7))] },
      [{ index: 0, order_id: 7, success: true, order: createdBatch(9).results[0]?.order }],
      { kind: 'replace-orders', items: [{ ok: true, value: { orderId: '9' } }] },
      'POST /orders/batch-update/',
    ],
    [
      CANCEL,
      CANCELED,
      { kind: 'cancel-orders', items: [{ ok: true, value: '7' }] },
      'POST /orders/batch-cancel/',
    ],
    [
      { kind: 'cancel-scope', scope: { kind: 'event', eventId: eventId(873) } },
      { canceled_order_ids: [7], processing_order_ids: [] },
      { kind: 'cancel-scope', canceledIds: ['7'], processingIds: [] },
      'POST /orders/cancel-all/',
    ],
    [
      { kind: 'read-orders' },
      wholePage([listedOrder(7)]),
      { kind: 'read-orders', orders: [{ orderId: '7' }] },
      'GET /orders/?status=processing&ordering=id&limit=100&offset=0',
    ],
    [
      { kind: 'read-holdings' },
      wholePage([]),
      { kind: 'read-holdings', holdings: [] },
      'GET /wagers/?active=true&currency_mode=play_money&limit=100&offset=0',
    ],
    [
      { kind: 'read-balances' },
      [{ currency: 'OOM', amount: '1' }],
      { kind: 'read-balances', balances: new Map([['OOM', 1_000_000]]) },
      'GET /me/balances/',
    ],
    [
      { kind: 'read-book', marketId: marketId(2231), mode: 'play_money' },
      { bid: [], ask: [] },
      { kind: 'read-book', marketId: '2231', bids: { prices: [] } },
      'GET /markets/2231/book/?currency_mode=play_money&position=long',
    ],
    [
      { kind: 'read-event', eventId: eventId(873) },
      { id: 873, title: 'Who wins?', status: 'open', markets: [{ id: 2231, title: 'A', status: 'active' }] },
      { kind: 'read-event', event: { id: '873', markets: [{ tickUnits: 100 }] } },
      'GET /events/873/',
    ],
  ];
  it.each(requests)('answers %j', async (request, reply, body, path) => {
    const { venue, answerTo } = await gatewayTo(answers(200, reply));
    const answer = await answerTo(request);
    expect(answer).toMatchObject({ kind: 'answer', requestId: 1, outcome: { ok: true, body } });
    expect(answer.sentAt).not.toBeNull();
    expect(`${venue.received[0]?.method} ${venue.received[0]?.path}`).toBe(path);
  });

  it.each([
    ['refused', answers(400, { error: 'MarketClosed' })],
    ['unknown', answers(500, {})],
    ['unknown', resets],
  ])('gives exactly one answer when the request is %s', async (kind, behaviour) => {
    const { gateway, given, answerTo } = await gatewayTo(behaviour);
    expect(await answerTo(CREATE)).toMatchObject({ outcome: { ok: false, failure: { kind } } });
    await gateway.drain(AMPLE_MS);
    expect(given).toHaveLength(1);
  });

  it('gives exactly one answer when none comes in time', async () => {
    const { gateway, given, answerTo } = await gatewayTo(inTurn(answers(200, CANCELED), hangs), {}, 300);
    await answerTo(CANCEL);
    expect(await answerTo(CREATE)).toMatchObject({ outcome: { failure: { kind: 'unknown' } } });
    await gateway.drain(AMPLE_MS);
    expect(given).toHaveLength(2);
  });

  it('sends the key of the request with what may create, the same one for a replay', async () => {
    const { gateway, venue } = await gatewayTo(answers(200, createdBatch(7)));
    gateway.submit(send(5, CREATE));
    gateway.submit(send(5, CREATE));
    gateway.submit(send(6, CANCEL));
    await gateway.drain(AMPLE_MS);
    const keys = venue.received.map(({ headers }) => String(headers['idempotency-key']));
    expect(keys.toSorted((a, b) => a.localeCompare(b))).toEqual(['run-5', 'run-5', 'undefined']);
  });

  it('refuses at once what cannot be encoded as what it is', async () => {
    const { gateway, venue, given } = await gatewayTo(answers(200, {}));
    const unpriced = approved({ ...limitOrder, price: priceUnits(0) });
    expect(() => gateway.submit(send(1, { kind: 'create-orders', orders: [unpriced] }))).toThrow(
      /refused to encode/,
    );
    await gateway.drain(AMPLE_MS);
    expect([...venue.received, ...given]).toEqual([]);
  });
});

describe('the calls that an answer counts', () => {
  const expired = answers(401, { error: 'ExpiredTimestamp' }, { date: new Date(0).toUTCString() });
  const { pagination, results } = wholePage([listedOrder(7)]);
  const firstOfTwo = { pagination: { ...pagination, next: '/orders/' }, results };
  it.each<[what: string, behaviour: Behaviour, request: VenueRequest, calls: number]>([
    ['one', answers(200, CANCELED), CANCEL, 1],
    ['one that was signed again', inTurn(expired, answers(200, CANCELED)), CANCEL, 2],
    ['one whose answer was lost', resets, CANCEL, 1],
    [
      'further pages',
      inTurn(answers(200, firstOfTwo), answers(200, { pagination, results })),
      { kind: 'read-orders' },
      4,
    ],
  ])('are those that left: %s', async (_what, behaviour, request, calls) => {
    const { venue, answerTo } = await gatewayTo(behaviour);
    expect((await answerTo(request)).calls).toBe(calls);
    expect(venue.received).toHaveLength(calls);
  });

  it('are those of the lists of what is over, too, when orders were missed', async () => {
    const { venue, gateway, given } = await gatewayTo((received, response) => {
      const id = received.path.includes('status=filled') ? 8 : 9;
      answers(200, wholePage([listedOrder(id)]))(received, response);
    });
    const known = { places: new Map([[orderId(8), null]]), pages: 20 };
    gateway.submit(send(1, { kind: 'read-orders', known }));
    await expect.poll(() => given).toHaveLength(2);
    expect(given).toMatchObject([
      { requestId: 1, outcome: { body: { orders: [{ orderId: '9' }], ended: 'pending' } } },
      { requestId: 1, calls: 4, outcome: { body: { ended: [{ orderId: '8' }] } } },
    ]);
    expect(venue.received.at(-1)?.path).toBe('/orders/?status=filled&ordering=-id&limit=100&offset=0');
  });

  it('are none when nothing left', async () => {
    const { answerTo } = await gatewayTo(answers(200, createdBatch(7)), { latched: () => 'late' });
    expect((await answerTo(CREATE)).calls).toBe(0);
  });
});

describe('the last moment before a request leaves', () => {
  it('drops it when its deadline has passed', async () => {
    const { venue, journalled, answerTo } = await gatewayTo(answers(200, createdBatch(7)));
    expect(await answerTo(CREATE, micros(1))).toMatchObject({
      sentAt: null,
      outcome: { failure: { kind: 'not-sent', reason: 'deadline' } },
    });
    expect(venue.received).toEqual([]);
    expect(journalled.map(({ kind }) => kind)).toEqual(['answer']);
  });

  it('drops it while something has latched, and lets a cancel leave', async () => {
    const { venue, gateway, given } = await gatewayTo(answers(200, CANCELED), { latched: () => 'fenced' });
    gateway.submit(send(1, CREATE));
    gateway.submit(send(2, CANCEL));
    await expect.poll(() => given).toHaveLength(2);
    expect(given).toContainEqual(
      expect.objectContaining({
        requestId: 1,
        outcome: { ok: false, failure: { kind: 'not-sent', reason: 'fenced' } },
      }),
    );
    expect(venue.received).toHaveLength(1);
  });

  it('drops a quote that waited for its connection for more than a second', async () => {
    const clock = new SystemClock();
    const at = clock.now();
    vi.spyOn(clock, 'now')
      .mockReturnValue(micros(at + 1_000_001))
      .mockReturnValueOnce(at);
    const { venue, answerTo } = await gatewayTo(answers(200, createdBatch(7)), { clock });
    expect(await answerTo(CREATE)).toMatchObject({ outcome: { failure: { reason: 'deadline' } } });
    expect(venue.received).toEqual([]);
  });

  it('comes before each of several pages, which leave though the deadline passes meanwhile', async () => {
    const clock = new SystemClock();
    const deadline = micros(clock.now() + 60_000_000);
    const page = answers(200, wholePage([]));
    const behaviour: Behaviour = (received, response) => {
      vi.spyOn(clock, 'now').mockReturnValue(micros(deadline + 1));
      return page(received, response);
    };
    const { venue, answerTo } = await gatewayTo(behaviour, { clock });
    await answerTo({ kind: 'read-orders' }, deadline);
    expect(venue.received).toHaveLength(3);
  });

  it('ends a listing when the venue asks for silence between two pages: what was read proves nothing', async () => {
    const page = answers(200, wholePage([]));
    const refusal = answers(429, { error: 'Throttled', message: 'too many' });
    const silenced: { answered?: () => void } = {};
    const isSilenced = new Promise<void>((resolve) => (silenced.answered = resolve));
    const behaviour: Behaviour = (received, response) => {
      if (received.method === 'GET') void isSilenced.then(() => page(received, response));
      else refusal(received, response);
    };
    const { venue, gateway, given } = await gatewayTo(behaviour);
    gateway.submit(send(1, { kind: 'read-orders' }));
    gateway.submit(send(2, CANCEL));
    await expect.poll(() => given).toHaveLength(1);
    silenced.answered?.();
    await expect.poll(() => given).toHaveLength(2);
    expect(given[1]).toMatchObject({
      requestId: 1,
      outcome: { ok: false, failure: { kind: 'not-sent', reason: 'silenced' } },
    });
    expect(venue.received).toHaveLength(2);
  });

  it('tells of a latch that broke, and sends nothing', async () => {
    const latched = (): never => {
      throw new RangeError('a bug');
    };
    const { venue, faults, answerTo } = await gatewayTo(answers(200, createdBatch(7)), { latched });
    expect(await answerTo(CREATE)).toMatchObject({ outcome: { failure: { kind: 'not-sent' } } });
    expect(faults.map(({ message }) => message)).toEqual(['a bug']);
    expect(venue.received).toEqual([]);
  });
});

describe('the journal of a gateway', () => {
  it('has key and body before the first byte leaves, and the outcome afterwards', async () => {
    const order: string[] = [];
    const journal = {
      append: (record: JournalRecord) => void order.push(record.kind),
      close: () => Promise.resolve(),
    };
    const behaviour: Behaviour = (received, response) => {
      order.push('venue');
      answers(200, createdBatch(7))(received, response);
    };
    const { answerTo } = await gatewayTo(behaviour, { journal });
    await answerTo(CREATE);
    expect(order).toEqual(['request', 'venue', 'answer']);
  });

  it('holds what was sent, to the letter', async () => {
    const { venue, journalled, answerTo } = await gatewayTo(answers(200, createdBatch(7)));
    await answerTo(CREATE);
    expect(journalled).toMatchObject([
      { kind: 'request', requestId: 1, key: 'run-1', request: CREATE, body: venue.received[0]?.body },
      { kind: 'answer', requestId: 1, outcome: { ok: true } },
    ]);
  });

  it("holds by how much the venue's clock was ahead of ours", async () => {
    const { journalled, answerTo } = await gatewayTo(answers(200, createdBatch(7)), { venueAhead: () => -7 });
    await answerTo(CREATE);
    expect(journalled[0]).toMatchObject({ kind: 'request', venueAhead: -7 });
  });

  it('has the outcome once it was heard, and before anything leaves that it led to', async () => {
    const order: string[] = [];
    const journal = {
      append: (record: JournalRecord) => void order.push(`${record.kind} in the journal`),
      close: () => Promise.resolve(),
    };
    // Leaves in the same turn, as the first request on a connection does.
    const perform: Perform = (_request, sending) => {
      sending.beforeFirstByte('{}');
      order.push('sent');
      return Promise.resolve(notSent('an answer'));
    };
    const { gateway } = await gatewayTo(hangs, { journal, perform });
    gateway.answers.subscribe(({ requestId }) => {
      order.push('answer heard');
      if (requestId === 1) gateway.submit(send(2, CANCEL));
    });
    gateway.submit(send(1, CREATE));
    await gateway.drain(AMPLE_MS);
    const sent = ['request in the journal', 'sent'];
    const answered = ['answer heard', 'answer in the journal'];
    expect(order).toEqual([...sent, ...answered, ...sent, ...answered]);
  });

  it('holds no reads', async () => {
    const { journalled, answerTo } = await gatewayTo(answers(200, []));
    await answerTo({ kind: 'read-balances' });
    expect(journalled).toEqual([]);
  });

  const full = {
    append: (): never => {
      throw new JournalError('disk-full', 'the disk is full');
    },
    close: () => Promise.resolve(),
  };
  it('that is full keeps creates back, and the process hears of it', async () => {
    const { venue, faults, answerTo } = await gatewayTo(answers(200, createdBatch(7)), { journal: full });
    expect(await answerTo(CREATE)).toMatchObject({
      outcome: { failure: { kind: 'not-sent', reason: 'journal' } },
    });
    expect(venue.received).toEqual([]);
    expect(faults[0]).toBeInstanceOf(JournalError);
  });

  it('that is full does not keep cancels back', async () => {
    const { venue, answerTo } = await gatewayTo(answers(200, CANCELED), { journal: full });
    expect(await answerTo(CANCEL)).toMatchObject({ outcome: { ok: true } });
    expect(venue.received).toHaveLength(1);
  });
});

describe('draining a gateway', () => {
  it('waits for what is under way', async () => {
    let release = (): void => undefined;
    const { gateway, given, venue } = await gatewayTo((received, response) => {
      release = () => answers(200, CANCELED)(received, response);
    });
    gateway.submit(send(1, CANCEL));
    const drained = gateway.drain(AMPLE_MS);
    await expect.poll(() => venue.received).toHaveLength(1);
    expect(given).toEqual([]);
    release();
    await drained;
    expect(given).toHaveLength(1);
  });

  it('ends when its time is over, and at once when nothing is under way', async () => {
    const { gateway, given } = await gatewayTo(hangs);
    await gateway.drain(AMPLE_MS);
    gateway.submit(send(1, CANCEL));
    await gateway.drain(20);
    expect(given).toEqual([]);
  });
});
