import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearFence, resumeFromOutside } from '../../../../src/ops/guard/resume.js';
import { accountPaths, learnAccount, type StatePaths } from '../../../../src/ops/state/account-folder.js';
import { UsageError } from '../../../../src/domain/errors.js';
import { accountId } from '../../../../src/domain/ids.js';
import { HeartbeatFile, readHeartbeatText } from '../../../../src/storage/state/heartbeat-file.js';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

beforeEach(() => void vi.stubEnv('XDG_STATE_HOME', scratchFolder()));
afterEach(() => vi.unstubAllEnvs());

const RECORD = { reason: 'it burns', at: '2024-01-01T00:00:00.000Z' };
const raise = (path: string | null): unknown => new LatchFile(path!).raise(RECORD);
const isUp = (path: string | null): boolean => new LatchFile(path!).isUp;

/** A state folder on which bots with several keys ran. */
class Office {
  readonly stateDir = scratchFolder();

  settings(publicKey: string, baseUrl = 'http://one.example') {
    const venue = { name: 'house', baseUrl, publicKey };
    return { stateDir: this.stateDir, currencyMode: 'play_money', venue } as never;
  }

  ran(publicKey: string, account = 1, baseUrl = 'http://one.example'): StatePaths {
    return learnAccount(this.settings(publicKey), { baseUrl, publicKey }, accountId(account));
  }

  unknown(): StatePaths {
    return accountPaths(this.settings('pk'), { baseUrl: 'http://one.example', publicKey: 'pk' }, null);
  }

  resume(publicKey: string): readonly string[] {
    return resumeFromOutside(this.settings(publicKey), 'bot.yaml');
  }
}

describe('a kill', () => {
  it('is reset in its folder and among the files of the user, from any folder', () => {
    const [first, second] = [new Office(), new Office()];
    const paths = first.ran('pk');
    raise(paths.kill);
    raise(paths.killCopy);
    expect(second.resume('pk')).toEqual([paths.kill]);
    expect([isUp(paths.kill), isUp(paths.killCopy)]).toEqual([false, false]);
  });

  it('that only the user has is reset, and named', () => {
    const office = new Office();
    const { killCopy } = office.ran('pk');
    raise(killCopy);
    expect(office.resume('pk')).toEqual([killCopy]);
  });

  it('of an account that nobody knew is reset, too', () => {
    const office = new Office();
    office.ran('pk');
    raise(office.unknown().kill);
    expect(office.resume('pk')).toEqual([office.unknown().kill]);
  });

  it.each([
    ['another account', 2, 'http://one.example'],
    ['another venue', 1, 'http://two.example'],
  ])('of %s is left alone', (_, account, baseUrl) => {
    const office = new Office();
    office.ran('pk');
    const other = office.ran('pk_other', account, baseUrl);
    raise(other.kill);
    expect(office.resume('pk')).toEqual([]);
    expect(isUp(other.kill)).toBe(true);
  });

  it('is reset with a key that no bot ran with, when one account alone is known', () => {
    const office = new Office();
    const { kill } = office.ran('pk_old');
    raise(kill);
    expect(office.resume('pk_new')).toEqual([kill]);
  });

  it('is not reset with such a key when it may be of one account or another', () => {
    const office = new Office();
    const { kill } = office.ran('pk_old');
    office.ran('pk_other', 2);
    raise(kill);
    expect(() => office.resume('pk_new')).toThrow(UsageError);
    expect(() => office.resume('pk_new')).toThrow(`${kill} may be of the account`);
    expect(isUp(kill)).toBe(true);
  });

  it('of a demo is reset with its file, wherever its exchange listened', () => {
    const { stateDir } = new Office();
    const settings = { stateDir, currencyMode: 'play_money', venue: null } as const;
    const venue = { baseUrl: 'http://127.0.0.1:4100', publicKey: 'pk_maker' };
    const { kill } = learnAccount(settings, venue, accountId(1));
    raise(kill);
    expect(resumeFromOutside(settings, 'demo.yaml')).toEqual([kill]);
  });
});

it('a fence is cleared with another key of the account', () => {
  const office = new Office();
  const paths = office.ran('pk_old');
  new HeartbeatFile(paths.heartbeat, { runId: 'a', account: '1' }).end('invariant');
  raise(paths.fence);
  expect(() => office.resume('pk_new')).toThrow('oddsmith guard clear bot.yaml');
  expect(clearFence(office.settings('pk_new'), 'bot.yaml')).toBe('unproved');
  expect(clearFence(office.settings('pk_new'), 'bot.yaml', 'unproved')).toBe('cleared');
  expect(readHeartbeatText(paths.accepted)).toBe(readHeartbeatText(paths.heartbeat));
});
