import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { guardBudgetOf, openGuardVenue } from '../../src/ops/guard/guard-venue.js';
import { SystemClock } from '../../src/storage/clocks/system-clock.js';
import type { BotSettings, VenueSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

/** A venue that notes the key of every request and knows nobody. */
async function keysAsked(): Promise<{ readonly baseUrl: string; readonly keys: unknown[] }> {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['key']);
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"InvalidHMACKey"}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}

test.each([
  ['its own', { publicKey: 'pk_guard', privateKey: 'sk_guard' }, 'pk_guard'],
  ["the bot's where it has none", { publicKey: null, privateKey: null }, 'pk_bot'],
])('a guard asks and cancels with a key: %s', async (_what, own, key) => {
  const { baseUrl, keys } = await keysAsked();
  const guard: BotSettings['guard'] = {
    silenceMs: 5_000,
    requestsPerMinute: 600,
    requestsPerDay: 2_000,
    ...own,
  };
  const venue = {
    baseUrl,
    publicKey: 'pk_bot',
    privateKey: 'sk_bot',
    requestTimeoutMs: 5_000,
    signing: { nested: 'python' },
  } as VenueSettings;
  const clock = new SystemClock();
  const path = join(scratchFolder(), 'spending.json');
  const budget = guardBudgetOf({ guard }, () => path, clock);
  const { signal } = new AbortController();
  const rest = openGuardVenue({ settings: { guard }, venue, budget, clock, signal });
  onTestFinished(() => rest.close());
  await rest.me();
  await rest.cancelScope({ kind: 'event', eventId: '1' as never });
  expect(keys).toEqual([key, key]);
});
