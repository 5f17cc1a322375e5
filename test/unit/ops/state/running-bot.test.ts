import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StatePaths } from '../../../../src/ops/state/account-folder.js';
import { requestReload, RunningFile, userName } from '../../../../src/ops/state/running-bot.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

afterEach(() => void vi.useRealTimers());

const ASKED = { file: '/bot.yaml', by: 'ann', isTrial: false };

function scene() {
  vi.useFakeTimers();
  const folder = scratchFolder();
  const paths = { folder } as StatePaths;
  const running = { runId: 'r', pid: 1, file: ASKED.file, url: 'http://127.0.0.1:1', secret: 's' };
  const taken: string[] = [];
  const reload = (file: string) => {
    taken.push(file);
    return Promise.resolve({ problem: null, changes: ['one'], refused: [], isApplied: true });
  };
  const bot = new RunningFile({ paths, running, logger: { warn: () => undefined }, reload });
  return { folder, bot, taken, ask: () => requestReload({ paths, running }, ASKED) };
}

describe('a wish to take over a file', () => {
  it('is answered', async () => {
    const { bot, ask, taken } = scene();
    const answer = ask();
    bot.review();
    await vi.advanceTimersByTimeAsync(100);
    expect(await answer).toMatchObject({ changes: ['one'], isApplied: true });
    expect(taken).toEqual([ASKED.file]);
  });

  it('is taken back when the bot does not answer, so that it does nothing later', async () => {
    const { folder, bot, ask, taken } = scene();
    const answer = ask().catch((error: Error) => error.message);
    expect(readFileSync(join(folder, 'reload.json'), 'utf8')).toContain(ASKED.file);
    await vi.advanceTimersByTimeAsync(21_000);
    expect(await answer).toContain('it may still take the file over');
    expect(existsSync(join(folder, 'reload.json'))).toBe(false);
    bot.review();
    expect(taken).toEqual([]);
  });
});

describe('who runs a command', () => {
  it.each([
    ['ann', 'ann'],
    ['jürgen\n', 'j?rgen?'],
    ['a'.repeat(99), 'a'.repeat(60)],
  ])('%j is written in plain characters', (name, written) => {
    expect(userName(() => name)).toBe(written);
  });

  it('is a number where the user has no name', () => {
    const nobody = () => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    };
    expect(userName(nobody)).toBe(`uid ${process.getuid!()}`);
  });
});
