import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { textOf } from '../../../../src/storage/tape/packed-text.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

it.each([1, 8, 200_000])('%i zeros behind packed data change nothing of the text', async (zeros) => {
  const text = 'a line\n'.repeat(100_000);
  const path = join(scratchFolder(), 'padded.gz');
  writeFileSync(path, Buffer.concat([gzipSync(text), Buffer.alloc(zeros)]));
  const pieces: Buffer[] = [];
  for await (const piece of textOf(path, () => undefined, 'whole')) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe(text);
});
