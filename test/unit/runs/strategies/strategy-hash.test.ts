import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileHash, strategyHash } from '../../../../src/runs/strategies/strategies.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const MINE = `import { defineStrategy } from 'oddsmith/sdk';
import { half } from './half.js';
export default half;`;

/** @returns the hash of `mine.ts` among these files, in a folder of its own */
function hashOf(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return strategyHash(join(folder, 'mine.ts'));
}

describe('the hash of a strategy', () => {
  it('is that of its file while it imports the SDK alone', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'mine.ts'), "import { param } from 'oddsmith/sdk';\nimport 'node:assert';\n");
    expect(strategyHash(join(folder, 'mine.ts'))).toBe(fileHash(join(folder, 'mine.ts')));
  });

  it('is another one when a file is that it imports, however far away', () => {
    const files = {
      'mine.ts': MINE,
      'half.ts': "export { half } from './deep/values';",
      'deep/values.ts': 'export const half = 1;',
    };
    const hash = hashOf(files);
    expect(hashOf(files)).toBe(hash);
    expect(hashOf({ ...files, 'beside.ts': 'export {};' })).toBe(hash);
    expect(hashOf({ ...files, 'deep/values.ts': 'export const half = 2;' })).not.toBe(hash);
    expect(hashOf({ ...files, 'half.ts': "export { half } from './deep/values.ts';" })).not.toBe(hash);
  });

  it.each([
    ['import "./half.ts";'],
    ['import type { Half } from /* its own */ "./half.ts";'],
    ['const { half } = await import(\n  `./half.ts`\n);'],
    ["import half = require('./half');"],
    ["export * from './half.mjs?once';"],
    ["import half from './half.json' with { type: 'json' };"],
    ["import { half } from './half';"],
  ])('sees %s', (text) => {
    const name = ['.mjs', '.json'].find((ending) => text.includes(ending)) ?? '.ts';
    const files = { 'mine.ts': text, [`half${name}`]: '1' };
    expect(hashOf({ ...files, [`half${name}`]: '2' })).not.toBe(hashOf(files));
  });

  it('takes packages by name and version', () => {
    const files = {
      'mine.ts': "import { sum } from '@some/sums/all';",
      'node_modules/@some/sums/package.json': '{ "version": "1.0.0" }',
      'node_modules/@some/sums/all.js': '1',
    };
    const hash = hashOf(files);
    expect(hashOf({ ...files, 'node_modules/@some/sums/all.js': '2' })).toBe(hash);
    expect(hashOf({ ...files, 'node_modules/@some/sums/package.json': '{ "version": "1.0.1" }' })).not.toBe(
      hash,
    );
  });

  it('ends where files import each other, and passes over what is not there', () => {
    const files = { 'mine.ts': "import './half.ts'; import './gone.ts';", 'half.ts': "import './mine.ts';" };
    expect(hashOf(files)).toMatch(/^[0-9a-f]{64}$/);
  });
});
