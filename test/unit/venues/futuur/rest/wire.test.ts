import { describe, expect, it } from 'vitest';
import { eventId, marketId, orderId } from '../../../../../src/domain/ids.js';
import { micros } from '../../../../../src/domain/units.js';
import { SystemClock } from '../../../../../src/storage/clocks/system-clock.js';
import { VirtualClock } from '../../../../support/clocks/virtual-clock.js';
import {
  authorizeChannel,
  balances,
  me,
  book,
  tax,
  batchCreate,
  cancelOrder,
  cancelScope,
  orders,
} from '../../../../../src/venues/futuur/rest/calls.js';
import { WithheldError } from '../../../../../src/venues/outcome.js';
import { isSigned } from '../../../../support/wire/signature.js';
import {
  answers,
  answersText,
  hangs,
  inTurn,
  resets,
  venueDouble,
} from '../../../../support/wire/venue-double.js';
import type { Behaviour } from '../../../../support/wire/venue-double.js';
import { CREDENTIALS, openWire } from '../../../../support/wire/wire.js';
import { createdBatch, limitOrder, wholePage } from '../../../../support/wire/wire-orders.js';

const NOON = Date.UTC(2026, 0, 31, 12);
const TAX = { tax_play_money: null, tax_real_money: 0.02 };
const EVENT = eventId(873);

/** A clock that stands at noon plus these seconds. */
const clockAt = (seconds: number): VirtualClock => new VirtualClock(micros((NOON + seconds * 1_000) * 1_000));
const dated = (seconds: number) => ({ date: new Date(NOON + seconds * 1_000).toUTCString() });
const expired = (seconds: number): Behaviour =>
  answers(401, { error: 'ExpiredTimestamp', detail: 'too far' }, dated(seconds));

const withhold = (): never => {
  throw new WithheldError('deadline');
};

describe('signing on the wire', () => {
  it.each([
    ['a query', () => orders({ status: 'open', currencies: ['USDC', 'USD'], search: "it's 5 * 1!" })],
    ['nothing', () => cancelOrder(orderId(7))],
    ['a nested body', () => batchCreate([limitOrder])],
    ['a form', () => authorizeChannel({ channel_name: 'private-user-1', socket_id: '1.2' })],
  ])('covers %s', async (_what, call) => {
    const venue = await venueDouble(answers(500, {}));
    await openWire(venue.url).wire.call<unknown>(call());
    expect(venue.received[0]).toSatisfy((received) => isSigned(received, CREDENTIALS.privateKey));
    expect(venue.received[0]?.headers['key']).toBe(CREDENTIALS.publicKey);
  });

  it('is left out where no authentication is known', async () => {
    const venue = await venueDouble(answers(200, TAX));
    await openWire(venue.url).wire.call(tax(EVENT));
    expect(venue.received[0]?.headers).not.toHaveProperty('hmac');
  });

  it('follows the keys where it is optional', async () => {
    const venue = await venueDouble(answers(200, { bid: [], ask: [] }));
    const call = book(marketId(2231), 'play_money');
    await openWire(venue.url).wire.call(call);
    await openWire(venue.url, { credentials: null }).wire.call(call);
    expect(venue.received.map(({ headers }) => 'hmac' in headers)).toEqual([true, false]);
  });

  it('without keys sends nothing that needs them', async () => {
    const venue = await venueDouble();
    const outcome = await openWire(venue.url, { credentials: null }).wire.call(me());
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'not-sent' }, sentAt: null });
    expect(venue.received).toEqual([]);
  });

  it('does not show the private key when the wire is printed', () => {
    const { wire } = openWire('http://127.0.0.1:1');
    expect(JSON.stringify(wire)).not.toContain(CREDENTIALS.privateKey);
  });
});

/** A clock of ours that leaps, as when the machine slept, or that does not although the machine stood still. */
const setClock = ({ isNoticed = true } = {}) => {
  let aheadMs = 0;
  const source = {
    wallMs: () => NOON + aheadMs,
    monotonicMs: () => 0,
    sinceBootMs: () => (isNoticed ? aheadMs : 0),
    after: () => () => undefined,
  };
  return { clock: new SystemClock(source), leap: (ms: number) => void (aheadMs += ms) };
};

describe("the venue's clock, by ours", () => {
  it('is another as soon as one answer has told so, once ours has leapt', async () => {
    const venue = await venueDouble(answers(200, [], dated(0)));
    const { clock, leap } = setClock();
    const { wire } = openWire(venue.url, { clock });
    for (let count = 0; count < 5; count++) await wire.call(balances());
    expect(wire.venueAhead).toBe(0);
    leap(8_000);
    await wire.call(balances());
    expect(wire.venueAhead).toBe(-7_500_000);
  });

  it('is another as soon as one answer has told so, once the wall clock tells that the machine stood still', async () => {
    const venue = await venueDouble(answers(200, [], dated(0)));
    const { clock, leap } = setClock({ isNoticed: false });
    const { wire } = openWire(venue.url, { clock });
    for (let count = 0; count < 5; count++) await wire.call(balances());
    leap(8_000);
    venue.behave(answers(200, [], dated(8)));
    await wire.call(balances());
    expect([clock.now(), wire.venueAhead]).toEqual([NOON * 1_000, 8_500_000]);
    expect(wire.canDate(clock.now())).toBe(false);
  });

  it('is learned of nothing that was under way when ours leapt', async () => {
    const { clock, leap } = setClock();
    const venue = await venueDouble(inTurn(answers(200, [], dated(0)), answers(200, [], dated(8))));
    const { wire } = openWire(venue.url, { clock });
    await wire.call(balances(), { beforeFirstByte: () => queueMicrotask(() => leap(8_000)) });
    expect(wire.venueAhead).toBe(0);
    await wire.call(balances());
    expect(wire.venueAhead).toBe(0);
  });

  it('dates nothing across a leap of ours, nor before three answers have told by how much it leapt', async () => {
    const venue = await venueDouble(answers(200, [], dated(0)));
    const { clock, leap } = setClock();
    const { wire } = openWire(venue.url, { clock });
    await wire.call(balances());
    const before = clock.now();
    expect(wire.canDate(before)).toBe(true);
    leap(8_000);
    const known: boolean[] = [];
    for (let count = 0; count < 4; count++) {
      await wire.call(balances());
      known.push(wire.canDate(clock.now()));
    }
    expect(known).toEqual([false, false, true, true]);
    expect(wire.canDate(before)).toBe(false);
  });
});

describe('the time in a signature', () => {
  it('is what the next answer told, once our clock has leapt', async () => {
    const venue = await venueDouble(answers(200, [], dated(0)));
    const { clock, leap } = setClock();
    const { wire } = openWire(venue.url, { clock });
    for (let count = 0; count < 9; count++) await wire.call(balances());
    leap(40_000);
    for (let count = 0; count < 2; count++) await wire.call(balances());
    const times = venue.received.map(({ headers }) => Number(headers['timestamp']) - NOON / 1_000);
    expect(times.slice(-3)).toEqual([0, 40, 0]);
  });

  it('learns nothing from a refusal of what was under way when our clock leapt', async () => {
    const { clock, leap } = setClock();
    const venue = await venueDouble(expired(0));
    const { wire } = openWire(venue.url, { clock });
    await wire.call(balances(), { beforeFirstByte: () => queueMicrotask(() => leap(8_000)) });
    expect(venue.received).toHaveLength(1);
  });

  it('is our time at first, then the median of what the venue told', async () => {
    const venue = await venueDouble(answers(200, [], dated(30)));
    const { wire } = openWire(venue.url, { clock: clockAt(0) });
    for (let count = 0; count < 3; count++) await wire.call(balances());
    venue.behave(answers(200, [], dated(3_000)));
    await wire.call(balances());
    await wire.call(balances());
    const times = venue.received.map(({ headers }) => Number(headers['timestamp']) - NOON / 1_000);
    expect(times).toEqual([0, 30, 30, 30, 30]);
  });

  it('is corrected by the answer that refused it, and the request signed once more', async () => {
    const venue = await venueDouble(inTurn(expired(-600), answers(200, [], dated(-600))));
    const { wire, reports } = openWire(venue.url, { clock: clockAt(0) });
    expect(await wire.call(balances())).toMatchObject({ ok: true });
    expect(venue.received.map(({ headers }) => Number(headers['timestamp']) - NOON / 1_000)).toEqual([
      0, -600,
    ]);
    expect(reports.map(({ code }) => code)).toEqual(['ExpiredTimestamp', null]);
  });

  it('is signed once more only once', async () => {
    const venue = await venueDouble(inTurn(expired(-600), expired(-1_200), expired(-1_800)));
    const { wire } = openWire(venue.url, { clock: clockAt(0) });
    expect(await wire.call(balances())).toMatchObject({ failure: { code: 'ExpiredTimestamp' } });
    expect(venue.received).toHaveLength(2);
  });

  it('is not signed again when the answer tells no other time', async () => {
    const venue = await venueDouble(expired(0));
    await openWire(venue.url, { clock: clockAt(0) }).wire.call(balances());
    expect(venue.received).toHaveLength(1);
  });
});

describe('what an answer proves', () => {
  const refused = { error: 'MarketClosed', detail: 'closed' };
  const cases: [what: string, behaviour: Behaviour, failure: object][] = [
    [
      'a worded 400',
      answers(400, refused),
      { kind: 'refused', status: 400, code: 'MarketClosed', detail: 'closed' },
    ],
    ['a worded 404', answers(404, { error: 'NotFound' }), { kind: 'refused', status: 404, code: 'NotFound' }],
    [
      '429',
      answers(429, { error: 'Throttled' }, { 'retry-after': '7' }),
      { kind: 'refused', retryAfterMs: 7_000 },
    ],
    ['429 of a proxy', answersText(429, 'text/html', '<p>'), { kind: 'refused', code: 'Throttled' }],
    ['a 403 of a proxy', answersText(403, 'text/html', '<p>'), { kind: 'unknown' }],
    ['a worded 500', answers(500, { error: 'InternalError' }), { kind: 'unknown' }],
    [
      'a 200 that is a page',
      answersText(200, 'text/html', '<p>'),
      { kind: 'unknown', reason: 'not JSON but text/html' },
    ],
    ['a 200 of no type', answersText(200, '', '{}'), { kind: 'unknown' }],
    ['a 200 that is cut off', answersText(200, 'application/json', '{"a":'), { kind: 'unknown' }],
    ['a 200 of another shape', answers(200, { tax: 1 }), { kind: 'unknown' }],
    ['an empty 200', answers(200, undefined), { kind: 'unknown' }],
    ['another success', answers(202, TAX), { kind: 'unknown', reason: 'status 202 without an error body' }],
    ['a redirect', answers(302, {}, { location: '/' }), { kind: 'unknown' }],
    ['a cut connection', resets, { kind: 'unknown' }],
  ];
  it.each(cases)('%s', async (_what, behaviour, failure) => {
    const venue = await venueDouble(behaviour);
    const outcome = await openWire(venue.url).wire.call(tax(EVENT));
    expect(outcome).toMatchObject({ ok: false, failure });
    expect(outcome.sentAt).not.toBeNull();
    expect(venue.received).toHaveLength(1);
  });

  it("the endpoint's own status with the right body", async () => {
    const venue = await venueDouble(answers(200, { ...TAX, more: 'later' }));
    expect(await openWire(venue.url).wire.call(tax(EVENT))).toMatchObject({ ok: true, value: TAX });
  });

  it('a 204 without a body where that is the success', async () => {
    const venue = await venueDouble(answers(204, undefined));
    expect(await openWire(venue.url).wire.call(cancelOrder(orderId(7)))).toMatchObject({
      ok: true,
      value: '7',
    });
  });

  it('nothing at all after the time is over', async () => {
    const venue = await venueDouble(inTurn(answers(200, TAX), hangs));
    const { wire } = openWire(venue.url, { timeoutMs: 300 });
    await wire.call(tax(EVENT));
    const outcome = await wire.call(tax(EVENT));
    expect(outcome).toMatchObject({ failure: { kind: 'unknown', reason: 'time-out' } });
  });

  it('that nothing happened, when nobody listens', async () => {
    const venue = await venueDouble();
    await venue.close();
    const outcome = await openWire(venue.url).wire.call(tax(EVENT));
    expect(outcome).toEqual({
      ok: false,
      failure: { kind: 'not-sent', reason: 'ECONNREFUSED' },
      sentAt: null,
    });
  });
});

describe('a call on the wire', () => {
  it('carries its idempotency key where the endpoint knows one, and nowhere else', async () => {
    const venue = await venueDouble(answers(200, createdBatch(7)));
    const { wire } = openWire(venue.url);
    await wire.call(batchCreate([limitOrder]), { idempotencyKey: 'run-1' });
    await wire.call(cancelScope({ kind: 'event', eventId: EVENT }), { idempotencyKey: 'run-1' });
    expect(venue.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['run-1', undefined]);
  });

  it.each([
    ['', '/events/873/get_tax/', '/v2.0/pusher/auth/'],
    ['/', '/events/873/get_tax/', '/v2.0/pusher/auth/'],
    ['/v2.0', '/v2.0/events/873/get_tax/', '/v2.0/pusher/auth/'],
    ['/proxy/', '/proxy/events/873/get_tax/', '/proxy/v2.0/pusher/auth/'],
  ])('goes to the base path %j before its own', async (base, taxPath, authPath) => {
    const venue = await venueDouble(answers(500, {}));
    const { wire } = openWire(`${venue.url}${base}`);
    await wire.call(tax(EVENT));
    await wire.call(authorizeChannel({ channel_name: 'private-user-1', socket_id: '1.2' }));
    expect(venue.received.map(({ path }) => path)).toEqual([taxPath, authPath]);
  });

  it('shows its body before the first byte', async () => {
    const venue = await venueDouble(answers(200, createdBatch(7)));
    const bodies: string[] = [];
    await openWire(venue.url).wire.call(batchCreate([limitOrder]), {
      beforeFirstByte: (body) => bodies.push(body),
    });
    expect(bodies).toEqual([venue.received[0]?.body]);
  });

  it('is reported with endpoint, outcome, code and duration', async () => {
    const venue = await venueDouble(
      inTurn(answers(200, wholePage([])), answers(400, { error: 'MarketClosed' })),
    );
    const { wire, reports } = openWire(venue.url);
    await wire.call(orders({}));
    await wire.call(batchCreate([limitOrder]));
    await wire.call(orders({}), { beforeFirstByte: withhold });
    expect(reports).toEqual([
      { endpoint: 'orders', outcome: 'ok', code: null, durationMs: expect.any(Number) },
      { endpoint: 'batchCreate', outcome: 'refused', code: 'MarketClosed', durationMs: expect.any(Number) },
      { endpoint: 'orders', outcome: 'not-sent', code: null, durationMs: null },
    ]);
  });
});
