import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GuardNews } from '../../../../src/ops/guard/guard-news.js';
import { latchBotsElsewhere, latchKill } from '../../../../src/ops/guard/kill-latch.js';
import { lockAccount } from '../../../../src/ops/state/account-lock.js';
import { botLockOf, statePathsOf, type StatePaths } from '../../../../src/ops/state/state-paths.js';
import { UserKill } from '../../../../src/ops/state/user-kills.js';
import { accountId } from '../../../../src/domain/ids.js';
import { micros } from '../../../../src/domain/units.js';
import { HeartbeatFile } from '../../../../src/storage/state/heartbeat-file.js';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { acquireLock } from '../../../../src/storage/state/lock-file.js';
import { makeFolder } from '../../../../src/storage/files/whole-files.js';
import { VirtualClock } from '../../../../src/storage/clocks/virtual-clock.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

beforeEach(() => void vi.stubEnv('XDG_STATE_HOME', scratchFolder()));
afterEach(() => vi.unstubAllEnvs());

const BASE_URL = 'http://one.example';
const settingsIn = (stateDir: string) => ({ stateDir, currencyMode: 'play_money' }) as const;

const locks = (): string => join(process.env['XDG_STATE_HOME']!, 'oddsmith', 'locks');

/** A bot that runs from a folder of its own. */
function running(account: number): StatePaths {
  const venue = { name: 'house', baseUrl: BASE_URL, publicKey: `pk_${account}` };
  const settings = { ...settingsIn(scratchFolder()), venue };
  const id = accountId(account);
  lockAccount(
    { settings, venue, logger: { warn: vi.fn<() => void>() } } as never,
    botLockOf(settings, venue, id),
    id,
  );
  return statePathsOf(settings, venue);
}

/** A kill with a key that no bot ran with. @param me the account that the venue names; null: it does not answer */
async function kill(me: number | null): Promise<readonly GuardNews[]> {
  const news: GuardNews[] = [];
  const failure = { kind: 'not-sent', reason: 'no route' };
  await latchBotsElsewhere({
    settings: settingsIn(scratchFolder()),
    venue: { name: 'mine', baseUrl: `${BASE_URL}/`, publicKey: 'pk_new' } as never,
    rest: {
      me: () =>
        Promise.resolve((me === null ? { ok: false, failure } : { ok: true, value: { id: me } }) as never),
    },
    clock: new VirtualClock(micros(1)),
    tell: (one) => news.push(one),
  });
  return news;
}

describe('a kill of a place', () => {
  const LOCKS = 'one.example-play_money-account-';

  function latched(stateDir: string) {
    const news: GuardNews[] = [];
    const place = statePathsOf(settingsIn(stateDir), { name: 'house', baseUrl: BASE_URL, publicKey: 'pk' });
    const path = latchKill(place, LOCKS, {
      clock: new VirtualClock(micros(1)),
      tell: (one) => news.push(one),
    });
    return { place, user: new UserKill(place, LOCKS), path, news };
  }

  it('stands there and with the user', () => {
    const { place, user, path, news } = latched(scratchFolder());
    expect([path, news, user.isUp]).toEqual([place.kill, [], true]);
  });

  it('stands with the user where its own folder takes no files, and that is said', () => {
    const { user, path, news } = latched('/proc/none');
    expect([path, user.isUp]).toEqual([user.path, true]);
    expect(news).toMatchObject([{ kind: 'kill-half', path: user.path }]);
  });

  it('stands there where the user has no folder that takes files, and that is said', () => {
    vi.stubEnv('XDG_STATE_HOME', '/proc/none');
    const { place, path, news } = latched(scratchFolder());
    expect(path).toBe(place.kill);
    expect(news).toMatchObject([{ kind: 'kill-half', path: place.kill }]);
  });

  it('stands nowhere where neither takes files, and both are said', () => {
    vi.stubEnv('XDG_STATE_HOME', '/proc/none');
    const { path, news } = latched('/proc/none');
    expect(path).toBeNull();
    expect(news.map(({ kind }) => kind)).toEqual(['disk', 'disk']);
  });
});

describe('a kill', () => {
  it('of a key that nobody knows stops the bot whose account the venue says it is of, and no other', async () => {
    const [ours, theirs] = [running(1), running(2)];
    expect(await kill(1)).toEqual([
      { kind: 'bot-killed', pid: process.pid, isRunning: true, path: ours.kill },
    ]);
    expect([ours, theirs].map((bot) => new LatchFile(bot.kill).isUp)).toEqual([true, false]);
  });

  it('of a key that nobody knows stops every bot at the venue when that does not say whose it is', async () => {
    const bots = [running(1), running(2)];
    expect(await kill(null)).toHaveLength(2);
    expect(bots.map((bot) => new LatchFile(bot.kill).isUp)).toEqual([true, true]);
  });

  it('holds for the next start of a bot that died elsewhere and left its lock', async () => {
    const stateDir = scratchFolder();
    const paths = statePathsOf(settingsIn(stateDir), { name: 'house', baseUrl: BASE_URL, publicKey: 'pk' });
    const lock = 'one.example-play_money-account-1.lock';
    const last = new HeartbeatFile(paths.heartbeat, { runId: 'a', account: 1, lock });
    last.end('invariant');
    const home = { folder: stateDir, scope: paths.scope };
    const dead = { pid: process.pid, identity: 'another', host: hostname(), what: 'house', home };
    makeFolder(locks());
    writeFileSync(join(locks(), lock), JSON.stringify(dead));
    expect(await kill(1)).toMatchObject([{ kind: 'bot-killed', isRunning: false, path: paths.kill }]);
    expect(new LatchFile(paths.kill).isUp).toBe(true);
  });

  it('says which process it does not reach when its lock does not tell where its state is', async () => {
    acquireLock(join(locks(), 'one.example-play_money-account-1.lock'), 'an earlier version');
    expect(await kill(1)).toEqual([{ kind: 'bot-unreached', pid: process.pid }]);
  });
});
