import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StateUnreadableError } from '../../../../src/ops/state/risk-file.js';
import { EndedFile, forgetEnded, readEnded } from '../../../../src/ops/state/kept-state.js';
import { marketId } from '../../../../src/domain/ids.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const ENDED = [
  { marketId: marketId(2231), resolution: 'long' },
  { marketId: marketId(2232), resolution: null },
] as const;

function scene() {
  const path = join(scratchFolder(), 'control', 'ended.json');
  const errors: string[] = [];
  const quiet = (): void => undefined;
  const logger = { debug: quiet, info: quiet, warn: quiet, error: (text: string) => void errors.push(text) };
  return { path, errors, open: () => new EndedFile(path, logger, readEnded(path)) };
}

describe('which markets have ended', () => {
  it('is found again by the next run, until the venue is gone', () => {
    const { path, open } = scene();
    expect(readEnded(path)).toEqual([]);
    open().review(ENDED);
    expect(readEnded(path)).toEqual(ENDED);
    forgetEnded(path);
    expect(existsSync(path)).toBe(false);
  });

  it('is written when it changes, not with every beat', () => {
    const { path, open } = scene();
    const file = open();
    file.review(ENDED);
    writeFileSync(path, 'untouched');
    file.review(ENDED);
    expect(readFileSync(path, 'utf8')).toBe('untouched');
    file.review([]);
    expect(readEnded(path)).toEqual([]);
  });

  it('that cannot be written is said once, and tried again', () => {
    const { path, errors, open } = scene();
    const file = open();
    mkdirSync(`${path}.new`, { recursive: true });
    file.review(ENDED);
    file.review(ENDED);
    expect(errors).toHaveLength(1);
    rmdirSync(`${path}.new`);
    file.review(ENDED);
    expect(readEnded(path)).toEqual(ENDED);
  });

  it.each(['', '{', '[{"marketId":1}]', '[{"marketId":1,"resolution":"maybe"}]'])(
    'stops the start where %j stands, and says what to do',
    (text) => {
      const { path, open } = scene();
      open().review(ENDED);
      writeFileSync(path, text);
      expect(() => readEnded(path)).toThrow(StateUnreadableError);
      expect(() => readEnded(path)).toThrow(/ended.json .* remove the file/);
    },
  );
});
