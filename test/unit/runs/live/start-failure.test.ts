import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startFailure } from '../../../../src/runs/live/start-failure.js';
import { InvariantError, UsageError } from '../../../../src/domain/errors.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const VENUE = loadBotSettings('config/local.yaml', { ODDSMITH_PRIVATE_KEY: 'sk' }).settings.venue;
const BEGINNER = { who: 'bot', settings: { stateDir: '.oddsmith', venue: VENUE }, file: 'bot.yaml' } as const;

function thrown(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe('a start that fails for its files', () => {
  it('says which, why, and what to do, without a stack', () => {
    const error = thrown(() => openSync(join(scratchFolder(), 'none', 'windows.ndjson'), 'r'));
    const told = startFailure(error, BEGINNER) as Error;
    expect(told).toBeInstanceOf(UsageError);
    expect(told.message).toMatch(
      /^a bot does not begin without its files in \.oddsmith \(ENOENT: .*windows\.ndjson'\): /,
    );
    expect(told.message).toContain('mend that, then start again');
    expect(told.message).toContain('oddsmith kill bot.yaml withdraws');
  });

  it('does not advise a kill where the exchange ends with the bot', () => {
    const error = thrown(() => openSync(join(scratchFolder(), 'none', 'windows.ndjson'), 'r'));
    const demo = { ...BEGINNER, settings: { stateDir: '.oddsmith', venue: null } };
    const { message } = startFailure(error, demo) as Error;
    expect(message).not.toContain('oddsmith kill');
    expect(message).toContain('its exchange ended with it');
  });

  it('asks for room where there is none', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    expect((startFailure(full, BEGINNER) as Error).message).toContain('make room, then start again');
  });

  it('is no other failure: a bug, a socket, what says so itself', () => {
    const socket = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    const bug = thrown(() => writeFileSync(undefined as unknown as string, ''));
    for (const error of [socket, bug, new InvariantError('x'), new UsageError('y'), 'text'])
      expect(startFailure(error, BEGINNER)).toBe(error);
  });
});
