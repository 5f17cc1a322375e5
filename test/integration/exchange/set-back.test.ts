/** An exchange with a folder whose clock was an hour ahead until its last command, and is right when it comes back. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runExchange } from '../../../src/runs/exchange/exchange.js';
import { type AccountId, marketId } from '../../../src/exchange/contract/ids.js';
import { type Micros, micros, priceUnits, shares } from '../../../src/domain/units.js';
import type { Command } from '../../../src/exchange/contract.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { VirtualClock } from '../../support/clocks/virtual-clock.js';
import { exchangeSchema } from '../../../src/settings/exchange-schema.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { SILENT } from '../../support/process/silent-logger.js';

const START = Date.UTC(2026, 0, 31, 12) * 1_000;
const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;

function exchangeIn(dataDir: string) {
  const settings = exchangeSchema.parse({
    port: 0,
    dataDir,
    accounts: [{ id: 7, username: 'alice', publicKey: 'pk', privateKey: 'sk', balances: { OOM: '1000' } }],
    events: [{ id: 873, title: 'Who wins?', markets: [{ id: 2231, title: 'Candidate A' }] }],
  });
  const said: string[] = [];
  const logger = { ...SILENT, warn: (text: string) => void said.push(text) };
  const begin = async (at: number) => {
    const clock = new VirtualClock(micros(at));
    const file = join(dataDir, 'exchange.yaml');
    const parts = { settings, file, clock, start: clock.now(), random: seededRandom(1), logger };
    return { clock, exchange: await runExchange({ ...parts, busyPort: 'fail' }) };
  };
  return { begin, said };
}

const bid = (expiresAt: Micros | null = null): Extract<Command, { kind: 'place-order' }> => ({
  kind: 'place-order',
  account: 7 as AccountId,
  request: null,
  order: {
    eventId: null,
    marketId: marketId(2231),
    side: 'bid',
    position: 'long',
    currency: 'OOM',
    price: priceUnits(3_000),
    shares: shares(500),
    amount: null,
    expiresAt,
    cancelConflicting: false,
  },
});

async function expectDate(url: string, time: number): Promise<void> {
  const { headers } = await fetch(`${url}/markets/2231/book/?currency_mode=play_money`);
  expect(Date.parse(headers.get('date') ?? '')).toBe(Math.floor(time / SECOND) * 1_000);
}

it('goes on from there, and its Date header with it', async () => {
  const { begin, said } = exchangeIn(join(scratchFolder(), 'data'));
  const before = await begin(START + HOUR);
  before.exchange.server.execute(bid());
  await before.exchange.close();
  expect(said).toEqual([]);
  const { clock, exchange } = await begin(START);
  const { server } = exchange;
  expect(said).toHaveLength(1);
  const created: (number | undefined)[] = [];
  for (let seconds = 10; seconds <= 20; seconds += 10) {
    clock.advanceTo(micros(START + seconds * SECOND));
    const outcome = server.execute(bid());
    created.push(outcome.ok ? outcome.order.createdAt : undefined);
    await expectDate(server.restUrl, START + HOUR + 0.9 * seconds * SECOND);
  }
  expect(created).toEqual([START + HOUR + 9 * SECOND, START + HOUR + 18 * SECOND]);
  const expiring = server.execute(bid(micros(START + HOUR + 22 * SECOND)));
  expect(expiring).toMatchObject({ ok: true });
  clock.advanceTo(micros(START + 30 * SECOND));
  expect(server.execute(bid())).toMatchObject({ ok: true });
  await exchange.close();
});
