import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULES, sourcesOf, violationsIn } from '../../tools/layers.mjs';
import { ROOT } from '../support/project/small-house.js';

/** What the checker says about these files, one line for each violation. */
const reported = (files: Readonly<Record<string, string>>): string[] =>
  violationsIn(new Map(Object.entries(files))).map(({ file, line, text }) => `${file}:${line} ${text}`);

/** What it says about one import, written in one file. */
const reportedAt = (file: string, statement: string): string[] => reported({ [file]: `${statement}\n` });

const room = (name: string): string => (name === 'index' ? 'src/index.ts' : `src/${name}/a.ts`);
const path = (from: string, to: string): string => {
  const target = to === 'index' ? 'src/index.js' : `src/${to}/b.js`;
  const relative = posix.relative(posix.dirname(room(from)), target);
  return relative.startsWith('.') ? relative : `./${relative}`;
};
const ROOMS = RULES.layers.flatMap(({ rooms }, layer) => rooms.map((name) => ({ name, layer })));

describe('the layers of the house', () => {
  it('hold for every source', () => {
    const files = sourcesOf(ROOT);
    expect(files.size).toBeGreaterThan(0);
    expect(violationsIn(files)).toEqual([]);
  });

  it.each(ROOMS)('$name may import what lies below it, and its neighbours where they may meet', (from) => {
    const others = ROOMS.filter(({ name }) => name !== from.name);
    const refused = others.filter(({ name }) => {
      const statement = `import { b } from '${path(from.name, name)}';`;
      return reportedAt(room(from.name), statement).length > 0;
    });
    const mayMeet = RULES.layers[from.layer]!.mayMeet === 'without circles';
    const isAllowed = (to: number) => to < from.layer || (to === from.layer && mayMeet);
    expect(refused).toEqual(others.filter(({ layer }) => !isAllowed(layer)));
  });

  it('keep the live client and the bundled exchange apart', () => {
    expect(reportedAt('src/venues/futuur/a.ts', "import { b } from '../../exchange-server/b.js';")).toEqual([
      'src/venues/futuur/a.ts:1 rooms of layer 6 never import each other: venues/futuur imports exchange-server',
    ]);
  });

  it.each([
    ['import type', "import type { B } from '../../venues/futuur/b.js';"],
    ['export from', "export { b } from '../../venues/futuur/b.js';"],
    ['export all', "export * from '../../venues/futuur/b.js';"],
    ['export type', "export type { B } from '../../venues/futuur/b.js';"],
    ['dynamic import', "export const b = await import('../../venues/futuur/b.js');"],
    ['import for its effects', "import '../../venues/futuur/b.js';"],
    ['type query', "export type B = import('../../venues/futuur/b.js').B;"],
  ])('see a violation written as %s', (_form, statement) => {
    expect(reportedAt('src/core/mirror/a.ts', `\n${statement}`)).toEqual([
      'src/core/mirror/a.ts:2 core/mirror (layer 4) may not import venues/futuur (layer 6)',
    ]);
  });

  it('do not mistake a comment or a string for an import', () => {
    expect(
      reportedAt(
        'src/core/mirror/a.ts',
        "// import '../../venues/futuur/b.js'\nexport const b = \"from '../../venues/futuur/b.js'\";",
      ),
    ).toEqual([]);
  });

  it.each([
    [
      'src/domain/a.ts',
      "import { readFileSync } from 'node:fs';",
      'domain may not use node:fs, being free of Node',
    ],
    [
      'src/core/engine/a.ts',
      "import { readFileSync } from 'fs';",
      'core/engine may not use fs, being free of Node',
    ],
    [
      'src/exchange/a.ts',
      "import { once } from 'events';",
      'exchange may not use events, being free of Node',
    ],
    [
      'src/exchange/a.ts',
      "import { Decimal } from 'decimal.js';",
      'exchange may not use the package decimal.js',
    ],
    [
      'src/core/engine/a.ts',
      'export const b = await import(`./${1}`);',
      'core/engine may not import a computed path',
    ],
    [
      'src/core/risk/a.ts',
      "import { map } from 'rxjs/operators';",
      'core/risk may not import rxjs (values); allowed in: core/engine, core/strategy, venues, venues/futuur, storage, runs',
    ],
    [
      'src/exchange-server/a.ts',
      "import type { Observable } from 'rxjs';",
      'exchange-server may not import rxjs; allowed in: core/engine, core/strategy, venues, venues/futuur, storage, runs',
    ],
    [
      'src/exchange-server/a.ts',
      "import { Agent } from 'undici';",
      'exchange-server may not import undici (values); allowed in: venues/futuur, runs',
    ],
    [
      'src/runs/a.ts',
      "import { tick } from 'oddsmith/sdk';",
      'runs may not import oddsmith (values); allowed in: no room',
    ],
    [
      'src/runs/a.ts',
      "import { b } from '../../strategies/b.js';",
      'src imports nothing outside itself: strategies/b.ts',
    ],
    ['src/utils/a.ts', 'export const b = 1;', 'lies in no room of tools/layers.json'],
    ['src/domain.ts', 'export const b = 1;', 'lies in no room of tools/layers.json'],
    [
      'strategies/a.ts',
      "import { b } from '../src/domain/b.js';",
      'a strategy imports oddsmith/sdk alone, not ../src/domain/b.js',
    ],
    [
      'strategies/a.ts',
      "import { b } from 'oddsmith';",
      'a strategy imports oddsmith/sdk alone, not oddsmith',
    ],
    ['strategies/a.ts', "import { b } from './b.js';", 'a strategy imports oddsmith/sdk alone, not ./b.js'],
    [
      'strategies/a/a.ts',
      "import { b } from '../b/b.js';",
      'a strategy imports oddsmith/sdk alone, not ../b/b.js',
    ],
    ['strategies/a.ts', "import { map } from 'rxjs';", 'a strategy imports oddsmith/sdk alone, not rxjs'],
    [
      'strategies/a.ts',
      'export const b = await import(`./${1}`);',
      'a strategy imports oddsmith/sdk alone, not a computed path',
    ],
  ])('%s may not say %s', (file, statement, text) => {
    expect(reportedAt(file, statement)).toEqual([`${file}:1 ${text}`]);
  });

  it.each([
    ['src/venues/gateway.ts', "import { Subject } from 'rxjs';"],
    ['src/core/engine/a.ts', "import { map } from 'rxjs';"],
    ['src/venues/futuur/protocol/a.ts', "import { createHmac } from 'node:crypto';"],
    ['src/venues/futuur/a.ts', "import { Agent } from 'undici';"],
    ['strategies/a.ts', "import { tick } from 'oddsmith/sdk';"],
    ['strategies/a/a.ts', "import { b } from './b.js';"],
  ])('%s may say %s', (file, statement) => {
    expect(reportedAt(file, statement)).toEqual([]);
  });
});

describe('circles of imports', () => {
  it('are reported between the files of one room, types included', () => {
    expect(
      reported({
        'src/runs/a.ts': "import { b } from './b.js';\n",
        'src/runs/b.ts': "import type { C } from './c.js';\n",
        'src/runs/c.ts': "export { a } from './a.js';\n",
      }),
    ).toEqual([
      'src/runs/c.ts:1 imports in a circle: src/runs/a.ts -> src/runs/b.ts -> src/runs/c.ts -> src/runs/a.ts',
    ]);
  });

  it('are reported between the files of one folder of strategies', () => {
    expect(
      reported({
        'strategies/a/a.ts': "import { b } from './b.js';\n",
        'strategies/a/b.ts': "import { a } from './a.js';\n",
      }),
    ).toHaveLength(1);
  });

  it('are reported between rooms of the core even where no files form one', () => {
    expect(
      reported({
        'src/core/mirror/a.ts': "import { b } from '../risk/b.js';\n",
        'src/core/risk/c.ts': "import { d } from '../mirror/d.js';\n",
      }),
    ).toEqual(['src/core/risk/c.ts:1 imports in a circle: core/mirror -> core/risk -> core/mirror']);
  });
});

describe('a file that does not parse', () => {
  it('fails the check instead of passing unread', () => {
    expect(() => reportedAt('src/runs/a.ts', 'import { from')).toThrow(/src\/runs\/a\.ts/);
  });
});
