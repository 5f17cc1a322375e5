import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventId, marketId } from '../../../src/domain/ids.js';
import { venueRulesOf } from '../../../src/runs/backtest/backtest-setup.js';
import { firstFile, FUTUUR_FILE, venueSectionOf } from '../../../src/runs/first-file.js';
import { engineOptionsOf } from '../../../src/runs/live/engine-options.js';
import type { OfferedEvent } from '../../../src/runs/offered-markets.js';
import { bundledStrategies } from '../../../src/runs/strategies/strategies.js';
import { checkBotSettings, SettingsSource } from '../../../src/settings/index.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

const market = (id: number, spread: number | null, title = `Market ${id}`) => ({
  marketId: marketId(id),
  title,
  bid: 0.4,
  bidShares: 10,
  ask: 0.5,
  askShares: 10,
  spread,
});
const event = (id: number, title: string, markets: OfferedEvent['markets']): OfferedEvent => ({
  eventId: eventId(id),
  title,
  categories: [],
  resolutionMode: 'exclusive',
  closes: null,
  volume: null,
  markets,
});
const CHOICE = {
  currency: 'OOM',
  events: [event(7, 'Rain?', [market(71, 0.06), market(72, 0.08)])],
  strategy: 'inventory-skew',
  budget: 50,
  venue: venueSectionOf(FUTUUR_FILE),
  file: 'bot.yaml',
} as const;

const loaded = (text: string) => checkBotSettings(SettingsSource.parse(text, 'bot.yaml', {}));

it.each(bundledStrategies().filter((name) => name !== 'fair-quoter'))(
  'is a file that a bot accepts, with %s',
  async (strategy) => {
    const { settings, source } = loaded(await firstFile({ ...CHOICE, strategy }));
    const parts = { settings, source, venue: venueRulesOf(settings), random: seededRandom(1), runId: 'test' };
    const { instances } = await engineOptionsOf(parts);
    expect(instances[0]!.markets).toEqual(['71', '72']);
    expect(settings).toMatchObject({ mode: 'paper', currencyMode: 'play_money' });
  },
);

it('loses no more than the budget, and quotes beside the best prices', async () => {
  const { settings } = loaded(await firstFile(CHOICE));
  const { params, limits } = settings.instances[0]!;
  expect(params).toMatchObject({ halfSpread: '0.04', shares: '2.5', range: '25' });
  expect(limits).toMatchObject({
    maxPositionShares: 25_00,
    maxEventLoss: 50_000_000,
    maxLoss: 50_000_000,
  });
});

it('refuses a budget that is too small for the markets', async () => {
  await expect(firstFile({ ...CHOICE, budget: 1 })).rejects.toThrow(
    'a budget of 1 OOM is 0.5 for each of 2 markets; expected at least 1 for each',
  );
});

it('takes titles for comments, whatever they say', async () => {
  const title = 'Rain?\n${HOME}\nseed: 99';
  const events = [event(7, title, [market(71, null, title)])];
  const { settings } = loaded(await firstFile({ ...CHOICE, events }));
  expect(settings.seed).toBe(1);
  expect(settings.events[0]!.title).toBeNull();
});

it('writes no key that stands in the file whose venue it takes over', () => {
  const file = join(scratchFolder(), 'other.yaml');
  const rest = '  baseUrl: http://venue.test\n  realtime: { key: k, cluster: us2 }\n';
  writeFileSync(file, `venue:\n${rest}  publicKey: pk\n  privateKey: sk_secret\n`);
  expect(venueSectionOf(file)).toMatchObject({ publicKey: 'pk', privateKey: '${ODDSMITH_PRIVATE_KEY}' });
  writeFileSync(file, `venue:\n${rest}  privateKey: '\${MINE:-sk_secret}'\n`);
  expect(venueSectionOf(file)).toMatchObject({ privateKey: '${ODDSMITH_PRIVATE_KEY}' });
  writeFileSync(file, `venue:\n${rest}  privateKey: \${MINE}\n`);
  expect(venueSectionOf(file)).toMatchObject({ privateKey: '${MINE}' });
  writeFileSync(file, 'exchange: {}\n');
  expect(() => venueSectionOf(file)).toThrow('has no section venue to take over');
});
