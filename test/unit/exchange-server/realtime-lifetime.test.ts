import { afterEach, describe, expect, test } from 'vitest';
import type { EventId } from '../../../src/exchange/contract/ids.js';
import { micros } from '../../../src/domain/units.js';
import { VirtualClock } from '../../support/clocks/virtual-clock.js';
import type { ExchangeServer } from '../../../src/exchange-server/index.js';
import { addressesOf, contractSettings, startServer } from '../../support/contract/exchange-under-test.js';
import { RealtimeClient } from '../../support/wire/realtime-client.js';

const START = 1_700_000_000_000_000;
const SECOND = 1_000_000;

let close: (() => Promise<void>) | null = null;
afterEach(() => close?.());

async function scene() {
  const clock = new VirtualClock(micros(START));
  const server = await startServer({ ...contractSettings(), port: 0 }, clock);
  const clients: RealtimeClient[] = [];
  close = async () => {
    for (const client of clients) client.close();
    await server.close();
  };
  const connect = async (): Promise<RealtimeClient> => {
    const client = RealtimeClient.open(`${addressesOf(server.restUrl, 'local').realtimeUrl}?protocol=7`);
    clients.push(client);
    await client.socketId();
    return client;
  };
  return {
    server,
    connect,
    pass: (seconds: number) => clock.advanceTo(micros(clock.now() + seconds * SECOND)),
  };
}

describe('a silent connection', () => {
  test('is pinged after two minutes and closed with 4201 half a minute later', async () => {
    const { connect, pass } = await scene();
    const client = await connect();
    pass(119);
    await client.settled();
    expect(client.ofEvent('pusher:ping')).toHaveLength(0);
    pass(120);
    await client.next('pusher:ping');
    pass(31);
    expect(await client.goodbye).toMatchObject({ code: 4201 });
  });

  test('that answers the ping goes on, and is pinged again', async () => {
    const { connect, pass } = await scene();
    const client = await connect();
    pass(120);
    await client.next('pusher:ping');
    client.send({ event: 'pusher:pong', data: {} });
    await client.settled();
    pass(60);
    await client.settled();
    pass(120);
    await expect.poll(() => client.ofEvent('pusher:ping').length).toBe(2);
  });
});

describe('a reader that has stopped reading', () => {
  /** Each is a frame of about 9 KB to everybody on the global channel. */
  const flood = (server: ExchangeServer, count: number): void => {
    for (let at = 0; at < count; at++) {
      const extraData = { at, text: 'x'.repeat(9_000) };
      server.execute({ kind: 'set-live', eventId: 873 as EventId, isLive: true, extraData });
    }
  };

  test('is cut off, and nobody else loses a frame', async () => {
    const { server, connect } = await scene();
    const [stuck, reader] = [await connect(), await connect()];
    await Promise.all([stuck, reader].map((client) => client.subscribe('event')));
    stuck.websocket.pause();
    for (let round = 0; round < 40; round++) {
      flood(server, 50);
      await reader.settled();
    }
    expect(reader.ofEvent('live-data-update')).toHaveLength(2_000);
    stuck.websocket.resume();
    expect((await stuck.goodbye).code).toBe(1006);
    expect(stuck.ofEvent('live-data-update').length).toBeLessThan(2_000);
  });
});

test('messages beyond 10 KB are counted', async () => {
  const { server, connect } = await scene();
  const client = await connect();
  await client.subscribe('event');
  const extraData = { text: 'x'.repeat(11_000) };
  server.execute({ kind: 'set-live', eventId: 873 as EventId, isLive: true, extraData });
  expect(server.oversized).toEqual({ trimmed: 0, withheld: 1 });
});

test('a stopping exchange says goodbye', async () => {
  const { server, connect } = await scene();
  const client = await connect();
  await server.close();
  expect(await client.goodbye).toMatchObject({ code: 1001 });
});
