/** `docs/licenses.md`: what the program is distributed with, and that it may be. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/project/small-house.js';

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

/** They allow distribution together with a program under MIT, when their texts are kept. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'Unlicense',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
]);

const PAGE = join(ROOT, 'docs', 'licenses.md');
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

/** Packages without which the program does not run, or that it can use: all but those of development. */
const distributed = Object.entries(lock.packages)
  .filter(([path, { dev }]) => path !== '' && dev !== true)
  .map(([path, { version = '', license = 'none stated' }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    license,
  }));

const refused = (packages: readonly { readonly license: string }[]) =>
  packages.filter(
    ({ license }) => !license.split(' OR ').some((one) => ALLOWED.has(one.replaceAll(/[()]/g, ''))),
  );

function page(): Promise<string> {
  const rows = distributed.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  const text = `# Licences

Oddsmith is under the [MIT licence](../LICENSE). It runs with these packages; each keeps its licence in its folder below node_modules. A
check reads the lock file and refuses licences that do not allow distribution with a program under MIT.

| Package | Version | Licence |
| --- | --- | --- |
${[...new Set(rows)].toSorted().join('\n')}
`;
  return format(text, { parser: 'markdown', singleQuote: true, printWidth: 110 });
}

describe('docs/licenses.md', () => {
  it('lists every package that is distributed (vitest -u writes it anew)', async () => {
    expect(distributed.length).toBeGreaterThan(50);
    await expect(await page()).toMatchFileSnapshot(PAGE);
  });

  it('has no licence that forbids distribution under MIT', () => {
    expect(refused(distributed)).toEqual([]);
  });

  it('is seen with one that does', () => {
    const one = { license: 'GPL-3.0-only' };
    expect(refused([one, { license: 'none stated' }, { license: '(MIT OR GPL-3.0)' }])).toHaveLength(2);
  });
});
