/** Tapes that are made of others where there is no room for them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const COMMAND = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const RAIN = join(ROOT, 'config', 'recordings', 'synthetic-rain.ndjson.gz');

/** No file may grow beyond so many blocks of 512 bytes. */
const limited = (blocks: number, ...args: readonly string[]) =>
  spawnSync(
    'sh',
    ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', process.execPath, COMMAND, 'tape', ...args],
    {
      encoding: 'utf8',
    },
  );

describe('a tape that is made where there is no room', () => {
  it('ends with 2 and one sentence, and leaves nothing half made', () => {
    const out = scratchFolder();
    const tape = join(out, 'tape');
    expect(spawnSync(process.execPath, [COMMAND, 'tape', 'import', RAIN, '--out', tape]).status).toBe(0);
    for (const [what, ...more] of [
      ['import', RAIN],
      ['cut', tape],
      ['merge', tape],
      ['export', tape],
    ] as const) {
      const half = join(out, what);
      const { status, stderr } = limited(16, what, ...more, '--out', half);
      expect([what, status]).toEqual([what, 2]);
      expect(stderr).toMatch(
        /cannot be written \(EFBIG, there is no room; make room, run the same again\)\n$/,
      );
      expect(existsSync(what === 'export' ? join(half, 'books.parquet') : half)).toBe(false);
    }
  });
});
