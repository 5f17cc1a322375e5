import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GuardNews } from '../../../../src/ops/guard/guard-news.js';
import { latchKill } from '../../../../src/ops/guard/kill.js';
import { accountPaths, learnAccount, type StatePaths } from '../../../../src/ops/state/account-folder.js';
import { accountId } from '../../../../src/domain/ids.js';
import { micros } from '../../../../src/domain/units.js';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

beforeEach(() => void vi.stubEnv('XDG_STATE_HOME', scratchFolder()));
afterEach(() => vi.unstubAllEnvs());

const venueOf = (publicKey: string) => ({ name: 'house', baseUrl: 'http://one.example', publicKey }) as never;
const settingsIn = (stateDir: string) =>
  ({ stateDir, currencyMode: 'play_money', venue: venueOf('pk') }) as const;
const isUp = (path: string | null): boolean => new LatchFile(path!).isUp;

/** A bot of the account ran from a folder of its own. */
const ran = (account: number): StatePaths =>
  learnAccount(settingsIn(scratchFolder()), venueOf(`pk_${account}`), accountId(account));

/** @param me the account that the venue names; null: it does not answer */
async function kill(publicKey: string, { stateDir = scratchFolder(), me = null as number | null } = {}) {
  const news: GuardNews[] = [];
  const failure = { kind: 'not-sent', reason: 'no route' };
  const asked = vi.fn<() => Promise<never>>(() =>
    Promise.resolve((me === null ? { ok: false, failure } : { ok: true, value: { id: me } }) as never),
  );
  const settings = settingsIn(stateDir);
  const venue = venueOf(publicKey);
  const places = await latchKill({
    settings,
    venue,
    rest: { me: asked },
    clock: new VirtualClock(micros(1)),
    tell: (one) => news.push(one),
  });
  const unknown = accountPaths(settings, venue, null);
  return { places, news, asks: asked.mock.calls.length, unknown };
}

describe('a kill of an account that is known', () => {
  it('stands in its folder, wherever that is, and among the files of the user, and asks nobody', async () => {
    const paths = ran(1);
    const { places, news, asks } = await kill('pk_1');
    expect([places[0]!.folder, asks]).toEqual([paths.folder, 0]);
    expect([isUp(paths.kill), isUp(paths.killCopy)]).toEqual([true, true]);
    expect(news).toEqual([{ kind: 'kill-latched', path: paths.kill }]);
    expect((await kill('pk_1')).news).toEqual([]);
  });

  it('stands among the files of the user where its own folder takes no files, and that is said', async () => {
    const stateDir = '/proc/none';
    learnAccount(settingsIn(stateDir), venueOf('pk_1'), accountId(1));
    const { places, news } = await kill('pk_1', { stateDir, me: 1 });
    expect(places[0]!.kill).toContain('/proc/none');
    expect(isUp(places[0]!.killCopy)).toBe(true);
    expect(news).toContainEqual({ kind: 'kill-half', path: places[0]!.killCopy, error: expect.anything() });
  });

  it('stands in its folder where the user has no folder that takes files, and that is said', async () => {
    vi.stubEnv('XDG_STATE_HOME', '/proc/none');
    const stateDir = scratchFolder();
    const { kill: path } = learnAccount(settingsIn(stateDir), venueOf('pk_1'), accountId(1));
    const { news } = await kill('pk_1', { stateDir });
    expect(isUp(path)).toBe(true);
    expect(news).toMatchObject([
      { kind: 'kill-half', path },
      { kind: 'kill-latched', path },
    ]);
  });

  it('stands nowhere where neither takes files, and both are said', async () => {
    vi.stubEnv('XDG_STATE_HOME', '/proc/none');
    const { news } = await kill('pk_1', { stateDir: '/proc/none' });
    expect(news.map(({ kind }) => kind)).toEqual(['disk', 'disk']);
  });
});

describe('a kill with a key that nobody knows', () => {
  it('latches the account that the venue names, and no other', async () => {
    const [ours, theirs] = [ran(1), ran(2)];
    const { unknown } = await kill('pk_new', { me: 1 });
    expect([ours, theirs].map((paths) => isUp(paths.kill))).toEqual([true, false]);
    expect([isUp(unknown.kill), isUp(unknown.killCopy)]).toEqual([false, false]);
  });

  it('latches every account of the venue, and the next ones, when that does not say whose it is', async () => {
    const all = [ran(1), ran(2)];
    const { unknown } = await kill('pk_new');
    expect(all.map((paths) => isUp(paths.kill))).toEqual([true, true]);
    expect([isUp(unknown.kill), isUp(unknown.killCopy)]).toEqual([true, true]);
  });
});
