/** A durable exchange whose file changes between two runs. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type DurableExchange,
  openDurableExchange,
} from '../../../src/runs/exchange/durable/durable-exchange.js';
import { exchangeConfigOf } from '../../../src/runs/exchange/exchange.js';
import { accountId, marketId } from '../../../src/exchange/contract/ids.js';
import type { Command } from '../../../src/exchange/contract.js';
import { exchangeSchema } from '../../../src/settings/exchange-schema.js';
import { snapshotAtOnce } from '../../support/exchange/durable-core.js';
import { visibleState } from '../../support/exchange/visible-state.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { SILENT } from '../../support/process/silent-logger.js';

const account = (id: number, more: object = {}) => ({
  id,
  username: `user${id}`,
  publicKey: `pk${id}`,
  privateKey: `sk${id}`,
  balances: { OOM: '1000' },
  ...more,
});
const event = (id: number, markets: readonly number[], more: object = {}) => ({
  id,
  title: `Event ${id}`,
  markets: markets.map((market) => ({ id: market, title: `Market ${market}` })),
  ...more,
});

const FIRST = { accounts: [account(1), account(2)], events: [event(10, [100])] };

const configOf = (file: object) => exchangeConfigOf(exchangeSchema.parse(file));

const open = (dir: string, file: object): DurableExchange =>
  openDurableExchange({
    dir,
    config: configOf(file),
    snapshotEvery: 5,
    logger: SILENT,
    startSnapshot: snapshotAtOnce,
  });

/** A folder in which an exchange ran with a file. */
async function ran(file: object = FIRST): Promise<string> {
  const dir = join(scratchFolder(), 'data');
  await open(dir, file).close();
  return dir;
}

function bid(run: DurableExchange, who: number, market: number, price: number): void {
  const command: Command = {
    kind: 'place-order',
    account: accountId(who),
    request: null,
    order: {
      marketId: marketId(market),
      eventId: null,
      side: 'bid',
      position: who === 1 ? 'long' : 'short',
      currency: 'OOM',
      price,
      shares: 100,
      amount: null,
      expiresAt: null,
      cancelConflicting: false,
    },
  };
  const at = run.exchange.now();
  run.log.append({ sequence: run.log.lastSequence + 1, at, command });
  expect(run.exchange.execute(command, at).outcome).toMatchObject({ ok: true });
}

describe('what a file has more than the folder', () => {
  const MORE = {
    accounts: [account(3, { balances: { OOM: '5', USDC: '7' } }), ...FIRST.accounts],
    events: [event(11, [110, 111]), event(10, [101, 100])],
  };

  it('is added at the start, trades like the rest, and is there after the next start', async () => {
    const dir = await ran();
    const run = open(dir, MORE);
    expect(run.exchange.ledger().sum).toEqual({ OOM: 0, USDC: 0, USDT: 0, USD: 0 });
    expect(run.exchange.account(accountId(3))?.wallet).toMatchObject({ OOM: 5_000_000, USDC: 7_000_000 });
    for (const market of [100, 101, 110, 111]) {
      bid(run, 3, market, 5_000);
      bid(run, 1, market, 5_000);
    }
    const before = visibleState(run.exchange, configOf(MORE));
    expect(run.exchange.trades(null)).toHaveLength(4);
    await run.close();

    const again = open(dir, MORE);
    expect(visibleState(again.exchange, configOf(MORE))).toBe(before);
    expect(again.log.lastSequence).toBe(run.log.lastSequence);
    await again.close();
  });

  it('survives a snapshot, from which later starts begin', async () => {
    const dir = await ran();
    const run = open(dir, MORE);
    for (let price = 1_000; price < 3_000; price += 100) bid(run, 3, 110, price);
    await run.log.sync();
    await run.close();
    const again = open(dir, MORE);
    expect(again.snapshots().newest).toBeGreaterThan(3);
    expect(again.exchange.orders(accountId(3), { status: 'open', limit: 100, offset: 0 }).total).toBe(20);
    await again.close();
  });

  it('is added by the next start when this one was killed on the way', async () => {
    const dir = await ran();
    await open(dir, MORE).close();
    const path = join(dir, 'commands-000000000000001.ndjson');
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.slice(0, 2).join('\n') + '\n');
    const run = open(dir, MORE);
    expect(run.log.lastSequence).toBe(3);
    expect(run.exchange.configuration().events.flatMap(({ markets }) => markets.map(({ id }) => id))).toEqual(
      [100, 101, 110, 111],
    );
    await run.close();
  });

  it('may be a trader that needs a stand-in, which may go again', async () => {
    const traders = (count: number) => ({
      ...FIRST,
      participants: Array.from({ length: count }, () => ({ kind: 'noise', account: 2, markets: [100] })),
    });
    const dir = await ran(traders(1));
    const run = open(dir, traders(3));
    expect(run.exchange.account(accountId(1_000_000_002_003))?.username).toBe('user2-3');
    await run.close();
    const again = open(dir, traders(0));
    expect(again.exchange.account(accountId(1_000_000_002_003))).not.toBeNull();
    await again.close();
  });
});

describe('what a file has less than the folder', () => {
  it('stays when it is an event or a market', async () => {
    const dir = await ran({ ...FIRST, events: [event(10, [100, 101]), event(11, [110])] });
    const run = open(dir, FIRST);
    expect(run.exchange.events({ limit: 9, offset: 0 }).results.map(({ id }) => id)).toEqual([10, 11]);
    await run.close();
  });

  it('is missed when it is an account', async () => {
    const dir = await ran();
    expect(() => open(dir, { ...FIRST, accounts: [account(1)] })).toThrow(
      /exchange\.accounts: account 2 \(user2\), the file says nothing of it/,
    );
  });
});

describe('what a file says otherwise', () => {
  it.each([
    ['fees.real_money.taker: "0.001", the file says "0.002"', { fees: { real_money: { taker: '0.002' } } }],
    ['processingDelayMs: 0, the file says 5', { processingDelayMs: 5 }],
    [
      'accounts[1].balances.OOM: "1000", the file says "999"',
      { accounts: [account(1), account(2, { balances: { OOM: '999' } })] },
    ],
    [
      'accounts[0].blocked: false, the file says true',
      { accounts: [account(1, { blocked: true }), account(2)] },
    ],
    [
      'events[1].title: "Event 10", the file says "x"',
      { events: [event(9, [90]), event(10, [100], { title: 'x' })] },
    ],
    [
      'events[0].betEndDate: null, the file says 2030-01-01T00:00:00.000Z',
      { events: [event(10, [100], { betEndDate: '2030-01-01T00:00:00Z' })] },
    ],
    [
      'events[0].markets[0].tickSize: "0.01", the file says "0.001"',
      { events: [event(10, [], { markets: [{ id: 100, title: 'Market 100', tickSize: '0.001' }] })] },
    ],
  ])('is refused: %s', async (text, change) => {
    const dir = await ran();
    expect(() => open(dir, { ...FIRST, ...change })).toThrow(`holds an exchange with exchange.${text}`);
    await open(dir, FIRST).close();
  });

  it('is refused when the exchange has got it since it began', async () => {
    const dir = await ran();
    await open(dir, { ...FIRST, accounts: [...FIRST.accounts, account(3)] }).close();
    const other = account(3, { emailConfirmed: false });
    expect(() => open(dir, { ...FIRST, accounts: [...FIRST.accounts, other] })).toThrow(
      'exchange.accounts[2].emailConfirmed: true, the file says false',
    );
  });

  it('is refused when a new market belongs to another event already', async () => {
    const dir = await ran();
    const events = [event(10, [100]), event(11, [100])];
    expect(() => open(dir, { ...FIRST, events })).toThrow(/cannot be added: .*market 100 exists/);
  });
});

describe('what the folder began with', () => {
  it('is noted in it, and added to a folder that does not hold it yet', async () => {
    const dir = await ran();
    const path = join(dir, 'configuration.json');
    const noted = readFileSync(path, 'utf8');
    rmSync(path);
    expect(() => open(dir, { ...FIRST, processingDelayMs: 5 })).toThrow(/another configuration/);
    await open(dir, FIRST).close();
    expect(readFileSync(path, 'utf8')).toBe(noted);
  });

  it.each(['', 'null', '{"version":2}', '{"version":1,'])(
    'stops the start when it is damaged: %j',
    async (text) => {
      const dir = await ran();
      writeFileSync(join(dir, 'configuration.json'), text);
      expect(() => open(dir, FIRST)).toThrow(/configuration\.json: damaged/);
    },
  );
});
