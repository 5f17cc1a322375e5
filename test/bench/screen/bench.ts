/** Recorded book updates a second of a screen: one thread, expected scenario, recordings decoded before. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../src/domain/errors.js';
import { openScreen } from '../../../src/runs/screen/screen-piece.js';
import { MergedRecordings } from '../../../src/runs/backtest/merged-recordings.js';
import { setupOf } from '../../../src/runs/backtest/backtest-setup.js';
import { loadBotSettings } from '../../../src/settings/index.js';
import { openRecording } from '../../../src/storage/index.js';
import { benchOptions, median, printFigure } from '../figures.js';
import { fresh } from '../processes.js';

const CASES = ['fixed-spread', 'glft'] as const;
type Case = (typeof CASES)[number];

const ROOT = join(import.meta.dirname, '..', '..', '..');
const KALSHI = join(process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data'), 'kalshi-gold15m');
const PASSES = 5;
const SECOND = 1_000;

/** `glft` is measured with two modifiers. */
const SETTINGS: Readonly<Record<Case, readonly string[]>> = {
  'fixed-spread': [],
  glft: [
    'instances.rain.strategy=glft',
    'instances.rain.params={}',
    'instances.rain.modifiers=[{ modifier: near-extremes }, { modifier: min-edge }]',
  ],
};

export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, CASES);
  for (const name of cases) {
    const values: number[] = [];
    for (let round = 0; round < rounds; round++) values.push(await fresh<number>('screen', { case: name }));
    const figure = { bench: 'screen', engine: 'oddsmith', figure: 'throughput', unit: 'book updates/s' };
    printFigure({ ...figure, case: name, values });
  }
}

/** @returns the median rate of several passes over all Kalshi recordings */
export async function job({ case: name }: { readonly case: Case }): Promise<number> {
  const { settings, source } = loadBotSettings(join(ROOT, 'config', 'backtest.yaml'), {}, [
    'backtest.markets=recorded',
    ...SETTINGS[name],
  ]);
  const recordings = await Promise.all(files().map((file) => openRecording(file)));
  const rates: number[] = [];
  for (let pass = 0; pass <= PASSES; pass++) {
    const begun = performance.now();
    let books = 0;
    for (const recording of recordings) {
      const setup = setupOf(settings, settings.backtest!, [recording]);
      const screen = await openScreen(setup, source, 'expected');
      for await (const range of new MergedRecordings([recording], setup.markets).ranges()) screen.take(range);
      screen.finish();
      books += recording.books;
    }
    if (pass > 0) rates.push((books * SECOND) / (performance.now() - begun));
  }
  return median(rates);
}

/** @throws UsageError when the recordings are not there */
function files(): readonly string[] {
  if (!existsSync(KALSHI))
    throw new UsageError(`there are no recordings in ${KALSHI}; MARKET_DATA_DIR names their folder`);
  return readdirSync(KALSHI)
    .filter((name) => name.endsWith('.ndjson.gz'))
    .map((name) => join(KALSHI, name));
}
