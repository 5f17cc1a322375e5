import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { GuardNews } from '../../../../src/ops/guard/guard-news.js';
import { runGuard } from '../../../../src/ops/guard/run-guard.js';
import { accountPaths, knownAccount, learnAccount } from '../../../../src/ops/state/account-folder.js';
import { UsageError } from '../../../../src/domain/errors.js';
import { accountId } from '../../../../src/domain/ids.js';
import { SystemClock } from '../../../../src/storage/clocks/system-clock.js';
import { acquireLock, LockHeldError } from '../../../../src/storage/state/lock-file.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { USER } from '../../venues/futuur/protocol/samples.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

/** @param knowsKeys whether the venue says that they are of account 1 */
async function venueUrl(knowsKeys: boolean): Promise<string> {
  const [status, body] = knowsKeys ? [200, USER] : [401, { error: 'InvalidHMACKey' }];
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function scene(stateDir: string, baseUrl = 'http://127.0.0.1:1') {
  const loaded = loadBotSettings('config/local.yaml', { ODDSMITH_PRIVATE_KEY: 'sk_maker' }).settings;
  const venue = { ...loaded.venue!, baseUrl };
  const settings = { ...loaded, stateDir, venue };
  const news: GuardNews[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const tell = (one: GuardNews): void => void news.push(one);
  const clock = new SystemClock();
  const run = () => runGuard({ settings, file: 'local.yaml', clock, tell, signal: stop.signal });
  const guarded = () => news.flatMap((one) => (one.kind === 'guarding' ? [one.path] : []));
  return { settings, venue, news, stop, run, guarded, kinds: () => news.map(({ kind }) => kind) };
}

it('a guard that may not write its files says which, and what to do', async () => {
  const stateDir = join(scratchFolder(), 'state');
  writeFileSync(stateDir, 'no folder');
  const failure: unknown = await scene(stateDir)
    .run()
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as Error).message).toMatch(
    /^a guard does not begin without its files in .*state \(ENOTDIR: /,
  );
});

it('a guard asks the venue whose the keys are, and looks after that account', async () => {
  vi.stubEnv('XDG_STATE_HOME', scratchFolder());
  const { run, stop, settings, venue, guarded } = scene(scratchFolder(), await venueUrl(true));
  const ended = run();
  await expect.poll(guarded).toEqual([accountPaths(settings, venue, accountId(1)).folder]);
  expect(knownAccount(settings, venue)).toBe('1');
  stop.abort();
  expect(await ended).toBe('idle');
});

it('a guard waits while nobody knows whose the keys are, until a bot has learned it', async () => {
  vi.stubEnv('XDG_STATE_HOME', scratchFolder());
  const { run, stop, settings, venue, guarded, kinds } = scene(scratchFolder(), await venueUrl(false));
  const ended = run();
  await expect.poll(kinds).toEqual(['waiting', 'keys-fail']);
  const { folder } = learnAccount(settings, venue, accountId(3));
  await expect.poll(guarded).toEqual([folder]);
  stop.abort();
  expect(await ended).toBe('idle');
});

it('a guard goes where the state of its account is now', async () => {
  vi.stubEnv('XDG_STATE_HOME', scratchFolder());
  const { run, stop, settings, venue, guarded } = scene(scratchFolder(), await venueUrl(false));
  const first = learnAccount(settings, venue, accountId(3));
  const ended = run();
  await expect.poll(guarded).toEqual([first.folder]);
  const second = learnAccount(settings, venue, accountId(4));
  await expect.poll(guarded).toEqual([first.folder, second.folder]);
  stop.abort();
  expect(await ended).toBe('idle');
});

it('an account has one guard', async () => {
  vi.stubEnv('XDG_STATE_HOME', scratchFolder());
  const { run, settings, venue } = scene(scratchFolder());
  const { guardLock } = learnAccount(settings, venue, accountId(1));
  acquireLock(guardLock, 'the guard');
  await expect(run()).rejects.toThrow(LockHeldError);
});
