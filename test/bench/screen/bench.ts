/** Recorded book updates a second of a screen: one thread, 8 configurations under three scenarios, recordings decoded before. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../src/domain/errors.js';
import { screenPiece } from '../../../src/runs/screen/screen-piece.js';
import { loadBotSettings, SCENARIOS } from '../../../src/settings/index.js';
import { openRecording } from '../../../src/storage/index.js';
import { benchOptions, printFigure } from '../figures.js';
import { fresh } from '../processes.js';

const CASES = ['fixed-spread', 'glft'] as const;
type Case = (typeof CASES)[number];

const ROOT = join(import.meta.dirname, '..', '..', '..');
const KALSHI = join(process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data'), 'kalshi-gold15m');
/** By shares a configuration each; a thread of a sweep screens up to 16 together. */
const SHARES = Array.from({ length: 8 }, (_, at) => 10 + 10 * at);
/** Recordings that the program warms up on. */
const WARM = 2;
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

/** @returns the rate of one pass over all Kalshi recordings */
export async function job({ case: name }: { readonly case: Case }): Promise<number> {
  const file = join(ROOT, 'config', 'backtest.yaml');
  const configurations = SHARES.map(
    (shares) =>
      loadBotSettings(file, {}, [
        'backtest.markets=recorded',
        ...SETTINGS[name],
        `instances.rain.params.shares=${shares}`,
      ]).settings,
  );
  const recordings = await Promise.all(files().map((one) => openRecording(one)));
  for (const recording of recordings.slice(0, WARM)) await screenPiece(configurations, file, [recording]);
  const begun = performance.now();
  let books = 0;
  for (const recording of recordings) {
    await screenPiece(configurations, file, [recording]);
    books += recording.books * configurations.length * SCENARIOS.length;
  }
  return (books * SECOND) / (performance.now() - begun);
}

/** @throws UsageError when the recordings are not there */
function files(): readonly string[] {
  if (!existsSync(KALSHI))
    throw new UsageError(`there are no recordings in ${KALSHI}; MARKET_DATA_DIR names their folder`);
  return readdirSync(KALSHI)
    .filter((name) => name.endsWith('.ndjson.gz'))
    .map((name) => join(KALSHI, name));
}
