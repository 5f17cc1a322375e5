/** The golden runs: what each is, and how its decisions are put so that only a decision can change them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { LifeOrder } from './lives.js';

/** One run, as it is compared. */
export interface Outcome {
  readonly name: string;
  /** Its decisions in their normal form, in order. */
  readonly lines: readonly string[];
  readonly fills: number;
  readonly profit: number;
}

interface Place {
  /** Of a checkout that is built. */
  readonly root: string;
  /** Of recorded market data. */
  readonly data: string;
}

export interface Job {
  readonly name: string;
  /** Whether it reads recorded market data. */
  readonly needsData?: boolean;
  readonly run: (place: Place) => Promise<readonly Outcome[]>;
}

/** The demo without any trouble; of the simulation: usual lives, lives with many crashes, and lives as earlier editions of it lived them. */
const LIVES: readonly LifeOrder[] = [
  { name: 'demo, four minutes', demoMinutes: 4 },
  ...[1, 2, 4, 5, 7, 12, 22, 25, 30, 33].map((seed) => ({ name: `seed ${seed}`, seed })),
  ...[3, 9, 10, 14, 16, 36].map((seed) => ({ name: `crashes of seed ${seed}`, seed })),
  ...[1, 2, 3, 4, 5, 6].map((edition) => ({
    name: `seed ${300 + edition} of edition ${edition}`,
    seed: 300 + edition,
    edition,
  })),
];

const RAIN = 'config/backtest.yaml';
const RECORDED = 'config/recordings.yaml';

export const JOBS: readonly Job[] = [
  ...[0, 1].map((half) =>
    simulations(
      `simulation ${half + 1}`,
      LIVES.filter((_, at) => at % 2 === half),
    ),
  ),
  backtest('rain', RAIN),
  backtest('rain, skewed, tight limits', RAIN, {
    settings: [
      'instances.rain.strategy=inventory-skew',
      'instances.rain.params={"halfSpread":"0.01","shares":30,"range":100,"priceSkew":"0.03"}',
      'instances.rain.limits={"maxPositionShares":60,"maxEventLoss":40}',
    ],
  }),
  backtest('rain, three levels, slow and tolerant', RAIN, {
    settings: [
      'instances.rain.params={"halfSpread":"0.01","shares":15,"levels":3,"levelGap":"0.01","maxInventory":60}',
      'quoting.toleranceTicks=1',
      'quoting.minRestMs=0',
      'backtest.latency={"feedMs":[5,20,80],"requestMs":[20,50,300],"responseMs":10}',
      'backtest.processingDelayMs=100',
    ],
  }),
  backtest('polymarket, touch', RECORDED, { recording: 'polymarket-parallax/touch-2026-08-16t0346' }),
  backtest('polymarket, yes and no', RECORDED, {
    recording: 'polymarket-parallax/touch-2026-08-16t0613-yesno',
  }),
  backtest('polymarket, depth', RECORDED, { recording: 'polymarket-parallax/depth-2026-08-16t0534' }),
  backtest('greyhounds, places', RECORDED, {
    recording: 'betfair-tick001/greyhounds-place-2022-04-19',
    settings: ['instances.fixed-spread.params={"halfSpread":"0.005","shares":20}'],
  }),
  backtest('greyhounds, winner', RECORDED, {
    recording: 'betfair-tick001/greyhounds-win-2022-04-19',
    settings: [
      'instances.fixed-spread.strategy=inventory-skew',
      'instances.fixed-spread.params={"halfSpread":"0.004","shares":20,"range":100,"priceSkew":"0.01"}',
    ],
  }),
  backtest('gold, 15 minutes', RECORDED, { recording: 'kalshi-gold15m/kxgold15m-26aug101900-00' }),
  sweep('sweep', 'config/sweep.yaml'),
];

interface BacktestChanges {
  /** Below the recorded market data, without its ending. */
  readonly recording?: string;
  /** As `--set` takes them. */
  readonly settings?: readonly string[];
}

interface BacktestResult {
  readonly runId: string;
  readonly scenarios: readonly {
    readonly scenario: string;
    readonly fills: number;
    readonly profit: number;
  }[];
}

/** The three scenarios of one backtest. */
function backtest(name: string, config: string, { recording, settings = [] }: BacktestChanges = {}): Job {
  return {
    name,
    needsData: recording !== undefined,
    run: ({ root, data }) =>
      inFolder(async (folder) => {
        const from =
          recording === undefined ? [] : [`backtest.recordings=["${join(data, recording)}.ndjson.gz"]`];
        const sets = [...from, ...settings].flatMap((setting) => ['--set', setting]);
        const text = await program(root, ['backtest', config, '--json', '--out', folder, ...sets]);
        const { runId, scenarios } = JSON.parse(text) as BacktestResult;
        return scenarios.map(({ scenario, fills, profit }) => ({
          name: `${name}: ${scenario}`,
          lines: decisionsIn(join(folder, runId, `decisions-${scenario}.ndjson.gz`)),
          fills,
          profit,
        }));
      }),
  };
}

interface Candidate {
  readonly values: readonly unknown[];
  readonly profits: readonly (readonly number[])[];
  readonly fills: readonly (readonly number[])[];
}

/** A line is a candidate: its values, profits and fills. */
function sweep(name: string, config: string): Job {
  return {
    name,
    run: ({ root }) =>
      inFolder(async (folder) => {
        const text = await program(root, [
          'sweep',
          config,
          '--json',
          '--out',
          folder,
          '--set',
          `stateDir=${folder}`,
        ]);
        const { candidates } = JSON.parse(text) as { readonly candidates: readonly Candidate[] };
        const lines = candidates.map(({ values, profits, fills }) =>
          JSON.stringify({ values, profits, fills }),
        );
        const sum = (key: 'fills' | 'profits'): number =>
          candidates.flatMap((one) => one[key].flat()).reduce((total, one) => total + one, 0);
        return [{ name, lines, fills: sum('fills'), profit: Number(sum('profits').toFixed(4)) }];
      }),
  };
}

/** Lives in virtual time; a line is a request that left the bot. */
function simulations(name: string, lives: readonly LifeOrder[]): Job {
  return {
    name,
    run: async ({ root }) => {
      const text = await output(root, ['test/golden/main.mjs', 'lives', JSON.stringify(lives)]);
      return JSON.parse(text) as readonly Outcome[];
    },
  };
}

/** @returns what the built program prints */
const program = (root: string, args: readonly string[]): Promise<string> =>
  output(root, ['dist/src/cli/main.js', ...args]);

function output(root: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, XDG_STATE_HOME: tmpdir() };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((settle, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      if (code === 0) settle(stdout);
      else fail(new Error(`node ${args.join(' ')} ended with ${code}:\n${stderr || stdout}`));
    });
  });
}

async function inFolder<Result>(act: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-golden-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function decisionsIn(file: string): readonly string[] {
  const lines = gunzipSync(readFileSync(file)).toString().split('\n');
  return lines.filter((line) => line !== '').map(normalDecision);
}

/** What was decided and until when it counts; not which input it answered, nor by which names an id is kept. */
function normalDecision(line: string): string {
  const { deadline, request } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  return JSON.stringify(normal({ deadline, request }));
}

/** Keys in order, and integers that are written as text as integers. */
export function normal(value: unknown): unknown {
  if (typeof value === 'string') return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, normal(inner)]));
}
