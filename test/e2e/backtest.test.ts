/** `oddsmith backtest` as a person runs it: the built command, its files, its exit code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileHash } from '../../src/runs/strategies/strategies.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const COMMAND = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const FILE = join(ROOT, 'config', 'backtest.yaml');
const RECORDINGS = join(ROOT, 'config', 'recordings');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const backtest = (...args: string[]): Promise<Ended> => ended(start(...args));

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [COMMAND, 'backtest', FILE, ...args]);

function ended(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...texts })));
}

/** A Ctrl-C as soon as something is written there. */
function interruptOnce(child: ChildProcess, folder: string): void {
  const watcher = watch(folder, () => {
    watcher.close();
    child.kill('SIGINT');
  });
}

describe('oddsmith backtest', () => {
  it('writes the same bytes with one thread and with two', async () => {
    const folder = scratchFolder();
    const written = async (threads: string) => {
      const out = join(folder, threads);
      const { code, stdout } = await backtest('--json', '--out', out, '--threads', threads);
      expect(code).toBe(0);
      const { runId } = JSON.parse(stdout) as { readonly runId: string };
      const names = readdirSync(join(out, runId)).toSorted();
      return names.map((name) => `${name} ${fileHash(join(out, runId, name))}`);
    };
    const one = await written('1');
    const names = one.map((line) => line.split(' ')[0]);
    for (const name of ['run.json', 'report.json', 'report.html', 'decisions-pessimistic.ndjson.gz'])
      expect(names).toContain(name);
    expect(await written('2')).toEqual(one);
  });

  it('keeps its report where runs are kept, unless the file says otherwise', async () => {
    const folder = scratchFolder();
    const { code, stdout } = await backtest('--json', '--set', `stateDir=${folder}`);
    expect(code).toBe(0);
    const { runId, report } = JSON.parse(stdout) as { readonly runId: string; readonly report: string };
    expect(report).toBe(join(folder, 'runs', runId, 'report.html'));
    expect(readdirSync(join(folder, 'runs', runId))).toContain('report.html');

    const silent = await backtest(
      '--json',
      '--set',
      `stateDir=${folder}/none`,
      '--set',
      'report.write=false',
    );
    expect(JSON.parse(silent.stdout)).toMatchObject({ runId, report: null });
    expect(readdirSync(folder)).toEqual(['catalogue', 'runs']);
  });

  it('of each recording leaves a page that leads to the page of each run; rows alone on stdout', async () => {
    const out = scratchFolder();
    const { code, stdout, stderr } = await backtest('--json', '--each', RECORDINGS, '--out', out);
    expect(code).toBe(0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly runId: string });
    const [, page] = /^report {2}(.+)$/m.exec(stderr)!;
    const links = [...readFileSync(page!, 'utf8').matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link!);
    expect(links).toEqual(rows.map(({ runId }) => `../${runId}/report.html`));
    for (const link of links) expect(existsSync(join(dirname(page!), link))).toBe(true);
    expect(readdirSync(dirname(page!)).toSorted()).toEqual(['report-rows.csv', 'report.html', 'report.json']);
  });

  it.each(['1', '2'])(
    'ends with 130 on Ctrl-C on %s threads, and leaves nothing half-written',
    async (threads) => {
      const out = scratchFolder();
      const child = start('--out', out, '--threads', threads);
      interruptOnce(child, out);
      const { code, stderr } = await ended(child);
      expect([code, stderr]).toEqual([130, 'interrupted: nothing of this backtest is written\n']);
      expect(readdirSync(out)).toEqual([]);
    },
  );

  it('leaves the same run of before as it was when it is interrupted', async () => {
    const out = scratchFolder();
    const { stdout } = await backtest('--json', '--out', out);
    const folder = join(out, (JSON.parse(stdout) as { readonly runId: string }).runId);
    const files = () =>
      readdirSync(folder)
        .toSorted()
        .map((name) => `${name} ${fileHash(join(folder, name))}`);
    const before = files();
    const child = start('--out', out);
    interruptOnce(child, folder);
    expect((await ended(child)).code).toBe(130);
    expect(files()).toEqual(before);
  });

  it('ends with 2 and one sentence when the configuration or an override is wrong', async () => {
    const wrong = await backtest('--set', 'instances.rain.params.halfSpread=7', '--threads', '2');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/halfSpread/) as string });
    const unknown = await backtest('--set', 'instances.nobody.params.shares=1');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/has no item nobody/) as string });
    expect(unknown.stderr).not.toMatch(/\n\s+at /);
  });
});
