/**
 * Bad requests change nothing and are refused clearly: 2,000 of them, or as many as `BAD_REQUESTS` says
 * (continuous integration throws 100,000). A failure prints its seed and the smallest request that fails.
 */
import * as fc from 'fast-check';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import type { ExchangeServer } from '../../../src/exchange-server/index.js';
import { badRequest, type BadRequest } from '../../support/contract/bad-requests.js';
import { contractSettings, startServer } from '../../support/contract/exchange-under-test.js';
import { RawSocket } from '../../support/wire/raw-socket.js';
import { AdminClient, VenueClient, type WireAnswer } from '../../support/wire/venue-client.js';

const RUNS = Number(process.env['BAD_REQUESTS'] ?? 2_000);
/** Requests under way together, on average. */
const AT_ONCE = 20;
const ALICE = { publicKey: 'pk_alice', privateKey: 'sk_alice' };
const HEAP_GROWTH_MOST = 64 * 1_048_576;

let server: ExchangeServer;
let changes = 0;
beforeAll(async () => {
  server = await startServer({ ...contractSettings(), port: 0 }, new SystemClock());
  server.observe((events) => (changes += events.length));
});
afterAll(() => server.close());

test(`${RUNS} bad requests: each a clear 4xx, nothing changed, memory bounded`, async () => {
  const client = new VenueClient(server.restUrl, ALICE);
  const before = await ledger();
  const heapBefore = heapUsed();
  const together = fc.array(badRequest, { minLength: 1, maxLength: 2 * AT_ONCE, size: 'max' });
  const refused = fc.asyncProperty(together, async (requests) => {
    const answers = await Promise.all(requests.map((request) => send(client, request)));
    answers.forEach(expectRefusal);
    expect(changes).toBe(0);
  });
  await fc.assert(refused, { numRuns: Math.ceil(RUNS / AT_ONCE) });
  expect(await ledger()).toBe(before);
  expect(heapUsed() - heapBefore).toBeLessThan(HEAP_GROWTH_MOST);
}, 600_000);

test('bytes that are no request: a 4xx or a closed connection', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ maxLength: 100 }).map((text) => Buffer.from(`POST /orders/ HTTP/1.1\r\n${text}\r\n\r\n`)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (garbage) => {
      const answer = await new RawSocket(server.restUrl).write(Buffer.from(garbage)).finish().ended;
      expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
      expect(changes).toBe(0);
    }),
    { numRuns: Math.ceil(RUNS / 20) },
  );
}, 600_000);

const ledger = async (): Promise<string> =>
  (await new AdminClient(server.restUrl, contractSettings().adminToken).get('/admin/ledger/')).text;

function send(client: VenueClient, request: BadRequest): Promise<WireAnswer> {
  const { method, path, query, parameters, text, headers } = request;
  if (method === 'GET') return client.get(path, query, { headers });
  if (method === 'PATCH') return client.patch(path, { headers });
  return client.post(path, parameters, { headers, ...(text === null ? {} : { text }) });
}

/** A refused request, or a batch of which every item is refused. */
function expectRefusal(answer: WireAnswer): void {
  expect(answer.status === 200 ? refusedItems(answer) : refusedWhole(answer), answer.text).toBe(true);
}

function refusedItems(answer: WireAnswer): boolean {
  const items = Array.isArray(answer.body) ? answer.list() : answer.list('results');
  return items.length > 0 && items.every((item) => !(item as { success: boolean }).success);
}

const refusedWhole = (answer: WireAnswer): boolean =>
  answer.status >= 400 &&
  answer.status < 500 &&
  typeof answer.at('error') === 'string' &&
  typeof answer.at('detail') === 'string';

/** After a full collection, so that only what is kept counts. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
