import { mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { killBeforeStart, Latches, requireNoFence } from '../../../../src/ops/state/latches.js';
import { micros } from '../../../../src/domain/units.js';
import { KillSwitch } from '../../../../src/core/risk/kill-switch.js';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const RECORD = { reason: 'oddsmith kill', at: '2026-07-01T12:00:00.000Z' };

/** @param user whether a start from another folder is to know of a kill */
function scene({ hasUser = false } = {}) {
  const folder = scratchFolder();
  const killCopy = hasUser ? join(scratchFolder(), 'oddsmith', 'accounts', 'a.kill.json') : null;
  const paths = { fence: join(folder, 'fence.json'), kill: join(folder, 'kill.json'), killCopy };
  const user = new LatchFile(killCopy ?? join(folder, 'none.json'));
  const clock = new VirtualClock(micros(1_000_000));
  const killSwitch = new KillSwitch();
  const errors: string[] = [];
  const lifted: string[] = [];
  const lift = (how: string): void => {
    lifted.push(how);
    killSwitch.reset();
  };
  const quiet = (): void => undefined;
  const error = (text: string): void => void errors.push(text);
  const logger = { debug: quiet, info: quiet, warn: quiet, error };
  const latches = new Latches({
    paths,
    clock,
    logger,
    killed: () => killSwitch.state,
    kill: (reason) => void killSwitch.latch(reason, clock.now()),
    resume: () => lift('resume'),
    release: () => lift('release'),
  });
  const later = (): void => clock.advanceTo(micros(clock.now() + 250_000));
  return {
    paths,
    user,
    clock,
    logger,
    killSwitch,
    latches,
    errors,
    lifted,
    later,
    fence: new LatchFile(paths.fence),
    kill: new LatchFile(paths.kill),
  };
}

/** Nobody's word about the files in it. */
function sweep(folder: string, how: string): void {
  renameSync(folder, `${folder}-unmounted`);
  if (how === 'was made anew') mkdirSync(folder);
}

describe('the latches of a bot', () => {
  it('write down a switch that latched by itself, and know it again after a restart', () => {
    const { killSwitch, latches, kill } = scene();
    killSwitch.latch('loss limit', micros(1_000_000));
    latches.review();
    expect(kill.read()).toMatchObject({ reason: 'loss limit' });
    killSwitch.reset();
    latches.review();
    expect(killSwitch.state).toMatchObject({ reason: 'loss limit' });
  });

  it('kill when the file appears, and resume when a person removes it', () => {
    const { killSwitch, latches, kill } = scene();
    kill.raise(RECORD);
    latches.review();
    expect(killSwitch.state).toMatchObject({ reason: 'oddsmith kill' });
    latches.review();
    kill.clear();
    latches.review();
    expect(killSwitch.state).toBeNull();
    latches.review();
    expect(kill.isUp).toBe(false);
  });

  it('kill behind a fence exactly as long as it stands, and write no kill of their own', () => {
    const { killSwitch, latches, fence, kill } = scene();
    fence.raise(RECORD);
    latches.review();
    latches.review();
    expect(killSwitch.state).toMatchObject({ reason: 'a guard raised its fence' });
    expect(kill.isUp).toBe(false);
    fence.clear();
    latches.review();
    expect(killSwitch.state).toBeNull();
  });

  it('release when a fence is cleared: what else latched, a person has not accepted by that', () => {
    const { latches, fence, lifted } = scene();
    fence.raise(RECORD);
    latches.review();
    fence.clear();
    latches.review();
    expect(lifted).toEqual(['release']);
  });

  it('keep what a person kills behind a fence, when that is cleared and over a restart, until a person resumes', () => {
    const { killSwitch, latches, fence, kill, lifted } = scene();
    fence.raise(RECORD);
    latches.review();
    latches.latch('SIGUSR2');
    fence.clear();
    latches.review();
    expect(killSwitch.state).not.toBeNull();
    expect(kill.read()).toMatchObject({ reason: 'SIGUSR2' });
    expect(latches.clear()).toBe(true);
    expect(lifted).toEqual(['resume']);
  });

  it('stay killed when a fence is cleared and a kill was latched besides', () => {
    const { killSwitch, latches, fence, kill } = scene();
    fence.raise(RECORD);
    latches.review();
    kill.raise(RECORD);
    fence.clear();
    latches.review();
    expect(killSwitch.state).not.toBeNull();
    kill.clear();
    latches.review();
    expect(killSwitch.state).toBeNull();
  });

  it('do not let anybody resume behind a fence', () => {
    const { killSwitch, latches, fence } = scene();
    killSwitch.latch('POST /kill', micros(1_000_000));
    latches.review();
    fence.raise(RECORD);
    expect(latches.clear()).toBe(false);
    fence.clear();
    expect(latches.clear()).toBe(true);
    latches.review();
    expect(killSwitch.state).toBeNull();
  });

  it('object to orders by what stands when time has passed, a look within 50 ms serving', () => {
    const { latches, fence, kill, later } = scene();
    expect(latches.objection()).toBeNull();
    kill.raise(RECORD);
    expect(latches.objection()).toBeNull();
    later();
    expect(latches.objection()).toBe('killed');
    fence.raise(RECORD);
    later();
    expect(latches.objection()).toBe('fenced');
  });

  it('say once that a kill cannot be written down, and write it as soon as it can', () => {
    const { paths, killSwitch, latches, errors, kill } = scene();
    const folder = dirname(paths.kill);
    const elsewhere = join(scratchFolder(), 'unmounted');
    rmdirSync(folder);
    symlinkSync(elsewhere, folder);
    killSwitch.latch('SIGUSR2', micros(1_000_000));
    latches.review();
    latches.review();
    expect(errors).toEqual(['the kill switch cannot be written down; a restart would forget it']);
    mkdirSync(elsewhere);
    latches.review();
    expect(kill.read()).toMatchObject({ reason: 'SIGUSR2' });
  });

  it('hold what a person kills behind a fence though it cannot be written down, and write it once it can', () => {
    const { paths, killSwitch, latches, fence, kill } = scene();
    fence.raise(RECORD);
    latches.review();
    const unwritable = vi.spyOn(LatchFile.prototype, 'raise').mockImplementation(() => {
      throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    });
    onTestFinished(() => unwritable.mockRestore());
    latches.latch('SIGUSR2');
    rmSync(paths.fence);
    latches.review();
    expect(killSwitch.state).not.toBeNull();
    unwritable.mockRestore();
    latches.review();
    expect(kill.read()).toMatchObject({ reason: 'SIGUSR2' });
    kill.clear();
    latches.review();
    expect(killSwitch.state).toBeNull();
  });

  it.each(['is gone', 'was made anew'])('hold a kill whose folder %s, and write it down again', (how) => {
    const { paths, killSwitch, latches, kill } = scene();
    kill.raise(RECORD);
    latches.review();
    latches.review();
    sweep(dirname(paths.kill), how);
    latches.review();
    expect(killSwitch.state).not.toBeNull();
    expect(kill.isUp).toBe(true);
    kill.clear();
    latches.review();
    expect(killSwitch.state).toBeNull();
  });

  it.each(['is gone', 'was made anew'])(
    'hold behind a fence whose folder %s, until a person resumes',
    (how) => {
      const { paths, killSwitch, latches, fence } = scene();
      fence.raise(RECORD);
      latches.review();
      sweep(dirname(paths.fence), how);
      latches.review();
      latches.review();
      expect(killSwitch.state).not.toBeNull();
      expect(latches.clear()).toBe(true);
      expect(killSwitch.state).toBeNull();
    },
  );
});

describe('the latches of a bot whose user knows of its kill', () => {
  function unwritable({ paths }: ReturnType<typeof scene>): () => void {
    const elsewhere = join(scratchFolder(), 'unmounted');
    rmdirSync(dirname(paths.kill));
    symlinkSync(elsewhere, dirname(paths.kill));
    return () => mkdirSync(elsewhere);
  }

  it('write it in both places, and take it away in both when a person removes the file or resumes', () => {
    const { killSwitch, latches, kill, user } = scene({ hasUser: true });
    latches.latch('SIGUSR2');
    expect([kill.isUp, user.read()?.reason]).toEqual([true, 'SIGUSR2']);
    kill.clear();
    latches.review();
    expect([killSwitch.state, user.isUp]).toEqual([null, false]);
    latches.latch('SIGUSR2');
    latches.clear();
    expect([kill.isUp, user.isUp]).toEqual([false, false]);
  });

  it('tell the user of one that somebody else latched here', () => {
    const { latches, kill, user } = scene({ hasUser: true });
    kill.raise(RECORD);
    latches.review();
    expect(user.read()).toEqual(RECORD);
  });

  it('hold one that only the user has, and write it down here; with either folder swept it stands', () => {
    const { paths, killSwitch, latches, kill, user } = scene({ hasUser: true });
    user.raise(RECORD);
    latches.review();
    expect([killSwitch.state?.reason, kill.isUp]).toEqual(['oddsmith kill', true]);
    sweep(dirname(user.path), 'is gone');
    latches.review();
    sweep(dirname(paths.kill), 'is gone');
    latches.review();
    expect([killSwitch.state === null, kill.isUp, user.isUp]).toEqual([false, true, true]);
  });

  it('keep it with the user while it cannot be written here, say so, and resume when that is taken away', () => {
    const it = scene({ hasUser: true });
    const mend = unwritable(it);
    it.latches.latch('SIGUSR2');
    it.latches.review();
    expect(it.user.read()?.reason).toBe('SIGUSR2');
    expect(it.errors).toEqual([
      'the kill switch cannot be written down beside the journal; it stands among the files of the user alone',
    ]);
    it.user.clear();
    it.latches.review();
    expect(it.killSwitch.state).toBeNull();
    it.latches.latch('SIGUSR2');
    mend();
    it.latches.review();
    expect(it.kill.isUp).toBe(true);
  });

  it('keep it here while the user has no folder for it, and say so once', () => {
    const it = scene({ hasUser: true });
    const { latches, errors, kill } = it;
    writeFileSync(dirname(dirname(it.user.path)), '');
    latches.latch('SIGUSR2');
    latches.review();
    expect([kill.isUp, errors]).toEqual([
      true,
      [
        'the kill switch cannot be written down among the files of the user; a start from another folder would not know of it',
      ],
    ]);
    kill.clear();
    latches.review();
    expect(it.killSwitch.state).toBeNull();
  });
});

describe('the start of a bot', () => {
  it('is refused behind a fence, with what to do', () => {
    const { paths, fence } = scene();
    expect(() => requireNoFence(paths.fence, 'bot.yaml')).not.toThrow();
    fence.raise(RECORD);
    expect(() => requireNoFence(paths.fence, 'bot.yaml')).toThrow(
      /oddsmith kill.*oddsmith guard clear bot\.yaml/s,
    );
  });
});

describe('a kill before there is a bot', () => {
  const early = ({ paths, logger, clock }: ReturnType<typeof scene>): boolean =>
    killBeforeStart({ paths, logger, clock, reason: 'SIGUSR2' });

  it('stands for the next one', () => {
    const before = scene();
    expect([early(before), before.kill.read()?.reason]).toEqual([true, 'SIGUSR2']);
  });

  it('stands without its reason where there is no room for one', () => {
    const before = scene();
    mkdirSync(`${before.paths.kill}.new`);
    expect([early(before), before.kill.isUp]).toEqual([true, true]);
  });

  it('is said, and left to who starts the bot, where it cannot be written down at all', () => {
    const before = scene();
    const folder = dirname(before.paths.kill);
    rmdirSync(folder);
    symlinkSync(join(scratchFolder(), 'unmounted'), folder);
    expect([early(before), before.errors]).toEqual([
      false,
      ['the kill switch cannot be written down; a restart would forget it'],
    ]);
  });
});
