import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { House } from '../support/house/house.js';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

/** Starts of processes, each of which a busy machine makes slow. */
const PATIENCE_MS = 300_000;

async function standInSharedMarket(house: House): Promise<boolean> {
  const page = await house.venue.get('/orders/', { status: 'open', limit: 100 });
  return page.list('results').some((row) => JSON.stringify(row).includes('"market":13'));
}

/** A bot was killed with an order in the shared market; its file has another key and another name since. */
async function killedAndChanged(): Promise<House> {
  const house = await houseForTest();
  await house.exchange();
  const { child: bot } = await house.bot();
  await until('an order in the shared market', () => standInSharedMarket(house));
  await bot.end('SIGKILL');
  expect(await standInSharedMarket(house)).toBe(true);
  const file = join(house.dir, 'bot.yaml');
  const changed = readFileSync(file, 'utf8')
    .replace('name: house', 'name: elsewhere')
    .replace('pk_maker', 'pk_guard')
    .replace('ODDSMITH_PRIVATE_KEY', 'ODDSMITH_GUARD_PRIVATE_KEY');
  writeFileSync(file, changed);
  return house;
}

it(
  'a killed bot that comes back with another of its keys and another name withdraws what it left in shared markets',
  async () => {
    const house = await killedAndChanged();
    const { child: second } = await house.bot();
    expect(await second.end('SIGTERM')).toBe(0);
    expect(await house.isEmpty()).toBe(true);
  },
  PATIENCE_MS,
);

it(
  'oddsmith kill withdraws that, too',
  async () => {
    const house = await killedAndChanged();
    expect(await house.run(['kill', 'bot.yaml', '--json']).exit).toBe(0);
    expect(await house.isEmpty()).toBe(true);
  },
  PATIENCE_MS,
);
