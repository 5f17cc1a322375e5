import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile, replaceFileUnsynced } from '../../../../src/storage/files/replaced-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

describe('a file that is replaced whole', () => {
  it('is for its owner alone to read', () => {
    const path = join(scratchFolder(), 'new', 'page.html');
    replaceFile(path, 'one');
    replaceFile(path, 'two');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['two', 0o600]);
  });

  it('leaves nothing beside it when it cannot be', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'page.html'));
    for (const replace of [replaceFile, replaceFileUnsynced])
      expect(() => replace(join(folder, 'page.html'), 'one')).toThrow(/EISDIR/);
    expect(readdirSync(folder)).toEqual(['page.html']);
  });

  it('makes no folder where it does not wait for the disk', () => {
    const folder = scratchFolder();
    expect(() => replaceFileUnsynced(join(folder, 'gone', 'page.html'), 'one')).toThrow(/ENOENT/);
    replaceFileUnsynced(join(folder, 'page.html'), 'one');
    replaceFileUnsynced(join(folder, 'page.html'), 'two');
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toBe('two');
    expect(statSync(join(folder, 'page.html')).mode & 0o777).toBe(0o600);
  });
});
