/** `oddsmith runs` as a person meets it: processes that end at one time, figures side by side, SQL. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOfMarket } from '../support/tape/neutral-lines.js';
import { ROOT } from '../support/project/small-house.js';

const COMMAND = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const { trade, book } = linesOfMarket(3001);
const LINES = Array.from({ length: 40 }, (_, at) => [
  book(at * 1_000, [[0.45, 100]], [[0.55, 100]]),
  trade(at * 1_000 + 500, at % 2 === 0 ? 0.52 : 0.48, 5, at % 2 === 0 ? 'bid' : 'ask'),
]).flat();

interface Told {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const home = mkdtempSync(join(tmpdir(), 'oddsmith-runs-'));
const recording = join(home, 'recording.ndjson');

async function oddsmith(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Told> {
  const options = { cwd: home, env: { ...process.env, ...environment } };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [COMMAND, ...args], options)) };
  } catch (error) {
    return error as Told;
  }
}

const on = (file: string, ...set: readonly string[]): readonly string[] => [
  join(ROOT, 'config', file),
  ...[`backtest.recordings=["${recording}"]`, ...set].flatMap((one) => ['--set', one]),
];

const runIds: string[] = [];
let sweepId = '';

describe('oddsmith runs', () => {
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  beforeAll(async () => {
    writeFileSync(recording, `${LINES.join('\n')}\n`);
    const spread = (value: number) =>
      oddsmith(['backtest', ...on('backtest.yaml', `instances.rain.params.halfSpread=${value}`), '--json']);
    const tried = 'sweep.parameters={ instances.rain.params.halfSpread: [0.01, 0.02] }';
    const ended = await Promise.all([
      spread(0.01),
      spread(0.02),
      oddsmith(['sweep', ...on('sweep.yaml', tried, 'sweep.windows=3', 'sweep.objective=sharpe'), '--json']),
    ]);
    const told = ended.map(({ code, stdout, stderr }) => {
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout) as { readonly runId: string; readonly id: string };
    });
    runIds.push(told[0]!.runId, told[1]!.runId);
    sweepId = told[2]!.id;
    // What a kill, and somebody else, may leave.
    writeFileSync(join(home, '.oddsmith/catalogue/bt-killed-0.parquet.77.new'), 'PAR1');
  }, 60_000);

  it('lists what several processes entered at one time, a line for each, and no half file', async () => {
    const { stdout, stderr } = await oddsmith(['runs', 'list']);
    const lines = stdout.trim().split('\n');
    expect(stderr).toBe('');
    expect(lines).toHaveLength(4);
    for (const id of [...runIds, sweepId])
      expect(lines.filter((line) => line.startsWith(id))).toHaveLength(1);
    expect(readdirSync(join(home, '.oddsmith/catalogue'))).toHaveLength(4);
  });

  it('compares two runs: the parameters that differ, and the figures', async () => {
    const { stdout } = await oddsmith(['runs', 'compare', ...runIds, '--json']);
    const found = JSON.parse(stdout) as {
      readonly differ: unknown;
      readonly scenarios: readonly Record<
        'run' | 'other',
        { readonly fills: number; readonly volume: number }
      >[];
    };
    expect(found.differ).toEqual({ 'instances.rain.params.halfSpread': [0.01, 0.02] });
    expect(found.scenarios).toHaveLength(3);
    const { run, other } = found.scenarios[0]!;
    expect([run.volume, other.volume].every((volume) => volume > 0)).toBe(true);
    const whole = await oddsmith(['runs', 'compare', sweepId, runIds[0]!]);
    expect(whole).toMatchObject({ code: 2 });
    expect(whole.stderr).toContain(`${sweepId} has 2 configurations: name one of them, such as ${sweepId}/`);
  });

  it('answers SQL, and says how to install what it needs where that is missing', async () => {
    const statement = `SELECT count(*) AS n, max(score) AS best FROM runs WHERE kind = 'sweep' AND headline = 1`;
    const { stdout } = await oddsmith(['runs', 'query', statement, '--json']);
    expect(JSON.parse(stdout)).toEqual([{ n: '2', best: expect.stringMatching(/^-?\d+\.\d{6}$/) }]);
    const hook = `export const resolve = (name, context, next) => {
      if (name !== '@duckdb/node-api') return next(name, context);
      throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
    };`;
    const register = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;
    const without = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(register)}` };
    const refused = await oddsmith(['runs', 'query', statement], without);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('npm install @duckdb/node-api@');
    expect((await oddsmith(['runs', 'list'], without)).stdout).toContain(sweepId);
  });

  it('names a file that it cannot read, and shows the rest', async () => {
    writeFileSync(join(home, '.oddsmith/catalogue/other.parquet'), 'no Parquet');
    const { code, stdout, stderr } = await oddsmith(['runs', 'list']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/catalogue\/other\.parquet cannot be read and is left out: /);
    expect(stdout).toContain(runIds[0]!);
  });
});
