import { merge, type Observable } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountId, eventId } from '../../../../../src/domain/ids.js';
import type { FeedInput } from '../../../../../src/domain/inputs.js';
import { seededRandom } from '../../../../../src/storage/clocks/seeded-random.js';
import { SystemClock } from '../../../../../src/storage/clocks/system-clock.js';
import {
  errorText,
  establishedText,
  eventText,
} from '../../../../../src/venues/futuur/protocol/pusher-frames.js';
import { PusherFeed, type PusherFeedOptions } from '../../../../../src/venues/futuur/realtime/feed.js';
import { PACE, type Pace } from '../../../../../src/venues/futuur/realtime/supervisor.js';
import { Pusher } from '../../../../../src/venues/futuur/realtime/pusher-link.js';
import { PusherDouble } from '../../../../support/wire/pusher-double.js';
import { PAYLOADS } from '../protocol/samples.js';

const PRIVATE = 'private-user-1';
const BRISK: Pace = {
  ...PACE,
  firstDelayMs: 5,
  longestDelayMs: 20,
  firstAttemptMs: 5_000,
  stableMs: 5,
  gapMs: 60_000,
  firstRejoinMs: 5,
};

/** A connected feed and everything it said. */
function listen(double: PusherDouble, changes: Partial<PusherFeedOptions> = {}) {
  const feed = new PusherFeed({
    address: { key: 'local', cluster: null, host: '127.0.0.1', port: double.port, tls: false },
    events: [eventId(873)],
    account: { id: accountId(1), authorize: (_channel, socketId) => proof(socketId) },
    clock: new SystemClock(),
    random: seededRandom(1),
    pace: BRISK,
    ...changes,
  });
  onTestFinished(() => feed.close());
  const inputs: FeedInput[] = [];
  merge(...Object.values<Observable<FeedInput>>(feed.streams)).subscribe((input) => inputs.push(input));
  feed.connect();
  const found = (kind: FeedInput['kind'], members: object): FeedInput[] => {
    const wanted = expect.objectContaining({ kind, ...members });
    return inputs.filter((input) => wanted.asymmetricMatch(input));
  };
  /** Resolves with the inputs of this kind and these members once there are as many or more. */
  const until = async (kind: FeedInput['kind'], members: object = {}, times = 1): Promise<FeedInput[]> => {
    await expect.poll(() => found(kind, members).length).toBeGreaterThanOrEqual(times);
    return found(kind, members);
  };
  const states = (): string[] => inputs.flatMap((input) => (input.kind === 'link' ? [input.state] : []));
  return { feed, inputs, until, states };
}

const proof = (socketId: string) => Promise.resolve({ ok: true, auth: `local:${socketId}` } as const);

const BOOK = {
  market_id: 2231,
  event_id: 873,
  currency: 'OOM',
  currency_mode: 'play_money',
  top_n: 5,
  bid: [{ price: 0.5, total_shares: 10, total_amount: 5 }],
  ask: [],
  timestamp: '2026-01-31T09:30:00.250Z',
};

/** In another order than usual. */
const UNUSUAL_ORDER = Object.fromEntries(Object.entries(PAYLOADS['order-update']).toReversed());

describe('a feed that connects', () => {
  it('joins its own channel with a proof for this very socket, the global one and those of its events', async () => {
    const double = await PusherDouble.start();
    const { until, states } = listen(double);
    await until('subscription', { state: 'subscribed' }, 3);
    expect(states()).toEqual(['connected']);
    const joined = double.subscriptions.map(({ channel, auth }) => [channel, auth]);
    expect(joined).toEqual([
      ['event', expect.anything()],
      ['event-873', expect.anything()],
      [PRIVATE, `local:${double.subscriptions[0]?.socketId}`],
    ]);
  });

  it('works without an account, on public channels alone', async () => {
    const double = await PusherDouble.start();
    const { until } = listen(double, { account: null });
    await until('subscription', { state: 'subscribed' }, 2);
    expect(double.subscriptions.map(({ channel }) => channel)).toEqual(['event', 'event-873']);
  });

  it('does nothing before it is told to, and connects once', async () => {
    const double = await PusherDouble.start();
    const before = Pusher.instances.length;
    const { feed, until } = listen(double);
    feed.connect();
    await until('link', { state: 'connected' });
    expect(Pusher.instances).toHaveLength(before + 1);
    expect(double.sockets).toHaveLength(1);
  });
});

describe('a feed that follows other events', () => {
  it('joins those that are new, leaves those that are gone, and keeps to it after a reconnect', async () => {
    const double = await PusherDouble.start();
    const { feed, until } = listen(double, { account: null });
    await until('subscription', { state: 'subscribed' }, 2);
    feed.follow([eventId(874)]);
    await until('subscription', { channel: 'event-874', state: 'subscribed' });
    await until('subscription', { channel: 'event-873', state: 'left' });
    await expect.poll(() => double.left).toEqual(['event-873']);
    const before = double.subscriptions.length;
    double.cut();
    await until('subscription', { channel: 'event-874', state: 'subscribed' }, 2);
    expect(double.subscriptions.slice(before).map(({ channel }) => channel)).toEqual(['event', 'event-874']);
    feed.follow([eventId(873), eventId(874)]);
    await until('subscription', { channel: 'event-873', state: 'subscribed' }, 2);
  });
});

describe('a feed that listens', () => {
  const frames: [
    event: string,
    channel: string,
    payload: object,
    kind: FeedInput['kind'],
    members: object,
  ][] = [
    [
      'order-book-update',
      'event-873',
      BOOK,
      'book',
      { marketId: '2231', bids: { prices: [5_000], shares: [1_000] } },
    ],
    [
      'best-prices-change',
      'event',
      {
        market_id: 2231,
        event_id: 873,
        currency_mode: 'play_money',
        best_ask: 0.52,
        best_bid: null,
        spread: null,
      },
      'touch',
      { bid: null, ask: 5_200 },
    ],
    [
      'market-status-change',
      'event-873',
      { event_id: 873, status: 'paused' },
      'market-status',
      { understood: true },
    ],
    [
      'market-status-change',
      'event-873',
      { riddle: 1 },
      'market-status',
      { understood: false, eventId: '873' },
    ],
    ['balance-changed', PRIVATE, { timestamp: 1_769_851_800 }, 'balance', {}],
    ['deposit-success', PRIVATE, { amount: 5, currency: 'OOM' }, 'deposit', { amount: 5_000_000 }],
    [
      'position-update',
      PRIVATE,
      {
        market_id: 2231,
        event_id: 873,
        position: 's',
        currency: 'OOM',
        shares: 3,
        purchases_amount: 1,
        avg_price: 0.3,
      },
      'holding',
      { holding: expect.objectContaining({ position: 'short', shares: 300 }) },
    ],
    [
      'order-update',
      PRIVATE,
      PAYLOADS['order-update'],
      'order',
      { report: expect.objectContaining({ orderId: '501', position: 'short' }) },
    ],
    [
      'order-update',
      PRIVATE,
      UNUSUAL_ORDER,
      'order',
      { report: expect.objectContaining({ orderId: '501', position: 'short' }) },
    ],
    ['test-event', 'event', {}, 'test', {}],
  ];
  it.each(frames)(
    'turns %s on %s into an input on its own stream',
    async (event, channel, payload, kind, members) => {
      const double = await PusherDouble.start();
      const { until } = listen(double);
      await until('subscription', { state: 'subscribed' }, 3);
      double.publish(event, channel, payload);
      expect(await until(kind, members)).toHaveLength(1);
    },
  );

  it.each([
    ['no JSON', 'not json'],
    ['null', 'null'],
    ['a number', '5'],
    ['an empty object', '{}'],
    ['an event that is no text', '{"event":5,"channel":"event","data":"{}"}'],
    ['a count without data', '{"event":"pusher_internal:subscription_count","channel":"event","data":null}'],
    [
      'a payload of another shape',
      '{"event":"order-book-update","channel":"event-873","data":"{\\"market_id\\":1}"}',
    ],
    ['a payload that is no JSON', '{"event":"order-book-update","channel":"event-873","data":"{"}'],
    ['no payload', '{"event":"order-update","channel":"private-user-1"}'],
    ['an unknown event', '{"event":"surprise","channel":"event","data":"{}"}'],
    ['no channel', '{"event":"order-book-update","data":"{}"}'],
  ])('reports a frame that cannot be read, and goes on: %s', async (_what, text) => {
    const double = await PusherDouble.start();
    const { until, states } = listen(double);
    await until('subscription', { state: 'subscribed' }, 3);
    double.say(text);
    double.publish('order-book-update', 'event-873', BOOK);
    await until('book');
    await until('malformed');
    expect(states()).toEqual(['connected']);
  });
});

describe('a feed that loses its connection', () => {
  it('says so, comes back, and joins everything anew with a proof for the new socket', async () => {
    const double = await PusherDouble.start();
    const { until, states } = listen(double);
    await until('subscription', { state: 'subscribed' }, 3);
    double.cut();
    await until('link', { state: 'lost' });
    await until('subscription', { state: 'subscribed' }, 6);
    expect(states()).toEqual(['connected', 'lost', 'connected']);
    const proofs = double.subscriptions.filter(({ channel }) => channel === PRIVATE);
    expect(proofs.map(({ auth, socketId }) => auth === `local:${socketId}`)).toEqual([true, true]);
  });

  it('gives it up by itself when it is told to, and joins everything anew over another', async () => {
    const double = await PusherDouble.start();
    const { feed, until, states } = listen(double);
    await until('subscription', { state: 'subscribed' }, 3);
    feed.reconnect('the private channel is silent');
    expect(await until('link', { state: 'lost' })).toMatchObject([
      { reason: 'the private channel is silent' },
    ]);
    await until('subscription', { state: 'subscribed' }, 6);
    expect(states()).toEqual(['connected', 'lost', 'connected']);
    const proofs = double.subscriptions.filter(({ channel }) => channel === PRIVATE);
    expect(new Set(proofs.map(({ socketId }) => socketId)).size).toBe(2);
  });

  it('hears nothing over one that it has given up', async () => {
    const double = await PusherDouble.start();
    const { feed, inputs, until } = listen(double);
    await until('subscription', { state: 'subscribed' }, 3);
    const { transport } = Pusher.instances.at(-1)!.connection.connection;
    feed.reconnect('the private channel is silent');
    await until('link', { state: 'lost' });
    transport.emit('message', {
      data: eventText('order-book-update', 'event-873', JSON.stringify(BOOK)),
    });
    await until('link', { state: 'connected' }, 2);
    expect(inputs.filter(({ kind }) => kind === 'book')).toEqual([]);
  });

  it('comes back after an outage of several attempts', async () => {
    const double = await PusherDouble.start();
    const { until, states } = listen(double, {
      pace: { ...BRISK, firstAttemptMs: 30, longestAttemptMs: 10_000 },
    });
    await until('link', { state: 'connected' });
    // On a busy machine the first attempts may have been too short, too.
    const before = states().length;
    const since = () => states().slice(before);
    await double.stop();
    await expect.poll(since).toEqual(['lost']);
    await double.listen();
    await expect.poll(since).toEqual(['lost', 'connected']);
  });

  it.each([
    [4100, 'over capacity'],
    [4200, 'reconnect'],
    [4301, 'beyond the protocol'],
    [1000, ''],
    [1011, ''],
  ])('comes back after close code %i', async (code, reason) => {
    const double = await PusherDouble.start();
    const { until, states } = listen(double);
    await until('link', { state: 'connected' });
    double.end(code, reason);
    await until('link', { state: 'connected' }, 2);
    expect(states()).toEqual(['connected', 'lost', 'connected']);
  });

  it('notices that the venue does not answer any more', async () => {
    const double = await PusherDouble.start();
    double.isDeaf = true;
    const { until, states } = listen(double, { pace: { ...BRISK, silenceMs: 20, pongMs: 20 } });
    const [loss] = await until('link', { state: 'lost' });
    expect(loss).toMatchObject({ reason: 'no answer to a ping' });
    expect(states().slice(0, 2)).toEqual(['connected', 'lost']);
  });

  it('does not take an error of a living connection for a farewell', async () => {
    const double = await PusherDouble.start();
    const { until, states } = listen(double);
    await until('subscription', { state: 'subscribed' }, 3);
    double.say(errorText(4009, 'not authorised'));
    double.end(1000);
    await until('link', { state: 'connected' }, 2);
    expect(states()).toEqual(['connected', 'lost', 'connected']);
  });

  it('tries again when nobody greets it, or nobody makes sense', async () => {
    const double = await PusherDouble.start();
    const greetings = [
      (): void => undefined,
      (socket: { send(text: string): void }): void => socket.send('{"event":"hm"}'),
    ];
    double.greeting = (socket, socketId) => {
      const greet = greetings.shift();
      if (greet === undefined) socket.send(establishedText(socketId, 120));
      else greet(socket);
    };
    const { until, states } = listen(double, { pace: { ...BRISK, firstAttemptMs: 50 } });
    await until('link', { state: 'connected' });
    expect(states()).toEqual(['lost', 'connected']);
    expect(double.sockets.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a feed that the venue refuses', () => {
  it.each([
    [4001, /code 4001, no such application\): check the application key/],
    [4009, /code 4009/],
    [4099, /code 4099/],
    [4000, /code 4000.*TLS/],
  ])('explains code %i and stops', async (code, explanation) => {
    const double = await PusherDouble.start();
    const { until, states } = listen(double);
    await until('link', { state: 'connected' });
    double.end(code, 'no such application');
    await until('link', { state: 'refused', reason: expect.stringMatching(explanation) });
    expect(states()).toEqual(['connected', 'refused']);
    expect(Pusher.instances.at(-1)?.connection.state).toBe('disconnected');
  });

  it('explains a refusal instead of a greeting', async () => {
    const double = await PusherDouble.start();
    double.greeting = (socket) => socket.close(4001, 'no such application');
    const { until, states } = listen(double);
    await until('link', { state: 'refused' });
    expect(states()).toEqual(['refused']);
  });
});

describe('a subscription that is refused', () => {
  it('by the service is reported, and asked for until it is granted', async () => {
    const double = await PusherDouble.start();
    let refusals = 2;
    double.refusal = ({ channel }) => (channel === PRIVATE && refusals-- > 0 ? 'not yours' : null);
    const { until } = listen(double);
    await until('subscription', { channel: PRIVATE, state: 'refused', reason: '403 not yours' }, 2);
    await until('subscription', { channel: PRIVATE, state: 'subscribed' });
    double.publish('balance-changed', PRIVATE, { timestamp: 1_769_851_800 });
    expect(await until('balance')).toHaveLength(1);
  });

  it('for want of a proof is reported, and asked for again', async () => {
    const double = await PusherDouble.start();
    const answers = [
      () => Promise.resolve({ ok: false, reason: 'time-out' } as const),
      () => Promise.reject(new Error('a bug')),
    ];
    const authorize = (_channel: string, socketId: string) => answers.shift()?.() ?? proof(socketId);
    const { until } = listen(double, { account: { id: accountId(1), authorize } });
    await until('subscription', { channel: PRIVATE, state: 'subscribed' });
    const refusals = await until('subscription', { state: 'refused' }, 2);
    expect(refusals).toMatchObject([{ reason: 'time-out' }, { reason: 'Error: a bug' }]);
  });

  it('is never caused by a proof for a socket that is gone', async () => {
    const double = await PusherDouble.start();
    const late: (() => void)[] = [];
    const authorize = (_channel: string, socketId: string) =>
      late.length > 0
        ? proof(socketId)
        : new Promise<Awaited<ReturnType<typeof proof>>>((resolve) => {
            late.push(() => void proof(socketId).then(resolve));
          });
    const { until } = listen(double, { account: { id: accountId(1), authorize } });
    await double.subscribed('event-873');
    await expect.poll(() => late).toHaveLength(1);
    double.cut();
    await until('link', { state: 'connected' }, 2);
    late[0]?.();
    await double.subscribed(PRIVATE);
    await until('subscription', { channel: PRIVATE, state: 'subscribed' });
    const proofs = double.subscriptions.filter(({ channel }) => channel === PRIVATE);
    expect(proofs).toHaveLength(1);
    expect(proofs[0]?.auth).toBe(`local:${proofs[0]?.socketId}`);
  });
});

describe('a feed that is closed', () => {
  it('says nothing any more, hangs up, and is forgotten by the library', async () => {
    const double = await PusherDouble.start();
    const before = Pusher.instances.length;
    const { feed, inputs, until } = listen(double);
    await until('subscription', { state: 'subscribed' }, 3);
    const said = inputs.length;
    const hungUp = new Promise((resolve) => double.sockets[0]?.on('close', resolve));
    feed.close();
    double.publish('order-book-update', 'event-873', BOOK);
    await hungUp;
    expect(inputs).toHaveLength(said);
    expect(Pusher.instances).toHaveLength(before);
    feed.connect();
    expect(Pusher.instances).toHaveLength(before);
  });
});
