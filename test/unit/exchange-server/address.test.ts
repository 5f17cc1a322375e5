import { expect, test } from 'vitest';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import { isLoopback } from '../../../src/exchange-server/admin/interface.js';
import { ListenError, PortBusyError } from '../../../src/exchange-server/index.js';
import { contractSettings, startServer } from '../../support/contract/exchange-under-test.js';

const start = (host: string, port: number) =>
  startServer({ ...contractSettings(), host, port }, new SystemClock());

test('a busy port is an error of its own, so that another one can be tried', async () => {
  const first = await start('127.0.0.1', 0);
  const second = start('127.0.0.1', first.port);
  await expect(second).rejects.toThrow(PortBusyError);
  await expect(second).rejects.toMatchObject({ code: 'ODDSMITH_PORT_BUSY', port: first.port });
  await first.close();
});

test('an address that is not ours is another error', async () => {
  await expect(start('192.0.2.1', 0)).rejects.toThrow(ListenError);
});

test('listening everywhere, it names an address to connect to', async () => {
  const server = await start('0.0.0.0', 0);
  expect(server.restUrl).toBe(`http://127.0.0.1:${server.port}`);
  expect(server.realtime).toEqual({ host: '127.0.0.1', port: server.port, key: 'local' });
  expect((await fetch(`${server.restUrl}/events/`)).status).toBe(200);
  await server.close();
});

test('a closed exchange answers no more', async () => {
  const server = await start('127.0.0.1', 0);
  await server.close();
  await expect(fetch(`${server.restUrl}/events/`)).rejects.toThrow('fetch failed');
});

test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
  expect(isLoopback(address)).toBe(true);
});

test.each([
  '198.51.100.1',
  '::ffff:198.51.100.1',
  '127.0.0.1.example.org',
  '1270.0.0.1',
  '::',
  '',
  undefined,
])('%s is another machine', (address) => {
  expect(isLoopback(address)).toBe(false);
});
