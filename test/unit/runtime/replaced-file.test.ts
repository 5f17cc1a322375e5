import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile } from '../../../src/runtime/replaced-file.js';
import { scratchFolder } from '../../support/scratch-folder.js';

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
    expect(() => replaceFile(join(folder, 'page.html'), 'one')).toThrow(/EISDIR/);
    expect(readdirSync(folder)).toEqual(['page.html']);
  });
});
