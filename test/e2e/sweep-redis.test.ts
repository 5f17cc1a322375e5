/** A sweep over Redis as people run it: the built command, workers in processes of their own, one of them killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PREFIX, QUEUE } from '../../src/runs/sweep/redis/job-taker.js';
import { hasRedis, startRedis } from '../support/process/redis-server.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const COMMAND = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const FILE = join(ROOT, 'config', 'sweep.yaml');
const PASSWORD = 'a-password-of-redis';
/** Four configurations, one of them the file as it is, on two windows. */
const SMALL = [
  '--json',
  '--set=sweep.parameters={ instances.rain.params.halfSpread: ["0.01", "0.02", "0.03", "0.04"] }',
  '--set=sweep.windows=2',
  `--set=stateDir=${join(tmpdir(), 'oddsmith-sweeps')}`,
];
const JOBS = 8;

class Command {
  private said = '';
  private readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  private readonly heard = new Set<() => void>();
  result = '';

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [COMMAND, 'sweep', ...args]);
    this.child.stdout!.on('data', (text) => (this.result += text));
    this.child.stderr!.on('data', (text) => {
      this.said += text;
      for (const check of this.heard) check();
    });
    this.exit = new Promise((resolve) => this.child.once('close', resolve));
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  /** Resolves when standard error matches; rejects when the command ends before. */
  says(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => void (pattern.test(this.said) && resolve());
      this.heard.add(check);
      check();
      void this.exit.then(() => reject(new Error(`ended without saying ${pattern}:\n${this.said}`)));
    });
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  get complaint(): string {
    return this.said;
  }
}

/** A strategy file that shows so many shares. */
const strategyOf = (shares: number): string =>
  `import { param } from 'oddsmith/sdk';
  export default {
    name: 'own',
    params: { halfSpread: param.probability({ default: 0.02, help: 'from the middle' }) },
    quote: ({ params }) => ({ bids: [{ price: 0.4 - params.halfSpread, shares: ${shares}, reason: [] }], asks: [] }),
  };\n`;

/** The bytes of the result of a sweep that has ended well. */
async function bytesOf(sweep: Command): Promise<string> {
  expect(await sweep.exit, sweep.complaint).toBe(0);
  const { file } = JSON.parse(sweep.result) as { readonly file: string };
  return readFileSync(file, 'utf8');
}

const keysIn = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly key: string }).key);

const worker = (redis: string, ...args: string[]): Command =>
  new Command('worker', '--redis', redis, '--stalled-after', '2s', ...args);

/** A queue to look into. */
function queueAt(url: string): Queue {
  const client = new Redis(url, { maxRetriesPerRequest: null });
  onTestFinished(() => client.disconnect());
  return new Queue(QUEUE, { prefix: PREFIX, connection: client });
}

describe.runIf(hasRedis)('oddsmith sweep --redis', () => {
  it('loses nothing and counts nothing twice when a worker is killed in the middle', async () => {
    const { port } = await startRedis(['--requirepass', PASSWORD]);
    const redis = `redis://:${PASSWORD}@127.0.0.1:${port}`;
    const out = scratchFolder();
    const sweep = new Command(FILE, ...SMALL, '--out', out, '--redis', redis);
    await sweep.says(/no worker is there/);
    const killed = worker(redis);
    await killed.says(/2 backtests done/);
    killed.signal('SIGKILL');
    await killed.exit;
    expect(await queueAt(redis).getActiveCount()).toBe(1);
    const other = worker(redis, '--threads', '2');
    const bytes = await bytesOf(sweep);
    expect(other.complaint).toMatch(/went silent/);
    other.signal('SIGTERM');
    expect(await other.exit).toBe(0);
    expect(bytes).toBe(
      await bytesOf(new Command(FILE, ...SMALL, '--out', scratchFolder(), '--threads', '2')),
    );
    const keys = keysIn(join(out, 'jobs.ndjson'));
    expect(new Set(keys).size).toBe(JOBS);
    expect(keys).toHaveLength(JOBS);
    for (const { complaint } of [sweep, killed, other]) expect(complaint).not.toContain(PASSWORD);
  });

  it('screens and confirms over Redis as in threads, and counts nothing twice when a worker is killed', async () => {
    const { url } = await startRedis();
    const two = '--set=sweep.parameters={ instances.rain.params.halfSpread: ["0.02", "0.03"] }';
    const screen = [FILE, '--json', two, '--set=sweep.windows=4', '--screen', '--confirm', '1'];
    const resultOf = async (sweep: Command): Promise<object> => {
      expect(await sweep.exit, sweep.complaint).toBe(0);
      const {
        file: _file,
        page: _page,
        seconds: _seconds,
        ...result
      } = JSON.parse(sweep.result) as Record<string, unknown>;
      return result;
    };
    const sweep = new Command(...screen, '--out', scratchFolder(), '--redis', url);
    await sweep.says(/no worker is there/);
    const killed = worker(url);
    await killed.says(/2 backtests done/);
    killed.signal('SIGKILL');
    await killed.exit;
    const other = worker(url);
    const result = await resultOf(sweep);
    expect(other.complaint).toMatch(/went silent/);
    other.signal('SIGTERM');
    await other.exit;
    expect(result).toEqual(await resultOf(new Command(...screen, '--out', scratchFolder())));
    expect(result).toMatchObject({ screened: 2, confirmed: 1 });
  });

  it('has a worker with another recording refuse, and the others do its part', async () => {
    const { url } = await startRedis();
    const folder = scratchFolder();
    cpSync(join(ROOT, 'config'), folder, { recursive: true });
    appendFileSync(join(folder, 'recordings', 'synthetic-rain.ndjson.gz'), Buffer.alloc(8));
    const sweep = new Command(FILE, ...SMALL, '--out', scratchFolder(), '--redis', url);
    await sweep.says(/no worker is there/);
    const other = worker(url, '--folder', folder);
    expect(await other.exit).toBe(2);
    expect(other.complaint).toMatch(/synthetic-rain\.ndjson\.gz/);
    expect(other.complaint).not.toMatch(/\n\s+at /);
    await sweep.says(/worker \S+:\d+ refuses: /);
    worker(url);
    const bytes = await bytesOf(sweep);
    expect(bytes).toBe(await bytesOf(new Command(FILE, ...SMALL, '--out', scratchFolder())));
  });

  it('has a worker that loaded a strategy before it was edited hand its backtest back and end, and loses nothing', async () => {
    const { url } = await startRedis();
    const folder = scratchFolder();
    cpSync(join(ROOT, 'config'), folder, { recursive: true });
    const strategy = join(folder, 'own.js');
    const own = ['instances.rain.strategy=./own.js', 'instances.rain.params={ halfSpread: "0.02" }'];
    const given = [join(folder, 'sweep.yaml'), ...SMALL, ...own.map((text) => `--set=${text}`)];
    const begin = (out: string): Command => new Command(...given, '--out', out, '--redis', url);
    writeFileSync(strategy, strategyOf(10));
    const earlier = worker(url);
    const before = await bytesOf(begin(scratchFolder()));
    writeFileSync(strategy, strategyOf(20));
    const out = scratchFolder();
    const sweep = begin(out);
    expect(await earlier.exit, earlier.complaint).toBe(2);
    expect(earlier.complaint).toMatch(
      /the strategy file \S+own\.js, or one that it imports, has changed since this process loaded it; start it again/,
    );
    expect(earlier.complaint).not.toMatch(/\n\s+at /);
    await sweep.says(/worker \S+:\d+ refuses: the strategy file \S+own\.js/);
    worker(url);
    const bytes = await bytesOf(sweep);
    expect(bytes).not.toBe(before);
    expect(bytes).toBe(await bytesOf(new Command(...given, '--out', scratchFolder())));
    const keys = keysIn(join(out, 'jobs.ndjson'));
    expect([keys.length, new Set(keys).size]).toEqual([JOBS, JOBS]);
  });

  it('ends with 2 and one sentence when Redis cannot be used', async () => {
    const { port } = await startRedis(['--requirepass', PASSWORD]);
    for (const args of [[FILE, ...SMALL, '--out', scratchFolder()], ['worker']]) {
      const command = new Command(...args, '--redis', `redis://:another-word@127.0.0.1:${port}`);
      expect(await command.exit).toBe(2);
      expect(command.complaint).toContain(`Redis at redis://127.0.0.1:${port} refuses`);
      expect(command.complaint).not.toMatch(/another-word|\n\s+at /);
    }
  });
});
