import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentedKeys, withTables } from '../support/project/configuration-page.js';
import { ROOT } from '../support/project/small-house.js';

const PAGE = join(ROOT, 'docs', 'configuration.md');

describe('docs/configuration.md', () => {
  it('states every key as the schemas have it (vitest -u writes the tables anew)', async () => {
    await expect(await withTables(readFileSync(PAGE, 'utf8'))).toMatchFileSnapshot(PAGE);
  });

  it('leaves no key without a meaning', () => {
    expect(documentedKeys().filter(({ meaning }) => meaning === '')).toEqual([]);
  });

  it('is written anew where it is stale', async () => {
    const stale = '<!-- keys bot quoting -->\n\n| Key |\n| --- |\n| `old` |\n\n<!-- end -->\n';
    const fresh = await withTables(stale);
    expect(fresh).not.toContain('`old`');
    expect(fresh).toMatch(/\| `preCloseMs` +\| milliseconds +\| `2000` +\| quotes leave the market/);
  });
});
