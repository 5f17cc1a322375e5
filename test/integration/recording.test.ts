import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programIdentity } from '../../src/runs/program.js';
import { surveyTape, type TapeSurvey } from '../../src/storage/index.js';
import { freePort } from '../support/process/free-port.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const PATIENCE_MS = 60_000;
const CLI = join(ROOT, 'dist/src/cli/main.js');

/** What is on the tape so far; null while there is nothing. */
async function soFar(dir: string): Promise<TapeSurvey | null> {
  if (!existsSync(join(dir, '000001.ndjson.gz'))) return null;
  return surveyTape(dir).catch(() => null);
}

async function recordUntil(dir: string, frames: number, signal: NodeJS.Signals): Promise<number | null> {
  const before = (await soFar(dir))?.kinds['frame'] ?? 0;
  const child = spawn(process.execPath, [CLI, 'record', 'config/demo.yaml', '--out', dir], {
    cwd: ROOT,
    stdio: 'ignore',
    env: { ...process.env, ODDSMITH_PRIVATE_KEY: '' },
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  await expect
    .poll(async () => ((await soFar(dir))?.kinds['frame'] ?? 0) - before, {
      timeout: PATIENCE_MS,
      interval: 200,
    })
    .toBeGreaterThan(frames);
  child.kill(signal);
  return ended;
}

describe('oddsmith record', () => {
  it(
    'keeps public channels without keys, survives SIGKILL and goes on with its tape',
    async () => {
      const dir = join(scratchFolder(), 'tape');
      await recordUntil(dir, 20, 'SIGKILL');
      const killed = await surveyTape(dir);
      expect(killed.ending.state).toBe('unfinished');
      expect(killed.kinds['rest']).toBeGreaterThan(0);
      expect(await recordUntil(dir, 20, 'SIGTERM')).toBe(0);
      const survey = await surveyTape(dir);
      expect(survey.ending.state).toBe('closed');
      expect(survey.heads).toHaveLength(2);
      expect(survey.gaps.filter(({ reason }) => reason === 'restart')).toHaveLength(1);
      expect(survey.oddities).toEqual([]);
      expect(survey.markets.every(({ books }) => books > 0)).toBe(true);
      expect(survey.events['order-update']).toBeUndefined();
    },
    2 * PATIENCE_MS,
  );

  it(
    'says of a disk that takes no more what its tape keeps',
    async () => {
      const dir = join(scratchFolder(), 'tape');
      // No file may grow beyond 32 blocks of 512 bytes.
      const command = `ulimit -f 32; exec ${process.execPath} ${CLI} record config/demo.yaml --json --out ${dir}`;
      const options = { cwd: ROOT, encoding: 'utf8', timeout: PATIENCE_MS } as const;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/recording stopped: EFBIG/)]);
      const survey = await surveyTape(dir);
      expect(survey.lines).toBeGreaterThan(100);
      expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({
        event: 'summary',
        lines: survey.lines,
        frames: survey.kinds['frame'],
      });
      expect(survey.heads).toMatchObject([{ program: programIdentity() }]);
    },
    2 * PATIENCE_MS,
  );

  it(
    'says that nobody is there at once, on the tape, too, and by its exit code',
    async () => {
      const folder = scratchFolder();
      const file = join(folder, 'nobody.yaml');
      writeFileSync(file, configurationAt(await freePort()));
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [CLI, 'record', file, '--for', '3s', '--out', join(folder, 'tape')],
        { cwd: folder, encoding: 'utf8' },
      );
      expect(stdout).toMatch(/the venue cannot be read \(ECONNREFUSED\)/);
      expect(stdout).toMatch(/the realtime service cannot be reached/);
      expect(stderr).toMatch(/nothing was recorded: the venue could not be reached at http:/);
      expect(status).toBe(4);
      const { gaps, first, last } = await surveyTape(join(folder, 'tape'));
      expect(gaps).toMatchObject([{ reason: 'not connected yet', to: last }]);
      expect(gaps[0]!.from! - first!).toBeLessThan(100_000);
    },
    PATIENCE_MS,
  );
});

const configurationAt = (port: number): string => `currencyMode: play_money
venue:
  baseUrl: http://127.0.0.1:${port}
  realtime: { key: local, host: 127.0.0.1, port: ${port}, tls: false }
  publicKey: pk
  privateKey: \${UNSET_KEY_OF_A_TEST}
events: [{ id: 873, markets: [{ id: 2231 }] }]
instances: [{ name: first, strategy: fixed-spread, markets: [2231], params: { halfSpread: '0.02' } }]
`;
