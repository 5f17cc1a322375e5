/**
 * Both bundled strategies on every recording of the data folder, as a Markdown table: fills under the three scenarios,
 * the headline's profit and where it came from, mark-outs. Run it with: npx tsx test/bench/backtest/table.ts
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runBacktest } from '../../../src/app/backtest/run-backtest.js';
import { loadBotSettings } from '../../../src/settings/index.js';
import { openRecording, type RecordingSource } from '../../../src/tape/index.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DATA = process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data');
const FOLDERS = ['kalshi-gold15m', 'betfair-tick001'] as const;
const STRATEGIES: Readonly<Record<string, string>> = {
  'fixed-spread': '{halfSpread: 0.02, shares: 20, maxInventory: 100}',
  'inventory-skew': '{halfSpread: 0.02, shares: 20, range: 100, priceSkew: 0.03}',
};
const HEAD = [
  'recording',
  'strategy',
  'fills p/e/o',
  'profit p/e/o',
  'headline',
  'spread',
  'inventory',
  'resolution',
  'fees',
  'mark-out 1 s',
  '10 s',
  '60 s',
  '300 s',
];

async function row(source: RecordingSource, strategy: string): Promise<readonly string[]> {
  const loaded = loadBotSettings(join(ROOT, 'config', 'backtest.yaml'), {}, [
    'backtest.markets=recorded',
    `instances.rain.strategy=${strategy}`,
    `instances.rain.params=${STRATEGIES[strategy] ?? '{}'}`,
  ]);
  const result = await runBacktest({ ...loaded, recordings: [source], analyse: true });
  const { scenarios, analyses, headline } = result;
  const { profit, markOuts } = analyses[scenarios.indexOf(headline)]!.total;
  const { spread, inventory, resolution, fees, rebates } = profit;
  const markOut = (after: number): string =>
    markOuts.find(({ seconds }) => seconds === after)?.perShare?.toFixed(4) ?? '';
  return [
    basename(source.name, '.ndjson.gz'),
    strategy,
    scenarios.map(({ fills }) => fills).join(' / '),
    scenarios.map((one) => one.profit.toFixed(2)).join(' / '),
    headline.scenario,
    ...[spread, inventory, resolution, fees - rebates].map((value) => value.toFixed(2)),
    ...[1, 10, 60, 300].map(markOut),
  ];
}

const line = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

line(HEAD);
line(HEAD.map(() => '---'));
for (const folder of FOLDERS.map((name) => join(DATA, name)).filter((path) => existsSync(path)))
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.ndjson.gz'))) {
    const source = await openRecording(join(folder, name));
    for (const strategy of Object.keys(STRATEGIES)) line(await row(source, strategy));
  }
