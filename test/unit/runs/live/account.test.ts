import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { identify as identifyAt, openAccount } from '../../../../src/runs/live/account.js';
import { UsageError } from '../../../../src/domain/errors.js';
import { accountId } from '../../../../src/domain/ids.js';
import { accountPaths } from '../../../../src/ops/state/account-folder.js';
import { KillFile } from '../../../../src/ops/state/kill-file.js';
import { FencedError } from '../../../../src/ops/state/latches.js';
import type { BotOptions } from '../../../../src/runs/live/connections.js';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { type Lock, LockHeldError } from '../../../../src/storage/state/lock-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import type { RestClient } from '../../../../src/venues/futuur/rest/rest-client.js';
import type { RequestFailure } from '../../../../src/domain/answers.js';
import type { Micros } from '../../../../src/domain/units.js';
import { meaningOfRefusal } from '../../../../src/venues/futuur/protocol/errors.js';

const ADDRESS = 'https://venue.test';
type Parts = Parameters<typeof identifyAt>;
const identify = (rest: Parts[0], silence: Parts[1]) => identifyAt(rest, silence, ADDRESS);
const kept = (leftMs = 0) => {
  const begun: number[] = [];
  return { leftMs: () => leftMs, begun, begin: (ms: number) => void begun.push(ms) };
};
const failing = (failure: RequestFailure): RestClient =>
  ({ me: () => Promise.resolve({ ok: false, failure, sentAt: 1 as Micros }) }) as unknown as RestClient;
const refused = (status: number, code: string, retryAfterMs: number | null = null): RestClient =>
  failing({
    kind: 'refused',
    status,
    code,
    means: meaningOfRefusal({ status, code }),
    detail: 'no',
    retryAfterMs,
  });

describe('a start', () => {
  it('tells keys that are refused from a venue that asks for patience', async () => {
    await expect(identify(refused(403, 'InvalidHMACKey'), kept())).rejects.toMatchObject({
      code: 'ODDSMITH_KEYS_REFUSED',
      message: expect.stringContaining('the public key is not known there') as string,
    });
    await expect(identify(refused(429, 'Throttled', 2_500), kept())).rejects.toMatchObject({
      code: 'ODDSMITH_VENUE_UNREACHABLE',
      message: 'the venue turns requests away (429); start again in 3 s',
    });
    await expect(identify(refused(429, 'Throttled'), kept())).rejects.toMatchObject({
      message: 'the venue turns requests away (429); start again later',
    });
  });

  it('asks nothing while the silence lasts that a 429 has asked for, and keeps one that it is asked for itself', async () => {
    const asked: string[] = [];
    const me = () => (asked.push('me'), Promise.reject(new Error('unreachable')));
    await expect(identify({ me }, kept(90_000))).rejects.toMatchObject({
      code: 'ODDSMITH_VENUE_UNREACHABLE',
      message: 'the venue has asked for silence (429); start again in 90 s',
    });
    expect(asked).toEqual([]);
    const silence = kept();
    await expect(identify(refused(429, 'Throttled', 2_500), silence)).rejects.toThrow('start again in 3 s');
    expect(silence.begun).toEqual([2_500]);
  });

  it('tells what the question cost: it is signed again when the time of this machine was refused', async () => {
    const ok = { ok: true, value: { id: 7, username: 'maker' }, sentAt: 1 };
    const asking = (attempts: number): RestClient => {
      const me = (sending: { readonly beforeFirstByte?: (body: string) => void }) => {
        for (let attempt = 0; attempt < attempts; attempt++) sending.beforeFirstByte?.('');
        return Promise.resolve(ok);
      };
      return { me } as unknown as RestClient;
    };
    expect(await identify(asking(1), kept())).toEqual({ id: '7', username: 'maker', calls: 1 });
    expect(await identify(asking(2), kept())).toMatchObject({ calls: 2 });
  });

  it('tells that nobody answered', async () => {
    await expect(identify(failing({ kind: 'unknown', reason: 'time-out' }), kept())).rejects.toMatchObject({
      message: 'the venue cannot be reached at https://venue.test: time-out',
    });
  });
});

describe('the folder of an account', () => {
  beforeEach(() => void vi.stubEnv('XDG_STATE_HOME', scratchFolder()));
  afterEach(() => vi.unstubAllEnvs());

  const RECORD = { reason: 'it burns', at: '2024-01-01T00:00:00.000Z' };

  function scene(stateDir = scratchFolder(), { publicKey = 'pk', isBundled = false } = {}) {
    const venue = { name: 'house', baseUrl: 'http://one.example', publicKey };
    const settings = { stateDir, currencyMode: 'play_money', venue: isBundled ? null : venue };
    const warnings: string[] = [];
    const logger = { warn: (text: string) => void warnings.push(text), error: vi.fn<() => void>() };
    const options = { settings, venue, logger, source: { file: 'bot.yaml' } } as unknown as BotOptions;
    const locks: Lock[] = [];
    const open = (account = 1) => openAccount(options, accountId(account), (lock) => locks.push(lock));
    const unknown = accountPaths(options.settings, options.venue, null);
    return { open, warnings, unknown, release: () => locks.forEach((lock) => lock.release()) };
  }

  it('has one bot, whatever key it has and folder it was started from', () => {
    const first = scene();
    const { folder, lockCopy } = first.open();
    const second = scene(scratchFolder(), { publicKey: 'pk_other' });
    expect(() => second.open()).toThrow(LockHeldError);
    first.release();
    expect(existsSync(lockCopy!)).toBe(false);
    expect(second.open().folder).toBe(folder);
    expect(second.warnings.at(-1)).toContain('in another folder');
    second.release();
  });

  it('on an exchange that the bot brought along leaves nothing with the user', () => {
    const { lock } = scene(scratchFolder(), { isBundled: true }).open();
    expect(existsSync(lock)).toBe(true);
    expect(readdirSync(process.env['XDG_STATE_HOME']!)).toEqual([]);
  });

  it('is opened although the home of the user takes no files, and that is said', () => {
    vi.stubEnv('XDG_STATE_HOME', '/proc/none');
    const { open, warnings } = scene();
    expect(existsSync(open().lock)).toBe(true);
    expect(warnings).toEqual([
      'a second bot with another state folder, or a kill there, would not be noticed',
    ]);
  });

  it('is not opened behind a fence', () => {
    const { open, release } = scene();
    const { fence } = open();
    release();
    new LatchFile(fence).raise(RECORD);
    expect(open).toThrow(FencedError);
    expect(open).toThrow(`(${fence}): it burns`);
  });

  it('takes a kill that was latched before anybody knew the account, which stays for others', () => {
    const { open, unknown } = scene();
    new LatchFile(unknown.kill).raise(RECORD);
    const { kill } = open();
    expect(new LatchFile(kill).read()?.reason).toBe(`it burns (found at ${unknown.kill})`);
    expect(new LatchFile(unknown.kill).isUp).toBe(true);
  });

  it('keeps its kill among the files of the user though the folder was swept', () => {
    const first = scene();
    const { folder, killCopy } = first.open();
    first.release();
    new LatchFile(killCopy!).raise(RECORD);
    rmSync(folder, { recursive: true });
    const paths = scene().open();
    expect([paths.killCopy, paths.folder === folder]).toEqual([killCopy, false]);
    expect(new KillFile(paths, { error: () => undefined }).read()).toEqual(RECORD);
  });

  it('is not opened beside the state of an earlier version', () => {
    const { open, unknown } = scene();
    mkdirSync(join(dirname(dirname(unknown.folder)), 'control'));
    expect(open).toThrow(UsageError);
    expect(open).toThrow(/earlier version .*remove these three folders/);
  });
});
