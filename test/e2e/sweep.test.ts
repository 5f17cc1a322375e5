/** `oddsmith sweep` as a person runs it: the built command, its threads, its death in the middle. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const COMMAND = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const FILE = join(ROOT, 'config', 'sweep.yaml');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Three configurations and the file as it is, on two windows. */
const SMALL = [
  '--set=sweep.parameters={ instances.rain.params.halfSpread: [0.02, 0.03, 0.04] }',
  '--set=sweep.windows=2',
  `--set=stateDir=${join(tmpdir(), 'oddsmith-sweeps')}`,
];
const JOBS = 8;

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [COMMAND, 'sweep', FILE, '--json', ...SMALL, ...args]);

function ended(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...texts })));
}

/** Runs a sweep to its end. @returns the bytes of its result, and what it said on standard error */
async function swept(...args: string[]): Promise<{ readonly bytes: string; readonly said: string }> {
  const { code, stdout, stderr } = await ended(start(...args));
  expect(code, stderr).toBe(0);
  const { file } = JSON.parse(stdout) as { readonly file: string };
  return { bytes: readFileSync(file, 'utf8'), said: stderr };
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];

/** Sends a signal to a sweep once a job is finished. */
async function endedInTheMiddle(out: string, signal: NodeJS.Signals, threads = '2'): Promise<Ended> {
  const jobs = join(out, 'jobs.ndjson');
  const child = start('--out', out, '--threads', threads);
  const end = ended(child);
  const watcher = watch(out, () => linesOf(jobs).length > 0 && child.kill(signal));
  const how = await end;
  watcher.close();
  return how;
}

describe('oddsmith sweep', () => {
  it('writes the same bytes with one thread, with two, and after it was killed', async () => {
    const { bytes } = await swept('--out', scratchFolder());
    expect((await swept('--out', scratchFolder(), '--threads', '2')).bytes).toBe(bytes);
    const out = scratchFolder();
    await endedInTheMiddle(out, 'SIGKILL');
    const jobs = join(out, 'jobs.ndjson');
    const before = linesOf(jobs);
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(JOBS);
    const resumed = await swept('--out', out, '--threads', '2');
    expect(resumed.said).toContain(`${before.length} of them finished before`);
    expect(resumed.bytes).toBe(bytes);
    const keys = linesOf(jobs).map((line) => (JSON.parse(line) as { readonly key: string }).key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(['1', '2'])('ends with 130 on Ctrl-C on %s threads, and says how much is kept', async (threads) => {
    const out = scratchFolder();
    const { code, stderr } = await endedInTheMiddle(out, 'SIGINT', threads);
    expect(code).toBe(130);
    const kept = linesOf(join(out, 'jobs.ndjson')).length;
    expect(stderr).toContain(`interrupted: ${kept} of ${JOBS} backtests are finished and kept in ${out}`);
  });

  it('ends with 2 when its folder has no room, keeps what is finished, and goes on once it has', async () => {
    const out = scratchFolder();
    // No file may grow beyond 512 bytes: a few finished backtests.
    const args = [COMMAND, 'sweep', FILE, '--json', ...SMALL, '--out', out];
    const full = await ended(spawn('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, ...args]));
    expect(full.code).toBe(2);
    expect(full.stderr).toMatch(
      /jobs\.ndjson cannot be written \(EFBIG, .*what is finished is kept: make room/,
    );
    expect(full.stderr).not.toMatch(/\n\s+at /);
    const kept = linesOf(join(out, 'jobs.ndjson')).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(JOBS);
    const resumed = await swept('--out', out);
    expect(resumed.said).toContain(`${kept} of them finished before`);
    expect(resumed.bytes).toBe((await swept('--out', scratchFolder())).bytes);
  });

  it('ends with 2 and one sentence when a configuration is wrong', async () => {
    const wrong = await ended(start('--set', 'sweep.windows=1', '--out', scratchFolder()));
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/set sweep\.windows/) as string });
    expect(wrong.stderr).not.toMatch(/\n\s+at /);
  });
});
