import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountScopes, noteOwner } from '../../../../src/ops/state/account-scopes.js';
import { readCautions } from '../../../../src/ops/state/caution-file.js';
import { readEnded } from '../../../../src/ops/state/ended-file.js';
import { clearFence, resumeFromOutside } from '../../../../src/ops/guard/reset.js';
import { readKept } from '../../../../src/ops/state/kept-state.js';
import { FencedError } from '../../../../src/ops/state/latches.js';
import {
  forgetKillsElsewhere,
  requireNoFenceElsewhere,
  takeOverLatches,
} from '../../../../src/ops/state/other-latches.js';
import { botLockOf, statePathsOf, type StatePaths } from '../../../../src/ops/state/state-paths.js';
import { UserKill } from '../../../../src/ops/state/user-kills.js';
import { WindowFile } from '../../../../src/ops/state/window-file.js';
import { UsageError } from '../../../../src/domain/errors.js';
import { accountId } from '../../../../src/domain/ids.js';
import { micros } from '../../../../src/domain/units.js';
import { NO_CAUTIONS } from '../../../../src/core/risk/index.js';
import { HeartbeatFile, readHeartbeatText } from '../../../../src/storage/state/heartbeat-file.js';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { makeFolder } from '../../../../src/storage/files/whole-files.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

beforeEach(() => void vi.stubEnv('XDG_STATE_HOME', scratchFolder()));
afterEach(() => vi.unstubAllEnvs());

const quiet = (): void => undefined;
const LOGGER = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const RECORD = { reason: 'it burns', at: '2024-01-01T00:00:00.000Z' };
const HERE = 'http://one.example';

/** A folder of state on which bots with several keys and names ran. */
class Office {
  readonly stateDir = scratchFolder();

  settings(publicKey: string, name = 'house', baseUrl = HERE) {
    const venue = { name, baseUrl, publicKey };
    return { stateDir: this.stateDir, currencyMode: 'play_money', venue } as never;
  }

  paths(publicKey: string, name = 'house', baseUrl = HERE): StatePaths {
    const { stateDir } = this;
    return statePathsOf({ stateDir, currencyMode: 'play_money' }, { name, baseUrl, publicKey });
  }

  lock(account: number, baseUrl = HERE): string {
    const { stateDir } = this;
    return botLockOf({ stateDir, currencyMode: 'play_money' }, { baseUrl }, accountId(account));
  }

  /** A bot of the account ran with this key. */
  ran(paths: StatePaths, account = 1, baseUrl = HERE): StatePaths {
    const lock = basename(this.lock(account, baseUrl));
    new HeartbeatFile(paths.heartbeat, { runId: 'a', account, lock }).end('invariant');
    return paths;
  }

  scopes(publicKey: string, account: number, name = 'house') {
    return accountScopes(this.settings(publicKey, name), { name, baseUrl: HERE, publicKey }, account);
  }

  /** A bot of the account starts with this key. */
  starts(publicKey: string, account = 1, name = 'house'): StatePaths {
    const own = this.paths(publicKey, name);
    const scopes = this.scopes(publicKey, account, name);
    const lock = this.lock(account);
    requireNoFenceElsewhere(own, scopes.others, { lock, file: 'bot.yaml' });
    takeOverLatches({ own, lock, logger: LOGGER }, scopes);
    return this.ran(own, account);
  }
}

function written(path: string, content: unknown): void {
  makeFolder(dirname(path));
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

describe('a kill that was latched', () => {
  it('with another key of the account moves into the state of this one, with its reason and place', () => {
    const office = new Office();
    const old = office.ran(office.paths('pk_old'));
    new LatchFile(old.kill).raise(RECORD);
    const own = office.starts('pk_new', 1, 'mine');
    expect(new LatchFile(own.kill).read()).toEqual({
      reason: `it burns (found at ${old.kill})`,
      at: RECORD.at,
    });
    expect(existsSync(old.kill)).toBe(false);
  });

  it('with a key that nobody knows holds here, and where it is', () => {
    const office = new Office();
    const unknown = office.paths('pk_unknown');
    new LatchFile(unknown.kill).raise(RECORD);
    const own = office.starts('pk_new');
    expect([new LatchFile(own.kill).isUp, new LatchFile(unknown.kill).isUp]).toEqual([true, true]);
    // The command names what it resets.
    expect(resumeFromOutside(office.settings('pk_new'), 'bot.yaml')).toEqual([own.kill, unknown.kill]);
    office.starts('pk_new');
    expect(new LatchFile(own.kill).isUp).toBe(false);
  });

  it.each([
    ['of another account', (office: Office) => office.ran(office.paths('pk_other'), 2)],
    [
      'of another venue',
      (office: Office) =>
        office.ran(office.paths('pk_other', 'house', 'http://two.example'), 1, 'http://two.example'),
    ],
    [
      'of another venue at which no bot ever ran',
      (office: Office) => {
        const paths = office.paths('pk_other', 'house', 'http://two.example');
        noteOwner(paths, 'two.example-play_money-account-');
        return paths;
      },
    ],
    ['of a demo', (office: Office) => office.ran(office.paths('pk_maker', 'bundled'))],
  ])('%s holds nobody back here', (_, made) => {
    const office = new Office();
    const other = made(office);
    new LatchFile(other.kill).raise(RECORD);
    new LatchFile(other.fence).raise(RECORD);
    const own = office.starts('pk_new');
    expect(new LatchFile(own.kill).isUp).toBe(false);
    expect(resumeFromOutside(office.settings('pk_new'), 'bot.yaml')).toEqual([]);
    expect(new LatchFile(other.kill).isUp).toBe(true);
  });

  it('is reset with a file whose key no bot ever ran with, when one account alone is known', () => {
    const office = new Office();
    const old = office.ran(office.paths('pk_old'));
    new LatchFile(old.kill).raise(RECORD);
    expect(resumeFromOutside(office.settings('pk_new'), 'bot.yaml')).toEqual([old.kill]);
  });

  it('is not reset with such a file when it may be of one account or another', () => {
    const office = new Office();
    const old = office.ran(office.paths('pk_old'));
    office.ran(office.paths('pk_other'), 2);
    new LatchFile(old.kill).raise(RECORD);
    const reset = () => resumeFromOutside(office.settings('pk_new'), 'bot.yaml');
    expect(reset).toThrow(UsageError);
    expect(reset).toThrow(`${old.kill} may be of the account`);
    expect(new LatchFile(old.kill).isUp).toBe(true);
  });

  it('of a demo is reset with its file, wherever its exchange listened', () => {
    const office = new Office();
    const demo = office.paths('pk_maker', 'bundled', 'http://127.0.0.1:4100');
    new LatchFile(demo.kill).raise(RECORD);
    const settings = { stateDir: office.stateDir, currencyMode: 'play_money', venue: null } as const;
    expect(resumeFromOutside(settings, 'demo.yaml')).toEqual([demo.kill]);
  });
});

describe('a kill that was latched in another folder', () => {
  /** As `oddsmith kill` and a bot that runs do. */
  function kill(paths: StatePaths): void {
    new LatchFile(paths.kill).raise(RECORD);
    new UserKill(paths, 'one.example-play_money-account-').raise(RECORD);
  }
  const isKilled = (paths: StatePaths): boolean => new LatchFile(paths.kill).isUp;

  it.each([
    ['with the same key', (there: Office) => there.paths('pk')],
    ['with another key of the account', (there: Office) => there.ran(there.paths('pk_old'))],
    ['with a key that nobody knows', (there: Office) => there.paths('pk_unknown')],
  ])('%s holds here, and is reset from here', (_, made) => {
    const [there, here] = [new Office(), new Office()];
    const latched = made(there);
    kill(latched);
    const own = here.starts('pk');
    expect(new LatchFile(own.kill).read()?.reason).toBe(`it burns (found at ${latched.kill})`);
    expect(resumeFromOutside(here.settings('pk'), 'bot.yaml')).toEqual([own.kill, latched.kill]);
    expect([isKilled(here.starts('pk')), isKilled(latched)]).toEqual([false, false]);
  });

  it('is reset from a third one, in which nothing ever was', () => {
    const [there, third] = [new Office(), new Office()];
    const latched = there.paths('pk');
    kill(latched);
    expect(resumeFromOutside(third.settings('pk'), 'bot.yaml')).toEqual([latched.kill]);
    expect(isKilled(new Office().starts('pk'))).toBe(false);
  });

  it('holds though that folder was swept, and is known by what the user has', () => {
    const [there, here] = [new Office(), new Office()];
    const latched = there.paths('pk');
    kill(latched);
    rmSync(there.stateDir, { recursive: true });
    const { path } = new UserKill(latched, 'one.example-play_money-account-');
    const own = here.starts('pk');
    expect(new LatchFile(own.kill).read()?.reason).toBe(`it burns (found at ${path})`);
    expect(resumeFromOutside(here.settings('pk'), 'bot.yaml')).toEqual([own.kill, path]);
    expect(isKilled(here.starts('pk'))).toBe(false);
  });

  it('holds though there was no room to tell where', () => {
    const latched = new Office().paths('pk');
    const { path } = new UserKill(latched, 'one.example-play_money-account-');
    written(path, '');
    const here = new Office();
    expect(isKilled(here.starts('pk'))).toBe(true);
    resumeFromOutside(here.settings('pk'), 'bot.yaml');
    expect(isKilled(here.starts('pk'))).toBe(false);
  });

  it('of another account holds nobody back here, and is not reset', () => {
    const [there, here] = [new Office(), new Office()];
    const latched = there.ran(there.paths('pk_other'), 2);
    kill(latched);
    expect(isKilled(here.starts('pk'))).toBe(false);
    expect(resumeFromOutside(here.settings('pk'), 'bot.yaml')).toEqual([]);
    expect(isKilled(latched)).toBe(true);
  });

  it('is forgotten when a bot of the account is resumed, that of a key that nobody knows is not', () => {
    const [there, here] = [new Office(), new Office()];
    const [ours, unknown] = [there.paths('pk'), there.paths('pk_unknown')];
    [ours, unknown].forEach(kill);
    here.starts('pk');
    forgetKillsElsewhere(here.scopes('pk', 1), LOGGER);
    expect([isKilled(ours), isKilled(unknown)]).toEqual([false, true]);
    expect(here.scopes('pk', 1).kills.map(({ paths }) => paths?.kill)).toEqual([unknown.kill]);
  });
});

describe('a fence that stands for another key of the account', () => {
  it('keeps a bot out, says where it is, and is cleared with the file of the new key', () => {
    const office = new Office();
    const old = office.ran(office.paths('pk_old'));
    office.ran(office.paths('pk_other'), 2);
    new LatchFile(old.fence).raise(RECORD);
    expect(() => office.starts('pk_new')).toThrow(FencedError);
    expect(() => office.starts('pk_new')).toThrow(`(${old.fence}): it burns`);
    const settings = office.settings('pk_new');
    expect(clearFence(settings, 'bot.yaml')).toBe('unproved');
    expect(clearFence(settings, 'bot.yaml', 'unproved')).toBe('cleared');
    expect(readHeartbeatText(old.accepted)).toBe(readHeartbeatText(old.heartbeat));
    office.starts('pk_new');
  });

  it('is not raised later for what a bot of the new key took over', () => {
    const office = new Office();
    const old = office.ran(office.paths('pk_old'));
    expect(readHeartbeatText(old.accepted)).toBeNull();
    office.starts('pk_new');
    expect(readHeartbeatText(old.accepted)).toBe(readHeartbeatText(old.heartbeat));
  });
});

describe('what guards latched and counted with another key of the account', () => {
  const LOSS = { currency: 'OOM', lost: 30, fell: 40 } as const;
  const CAUTIONS = { ...NO_CAUTIONS, reversed: [11], losses: [LOSS] };
  const fill = (at: number) => ({
    kind: 'fill',
    fill: { at, eventId: 1, marketId: 11, side: 'bid', position: 'long', shares: 1, amount: 1 },
  });
  const lines = (...news: readonly object[]): string =>
    news.map((one) => `${JSON.stringify(one)}\n`).join('');

  it('counts on with what this one holds, once', () => {
    const office = new Office();
    const [old, own] = [office.ran(office.paths('pk_old')), office.paths('pk_new')];
    written(old.cautions, CAUTIONS);
    written(own.cautions, { ...NO_CAUTIONS, losses: [{ ...LOSS, lost: 5, fell: 5 }] });
    written(old.ended, [{ marketId: 11, resolution: 'long' }]);
    written(own.ended, [{ marketId: 12, resolution: null }]);
    written(old.windows, lines(fill(5), fill(3)));
    written(own.windows, lines({ kind: 'forgotten' }, fill(3), fill(4)));
    office.starts('pk_new');
    office.starts('pk_new');
    expect(readCautions(own.cautions)).toMatchObject({
      reversed: [11],
      losses: [{ currency: 'OOM', lost: 35, fell: 45 }],
    });
    expect(readEnded(own.ended).map(({ marketId }) => marketId)).toEqual([12, 11]);
    const clock = { now: () => micros(10) };
    const windows = new WindowFile({ path: own.windows, clock, logger: LOGGER, keepMs: 1 });
    expect(windows.found.fills.map(({ at }) => at)).toEqual([3, 4, 5]);
    expect([old.cautions, old.ended, old.windows].map((path) => existsSync(path))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('counts losses to the last unit, as far as the windows tell them beyond what was written durably', () => {
    const office = new Office();
    const [old, own] = [office.ran(office.paths('pk_old')), office.paths('pk_new')];
    const lost = (amount: number) => [{ currency: 'OOM', lost: amount, fell: 0 }];
    const told = (noted: readonly object[], amount: number) =>
      lines({ kind: 'losses', noted, losses: lost(amount) });
    const keptHere = () => {
      const windows = new WindowFile({
        path: own.windows,
        clock: { now: () => micros(10) },
        logger: LOGGER,
        keepMs: 1,
      });
      return readKept(own, windows).cautions?.losses;
    };
    written(own.cautions, { ...NO_CAUTIONS, losses: lost(100) });
    written(own.windows, told(lost(100), 101));
    written(old.windows, told([], 7));
    office.starts('pk_new');
    expect(keptHere()).toEqual(lost(108));
    const older = office.ran(office.paths('pk_older'));
    written(older.windows, fill(2));
    office.starts('pk_new');
    expect(keptHere()).toEqual(lost(108));
    written(older.cautions, { ...NO_CAUTIONS, losses: lost(1_000) });
    written(older.windows, told(lost(1_000), 1_002));
    office.starts('pk_new');
    expect(keptHere()).toEqual(lost(1_110));
  });

  it('stays where it is when it cannot be read, and the bot does not begin', () => {
    const office = new Office();
    const old = office.ran(office.paths('pk_old'));
    written(old.cautions, 'x');
    expect(() => office.starts('pk_new')).toThrow(old.cautions);
    expect(readFileSync(old.cautions, 'utf8')).toBe('x');
  });
});
