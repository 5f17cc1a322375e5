/** Specification 6, "Connection and client setup: not shown": Pusher protocol 7 as public clients speak it. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_IDS, ContractScene } from '../support/contract/contract-scene.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

const HANDSHAKE = '?protocol=7&client=contract&version=1.0.0&flash=false';

describe('connection', () => {
  test('connection_established with socket id and activity timeout', async () => {
    const client = scene.realtimeAt(HANDSHAKE);
    const frame = await client.next('pusher:connection_established');
    expect(frame.data).toEqual({
      socket_id: expect.stringMatching(/^\d+\.\d+$/),
      activity_timeout: 120,
    });
  });

  test('data of the handshake is JSON inside JSON', async () => {
    const client = scene.realtimeAt(HANDSHAKE);
    const raw = await new Promise<string>((resolve) => {
      client.websocket.once('message', (bytes: Buffer) => resolve(bytes.toString()));
    });
    expect(typeof (JSON.parse(raw) as { data: unknown }).data).toBe('string');
  });

  test('socket ids differ', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => scene.realtimeAt(HANDSHAKE).socketId()));
    expect(new Set(ids).size).toBe(3);
  });

  test.each([
    ['no protocol version', '?client=contract', 4008],
    ['an unsupported protocol version', '?protocol=99', 4007],
    ['a protocol version that is none', '?protocol=seven', 4007],
  ])('%s: an error frame, then close code %s', async (_what, query, code) => {
    const client = scene.realtimeAt(query);
    expect(await client.goodbye).toMatchObject({ code });
    expect(client.ofEvent('pusher:error')[0]?.data).toMatchObject({ code });
  });

  test('an unknown application key: 4001', async () => {
    const client = scene.realtimeAt(`-other${HANDSHAKE}`);
    expect(await client.goodbye).toMatchObject({ code: 4001 });
  });

  test('a path that is none: 404, no websocket', async () => {
    const client = scene.realtimeAt(`/more${HANDSHAKE}`);
    expect((await client.goodbye).code).toBe(1006);
  });
});

describe('frames', () => {
  test('pusher:ping is answered by pusher:pong', async () => {
    const client = await scene.realtime();
    client.send({ event: 'pusher:ping', data: {} });
    expect((await client.next('pusher:pong')).data).toEqual({});
  });

  test('data of a client frame may be an object or JSON text', async () => {
    const client = await scene.realtime();
    client.send({ event: 'pusher:subscribe', data: JSON.stringify({ channel: 'event' }) });
    expect((await client.next('pusher_internal:subscription_succeeded')).channel).toBe('event');
  });

  test('unsubscribe: no further events', async () => {
    const market = await scene.market();
    const client = await scene.listening([`event-${market.event}`]);
    client.send({ event: 'pusher:unsubscribe', data: { channel: `event-${market.event}` } });
    await client.settled();
    await scene.place('alice', market, {});
    await client.settled();
    expect(client.ofEvent('order-book-update')).toHaveLength(0);
    await client.subscribe(`event-${market.event}`);
    await scene.place('alice', market, { price: 0.4 });
    await client.next('order-book-update');
  });

  test('subscribing twice: an error frame, one delivery', async () => {
    const market = await scene.market();
    const client = await scene.listening([`event-${market.event}`]);
    client.send({ event: 'pusher:subscribe', data: { channel: `event-${market.event}` } });
    await client.next('pusher:error');
    await scene.place('alice', market, {});
    await client.settled();
    expect(client.ofEvent('order-book-update')).toHaveLength(1);
  });

  test.each([
    ['no JSON', 'hello'],
    ['no object', '[1,2]'],
    ['no event', '{"data":{}}'],
    ['an unknown event', '{"event":"pusher:dance","data":{"channel":"event"}}'],
    ['a subscription without a channel', '{"event":"pusher:subscribe","data":{}}'],
    ['a subscription to a number', '{"event":"pusher:subscribe","data":{"channel":7}}'],
  ])('%s: an error frame, and the connection goes on', async (_what, text) => {
    const client = await scene.realtime();
    client.send(text);
    expect((await client.next('pusher:error')).data).toMatchObject({ code: null });
    await client.settled();
  });

  test('client events are refused and reach nobody', async () => {
    const [speaker, listener] = [await scene.listening([], 'alice'), await scene.listening([], 'alice')];
    const channel = `private-user-${ACCOUNT_IDS.alice}`;
    speaker.send({ event: 'client-order', channel, data: { price: 1 } });
    await speaker.next('pusher:error');
    await listener.settled();
    expect(listener.ofEvent('client-order')).toHaveLength(0);
  });

  test.each(['', 'with space', 'x'.repeat(200), '#hash', 'presence-room', 'private-encrypted-user-1'])(
    'a channel called %j is refused',
    async (channel) => {
      const client = await scene.realtime();
      const answer = await client.subscribe(channel);
      expect(answer.event).toBe('pusher:subscription_error');
    },
  );

  test('as many channels as a client wants: Pusher states no limit', async () => {
    const client = await scene.realtime();
    for (let at = 0; at < 500; at++)
      client.send({ event: 'pusher:subscribe', data: { channel: `event-${at}` } });
    await client.settled();
    expect(client.ofEvent('pusher_internal:subscription_succeeded')).toHaveLength(500);
    expect(client.ofEvent('pusher:subscription_error')).toEqual([]);
  });

  test('channelsPerConnection: not one more', async () => {
    const limited = await ContractScene.start({ channelsPerConnection: 3 });
    const client = await limited.realtime();
    for (let at = 0; at < 4; at++)
      client.send({ event: 'pusher:subscribe', data: { channel: `event-${at}` } });
    expect((await client.next('pusher:subscription_error')).channel).toBe('event-3');
    await limited.close();
  });

  test('a message of more than 10 KB from a client ends the connection', async () => {
    const client = await scene.realtime();
    client.send(`{"event":"pusher:ping","data":"${'x'.repeat(10_300)}"}`);
    expect((await client.goodbye).code).toBe(1009);
  });

  test('a text that is not UTF-8 ends the connection', async () => {
    const client = await scene.realtime();
    client.websocket.send(Buffer.from([0xc3, 0x28]), { binary: false });
    expect((await client.goodbye).code).toBe(1007);
  });
});

describe('pusher-js', () => {
  test('connects, authorises its private channel and receives events', async () => {
    const Pusher = createRequire(import.meta.url)('pusher-js') as unknown as PusherConstructor;
    const { hostname, port } = new URL(scene.exchange.restUrl);
    const authorise = async (channel: string, socketId: string, answer: AuthorisationCallback) =>
      answer(null, (await scene.authorise('alice', channel, socketId)).body);
    const pusher = new Pusher('local', {
      cluster: '',
      wsHost: hostname,
      wsPort: Number(port),
      forceTLS: false,
      enabledTransports: ['ws'],
      channelAuthorization: {
        customHandler: ({ socketId, channelName }, callback) => {
          void authorise(channelName, socketId, callback);
        },
      },
    });
    const market = await scene.market();
    const channel = pusher.subscribe(`private-user-${ACCOUNT_IDS.alice}`);
    await new Promise((resolve) => channel.bind('pusher:subscription_succeeded', resolve));
    const updates: unknown[] = [];
    channel.bind('order-update', (update) => updates.push(update));
    const id = await scene.place('alice', market, {});
    await expect
      .poll(() => updates)
      .toContainEqual(expect.objectContaining({ order_id: id, status: 'open' }));
    pusher.disconnect();
  });
});

type AuthorisationCallback = (error: Error | null, answer: unknown) => void;

/** As much of pusher-js as the test uses; its own types do not resolve under this module setting. */
interface PusherConstructor {
  new (
    key: string,
    options: {
      readonly [option: string]: unknown;
      readonly channelAuthorization: {
        readonly customHandler: (
          request: { readonly socketId: string; readonly channelName: string },
          callback: AuthorisationCallback,
        ) => void;
      };
    },
  ): {
    subscribe(channel: string): { bind(event: string, callback: (data: unknown) => void): void };
    disconnect(): void;
  };
}
