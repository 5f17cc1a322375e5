/** A sweep over a real Redis, its workers in this thread. */
import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RedisError } from '../../src/runs/sweep/redis/connection.js';
import { runSweep, type SweepOptions } from '../../src/runs/sweep/run-sweep.js';
import { UsageError } from '../../src/domain/errors.js';
import { hasRedis, startRedis } from '../support/process/redis-server.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';
import { startTestWorker } from '../support/backtest/sweep-worker.js';

const FILE = join(ROOT, 'config', 'sweep.yaml');
/** Two configurations on two windows, and the file as it is: which is one of the two. */
const SMALL = ['sweep.parameters={ instances.rain.params.halfSpread: ["0.02", "0.03"] }', 'sweep.windows=2'];
const JOBS = 4;

const sweep = (others: Partial<SweepOptions> = {}) =>
  runSweep({ file: FILE, environment: {}, overrides: SMALL, out: scratchFolder(), ...others });

const bytesOf = async (others: Partial<SweepOptions>) => readFileSync((await sweep(others)).file, 'utf8');

/** What a sweep fails with. */
const failureOf = async (others: Partial<SweepOptions>): Promise<unknown> =>
  sweep(others).then(
    () => null,
    (error: unknown) => error,
  );

async function command(url: string, ...words: readonly [string, ...string[]]): Promise<unknown> {
  const client = new Redis(url);
  const [name, ...rest] = words;
  const answer = await client.call(name, ...rest);
  client.disconnect();
  return answer;
}

describe.runIf(hasRedis)('a sweep over Redis', () => {
  it('gives the same bytes as in one thread, and leaves no job behind', async () => {
    const { url } = await startRedis();
    const { keys } = startTestWorker(url);
    expect(await bytesOf({ redis: url })).toBe(await bytesOf({}));
    expect(new Set(keys).size).toBe(JOBS);
    expect(keys).toHaveLength(JOBS);
    const left = (await command(url, 'KEYS', 'oddsmith:sweep:*')) as readonly string[];
    expect(left.filter((key) => /[0-9a-f]{64}/.test(key))).toEqual([]);
  });

  it('goes on with a Redis that was killed and has forgotten everything, and counts nothing twice', async () => {
    const first = await startRedis();
    const out = scratchFolder();
    const news: string[] = [];
    let killed: Promise<unknown> | null = null;
    startTestWorker(first.url, () => {
      killed ??= first.kill().then(() => startRedis([], first.port));
    });
    const bytes = await bytesOf({ redis: first.url, out, onNews: (text) => news.push(text) });
    expect(killed).not.toBeNull();
    expect(news).toContain(`the connection to Redis at ${first.url} is lost; trying again`);
    expect(news).toContain('Redis is back');
    expect(bytes).toBe(await bytesOf({}));
    expect(readFileSync(join(out, 'jobs.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(JOBS);
  });

  it('says why a job failed that failed on every worker', async () => {
    const { url } = await startRedis();
    startTestWorker(url, (job) => job.updateData({ ...job.data, version: '0.0.0' }));
    const failure = await failureOf({ redis: url });
    expect(String(failure)).toContain('the sweep was started by version 0.0.0 of the program');
  });

  it.each([
    ['redis://127.0.0.1:', [], 'wants a password'],
    [
      'redis://:wrong-word@127.0.0.1:',
      ['--requirepass', 'right-word'],
      'refuses the user name or the password',
    ],
    ['redis://somebody:wrong-word@127.0.0.1:', [], 'refuses the user name or the password'],
  ])('says at once that Redis does not let it in: %s', async (url, settings, text) => {
    const { port } = await startRedis(settings.length > 0 ? settings : ['--requirepass', 'right-word']);
    const failure = await failureOf({ redis: `${url}${port}` });
    expect(failure).toBeInstanceOf(RedisError);
    expect((failure as Error).message).toContain(`Redis at redis://127.0.0.1:${port} ${text}`);
    expect((failure as Error).stack).not.toContain('-word');
  });

  it('says that Redis is not there, or full', async () => {
    const { url, kill } = await startRedis();
    await command(url, 'CONFIG', 'SET', 'maxmemory', '1');
    const full = await failureOf({ redis: url });
    expect(full).toBeInstanceOf(RedisError);
    expect((full as Error).message).toMatch(/has no memory left \(maxmemory\)/);
    await kill();
    const away = await failureOf({ redis: url.replace('redis://', 'redis://:secret-word@') });
    expect(away).toBeInstanceOf(RedisError);
    expect((away as Error).message).toBe(`Redis at ${url} cannot be reached (ECONNREFUSED)`);
  });

  it('takes back what waits when it is stopped, and goes on from there', async () => {
    const { url } = await startRedis();
    const [out, stop] = [scratchFolder(), new AbortController()];
    const worker = startTestWorker(url, () => {
      if (worker.keys.length > 1) stop.abort();
      if (stop.signal.aborted) throw new Error('not this one');
    });
    const failure = await failureOf({ redis: url, out, stop: stop.signal });
    expect(failure).toMatchObject({ code: 'ODDSMITH_INTERRUPTED' });
    expect((failure as Error).message).toMatch(/^interrupted: 1 of 4 backtests are finished/);
    const waiting = (await command(url, 'LLEN', 'oddsmith:sweep:wait')) as number;
    expect(waiting).toBeLessThanOrEqual(1);
    const plans: (readonly [number, number])[] = [];
    const bytes = await bytesOf({ out, onPlan: (jobs, before) => void plans.push([jobs, before]) });
    expect(plans).toEqual([[JOBS, 1]]);
    expect(bytes).toBe(await bytesOf({}));
  });

  it('refuses what is no address of a Redis without repeating it', async () => {
    for (const redis of ['http://:secret@host', 'redis://:secret@host:6379/x', 'secret', 'redis://']) {
      const failure = await failureOf({ redis });
      expect(failure).toBeInstanceOf(UsageError);
      expect((failure as Error).message).toMatch(/expects redis:\/\//);
      expect((failure as Error).message).not.toContain('secret');
    }
  });
});
