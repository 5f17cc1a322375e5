import type * as FileSystem from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { acquireLock } from '../../../../src/storage/state/lock-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const calls = vi.hoisted(() => [] as string[]);

vi.mock('node:fs', async (original) => {
  const real = await original<typeof FileSystem>();
  return {
    ...real,
    writeFileSync: (
      path: string,
      text: string,
      options: FileSystem.WriteFileOptions & { flush?: boolean },
    ) => {
      calls.push(options.flush === true ? 'write through' : 'write');
      real.writeFileSync(path, text, options);
    },
    linkSync: (from: string, to: string) => {
      calls.push('link');
      real.linkSync(from, to);
    },
  };
});

it('a lock is on the disk before it has its name: after a power loss an empty one would be for a person to remove', () => {
  acquireLock(join(scratchFolder(), 'account-1.lock'), 'account 1').release();
  expect(calls).toEqual(['write through', 'link']);
});
