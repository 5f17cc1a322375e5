import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { lockAccount } from '../../../../src/ops/state/account-lock.js';
import { accountId } from '../../../../src/domain/ids.js';
import { LockHeldError } from '../../../../src/storage/state/lock-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

type Locked = Parameters<typeof lockAccount>[0];

const NAME = 'venue.test-play_money-account-1.lock';
const home = (): string => process.env['XDG_STATE_HOME']!;

function lockIn(stateDir: string, { isBundled = false, warn = (_text: string): void => undefined } = {}) {
  const venue = { name: 'venue', baseUrl: 'http://venue.test', publicKey: 'pk' };
  const settings = { stateDir, currencyMode: 'play_money', venue: isBundled ? null : venue };
  const options = { settings, venue, logger: { warn } } as unknown as Locked;
  return lockAccount(options, join(stateDir, 'locks', NAME), accountId(1));
}

afterEach(() => vi.unstubAllEnvs());

it('an account is locked in its state folder and with its user, until both are given back', () => {
  vi.stubEnv('XDG_STATE_HOME', scratchFolder());
  const [here, there] = [scratchFolder(), scratchFolder()];
  const lock = lockIn(here);
  expect(() => lockIn(there)).toThrow(LockHeldError);
  // Whoever came second leaves nothing behind.
  expect(readdirSync(join(there, 'locks'))).toEqual([]);
  lock.release();
  expect(readdirSync(join(home(), 'oddsmith', 'locks'))).toEqual([]);
  lockIn(there).release();
});

it('an account at an exchange that the bot brought along is locked in its state folder alone', () => {
  vi.stubEnv('XDG_STATE_HOME', scratchFolder());
  lockIn(scratchFolder(), { isBundled: true });
  expect(existsSync(join(home(), 'oddsmith'))).toBe(false);
});

it('a user whose home takes no files is told what is not noticed, and the bot runs', () => {
  vi.stubEnv('XDG_STATE_HOME', '/proc/none');
  const warnings: string[] = [];
  const stateDir = scratchFolder();
  lockIn(stateDir, { warn: (text) => void warnings.push(text) });
  expect(warnings).toEqual(['a second bot with another state folder, or a kill there, would not be noticed']);
  expect(readdirSync(join(stateDir, 'locks'))).toEqual([NAME]);
});
