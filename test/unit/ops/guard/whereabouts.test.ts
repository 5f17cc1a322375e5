import { utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Whereabouts } from '../../../../src/ops/guard/whereabouts.js';
import { statePathsOf, type StatePaths } from '../../../../src/ops/state/state-paths.js';
import { HeartbeatFile } from '../../../../src/storage/state/heartbeat-file.js';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

beforeEach(() => void vi.stubEnv('XDG_STATE_HOME', scratchFolder()));
afterEach(() => vi.unstubAllEnvs());

const venueOf = (publicKey: string) => ({ name: 'house', baseUrl: 'http://one.example', publicKey });

function scene() {
  const settings = { stateDir: scratchFolder(), currencyMode: 'play_money' } as const;
  const said: string[] = [];
  const guardOf = (publicKey: string) =>
    new Whereabouts({ settings, venue: venueOf(publicKey), tell: ({ kind }) => void said.push(kind) });
  const paths = (publicKey: string): StatePaths => statePathsOf(settings, venueOf(publicKey));
  /** A bot of the account beat with this key so many seconds after the epoch, and may have ended since. */
  const beat = (publicKey: string, atS: number, { account = 1, outcome = '' } = {}): StatePaths => {
    const its = paths(publicKey);
    const lock = `one.example-play_money-account-${account}.lock`;
    const heartbeat = new HeartbeatFile(its.heartbeat, { runId: publicKey, account, lock });
    if (outcome !== '') heartbeat.end(outcome);
    utimesSync(its.heartbeat, atS, atS);
    return its;
  };
  return { guardOf, paths, beat, said };
}

describe('a guard whose own bot is not there', () => {
  it('looks after that of another key of the account, and comes home when one runs there', () => {
    const { guardOf, beat, paths } = scene();
    const guard = guardOf('pk_new');
    expect(guard.now(1)).toEqual(paths('pk_new'));
    const other = beat('pk_old', 10);
    expect(guard.now(1)).toEqual(other);
    beat('pk_old', 11, { outcome: 'clean' });
    expect(guard.now(1)).toEqual(other);
    expect(guard.now(1)).toEqual(other);
    const home = beat('pk_new', 12);
    expect(guard.now(1)).toEqual(home);
    guard.release();
  });

  it.each([
    ['of another account', { account: 2 }, 1],
    ['of any account of several, while the venue has not told whose the keys are', { account: 2 }, null],
    ['that ended clean', { outcome: 'clean' }, 1],
  ])('leaves one alone %s', (_, how, account) => {
    const { guardOf, beat, paths } = scene();
    beat('pk_first', 5, { outcome: 'clean' });
    beat('pk_old', 10, how);
    expect(guardOf('pk_new').now(account)).toEqual(paths('pk_new'));
  });

  it('leaves one alone that died before a bot ran with its own key, but no fence', () => {
    const { guardOf, beat, paths } = scene();
    const old = beat('pk_old', 10);
    beat('pk_new', 20, { outcome: 'clean' });
    const guard = guardOf('pk_new');
    expect(guard.now(1)).toEqual(paths('pk_new'));
    new LatchFile(old.fence).raise({ reason: 'silence', at: 'then' });
    expect(guard.now(1)).toEqual(old);
  });

  it('says once that another guard is there already', () => {
    const { guardOf, beat, paths, said } = scene();
    beat('pk_old', 10);
    const first = guardOf('pk_old');
    const second = guardOf('pk_new');
    expect([second.now(1), second.now(1)]).toEqual([paths('pk_new'), paths('pk_new')]);
    expect(said).toEqual(['other-guard']);
    first.release();
    expect(second.now(1)).toEqual(paths('pk_old'));
  });
});
