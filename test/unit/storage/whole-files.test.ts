import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFolder } from '../../../src/cli/option-values.js';
import { UsageError } from '../../../src/domain/errors.js';
import { makeFolder, replaceFile, replaceFileUnsynced } from '../../../src/storage/files/whole-files.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

describe('a folder that is made', () => {
  it('gets the ones above it, for its owner alone, and nothing else', () => {
    const scratch = scratchFolder();
    const folder = join(scratch, 'a', 'b');
    makeFolder(folder);
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(scratch)).toEqual(['a']);
    expect(readdirSync(join(scratch, 'a'))).toEqual(['b']);
  });

  it('may not lie below a file', () => {
    const file = join(scratchFolder(), 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(join(file, 'a', 'b'))).toThrow(/file cannot be written \(ENOTDIR\)$/);
  });

  it('may not be a file', () => {
    const file = join(scratchFolder(), 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).toThrow(new UsageError(`${file} cannot be written (EEXIST)`));
  });

  it('may not lie behind a link to nowhere', () => {
    const link = join(scratchFolder(), 'link');
    symlinkSync('/nowhere/at/all', link);
    expect(() => makeFolder(join(link, 'a'))).toThrow(/ENOENT/);
  });

  it.runIf(existsSync('/proc/self'))('is refused at once where the file system takes none', () => {
    expect(() => makeFolder('/proc/a/b')).toThrow(/^\/proc takes no folders \(ENOENT\)$/);
    expect(() => parseFolder('/proc/a/b')).toThrow(/^\/proc takes no folders \(ENOENT\)$/);
  });

  it('is not made by naming it as an option', () => {
    const scratch = scratchFolder();
    expect(parseFolder(join(scratch, 'a'))).toBe(join(scratch, 'a'));
    expect(readdirSync(scratch)).toEqual([]);
  });
});

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
