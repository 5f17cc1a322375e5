import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/small-house.js';
import { VenueClient } from '../support/venue-client.js';

const KEYS = { publicKey: 'pk_maker', privateKey: 'sk_maker' };
const ROUNDS = 5;
const SETTINGS = `exchange:
  port: 0
  adminToken: durable
  dataDir: DATA_DIR
  duplicateWindowMs: 0
  rateLimit: null
  accounts:
    - { id: 1, username: maker, email: maker@example.org, publicKey: pk_maker, privateKey: sk_maker, balances: { OOM: "100000" } }
  events:
    - { id: 1, title: Event, markets: [{ id: 11, title: Market }] }
`;

interface Running {
  readonly process: ChildProcess;
  readonly client: VenueClient;
  readonly rest: string;
}

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'durable-'));
  writeFileSync(join(dir, 'exchange.yaml'), SETTINGS.replace('DATA_DIR', join(dir, 'data')));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function start(): Promise<Running> {
  const child = spawn(
    process.execPath,
    ['dist/src/cli/main.js', 'exchange', join(dir, 'exchange.yaml'), '--json'],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const lines = createInterface(child.stdout);
  const [line] = (await once(lines, 'line')) as [string];
  lines.close();
  const { rest } = JSON.parse(line) as { rest: string };
  return { process: child, rest, client: new VenueClient(rest, KEYS) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const exit = once(child, 'exit');
  child.kill(signal);
  return (await exit)[0];
}

const keyOf = (round: number, index: number) => ({ headers: { 'Idempotency-Key': `${round}-${index}` } });

interface Acknowledged {
  readonly id: number;
  readonly round: number;
  readonly index: number;
}

const order = (round: number, index: number) => ({
  market: 11,
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  price: (1 + ((round * 7 + index) % 40)) / 100,
  shares: 1 + index,
});

/** All pages. */
async function openOrders(client: VenueClient): Promise<ReadonlySet<number>> {
  const known = new Set<number>();
  for (let offset = 0; ; offset += 100) {
    const page = await client.get('/orders/', { limit: 100, offset, ordering: 'id' });
    const rows = page.at('results') as { id: number }[];
    for (const { id } of rows) known.add(id);
    if (rows.length < 100) return known;
  }
}

describe('an exchange with a data folder', () => {
  it('comes back after SIGKILL with every acknowledged order and a ledger that sums to zero', async () => {
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { process: child, client } = await start();
      const before = acknowledged.length;
      const sending = Array.from({ length: 60 }, async (_, index) => {
        const answer = await client.post('/orders/', order(round, index), keyOf(round, index));
        if (answer.status === 201) acknowledged.push({ id: answer.number('id'), round, index });
      });
      const all = Promise.allSettled(sending);
      await expect.poll(() => acknowledged.length, { interval: 1 }).toBeGreaterThan(before + 5 * round);
      await end(child, 'SIGKILL');
      await all;
    }
    const { process: child, client, rest } = await start();
    const known = await openOrders(client);
    expect(acknowledged.filter(({ id }) => !known.has(id))).toEqual([]);
    const ledger = await fetch(`${rest}/admin/ledger/`, { headers: { authorization: 'Bearer durable' } });
    const { sum } = (await ledger.json()) as { sum: Record<string, string> };
    expect(sum['OOM']).toMatch(/^0(\.0+)?$/);
    const { id, round, index } = acknowledged[0]!;
    const again = await client.post('/orders/', order(round, index), keyOf(round, index));
    expect(again.number('id')).toBe(id);
    expect(await end(child, 'SIGTERM')).toBe(0);
  });
});
