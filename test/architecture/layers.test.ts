import { describe, expect, it } from 'vitest';
import { RULES, sourcesOf, violationsIn } from '../../tools/layers.mjs';
import { ROOT } from '../support/project/small-house.js';

/** What the checker says about these files, one line for each violation. */
const reported = (files: Readonly<Record<string, string>>): string[] =>
  violationsIn(new Map(Object.entries(files))).map(({ file, line, text }) => `${file}:${line} ${text}`);

/** What it says about one import, written in one file. */
const reportedAt = (file: string, statement: string): string[] => reported({ [file]: `${statement}\n` });

const room = (name: string): string => (name === 'index' ? 'src/index.ts' : `src/${name}/a.ts`);
const path = (from: string, to: string): string =>
  `${from === 'index' ? './' : '..'}${to === 'index' ? 'index.js' : `${to}/b.js`}`;
const ROOMS = RULES.layers.flatMap(({ rooms }, layer) => rooms.map((name) => ({ name, layer })));
/** The core is the only layer whose rooms may meet. */
const CORE = 2;

describe('the layers of the house', () => {
  it('hold for every source', () => {
    const files = sourcesOf(ROOT);
    expect(files.size).toBeGreaterThan(0);
    expect(violationsIn(files)).toEqual([]);
  });

  it.each(ROOMS)('$name may import what lies below it, and within the core its neighbours', (from) => {
    const others = ROOMS.filter(({ name }) => name !== from.name);
    const refused = others.filter(({ name }) => {
      const statement = `import { b } from '${path(from.name, name)}';`;
      return reportedAt(room(from.name), statement).length > 0;
    });
    const isBelow = (to: number) => to < from.layer || (to === CORE && from.layer === CORE);
    expect(refused).toEqual(others.filter(({ layer }) => !isBelow(layer)));
  });

  it('keep venue and server apart', () => {
    expect(reportedAt('src/venue/a.ts', "import { b } from '../server/b.js';")).toEqual([
      'src/venue/a.ts:1 rooms of layer 4 never import each other: venue imports server',
    ]);
  });

  it.each([
    ['import type', "import type { B } from '../venue/b.js';"],
    ['export from', "export { b } from '../venue/b.js';"],
    ['export all', "export * from '../venue/b.js';"],
    ['export type', "export type { B } from '../venue/b.js';"],
    ['dynamic import', "export const b = await import('../venue/b.js');"],
    ['import for its effects', "import '../venue/b.js';"],
    ['type query', "export type B = import('../venue/b.js').B;"],
  ])('see a violation written as %s', (_form, statement) => {
    expect(reportedAt('src/mirror/a.ts', `\n${statement}`)).toEqual([
      'src/mirror/a.ts:2 mirror (layer 2) may not import venue (layer 4)',
    ]);
  });

  it('do not mistake a comment or a string for an import', () => {
    expect(
      reportedAt('src/mirror/a.ts', "// import '../venue/b.js'\nexport const b = \"from '../venue/b.js'\";"),
    ).toEqual([]);
  });

  it.each([
    [
      'src/domain/a.ts',
      "import { readFileSync } from 'node:fs';",
      'domain may not use node:fs, being free of Node',
    ],
    ['src/engine/a.ts', "import { readFileSync } from 'fs';", 'engine may not use fs, being free of Node'],
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
    ['src/engine/a.ts', 'export const b = await import(`./${1}`);', 'engine may not import a computed path'],
    [
      'src/ports/a.ts',
      "import { of } from 'rxjs';",
      'ports may not import rxjs (values); allowed in: engine, strategy, venue, tape, app',
    ],
    [
      'src/risk/a.ts',
      "import { map } from 'rxjs/operators';",
      'risk may not import rxjs (values); allowed in: engine, strategy, venue, tape, app',
    ],
    [
      'src/server/a.ts',
      "import type { Observable } from 'rxjs';",
      'server may not import rxjs; allowed in: engine, strategy, venue, tape, app',
    ],
    [
      'src/server/a.ts',
      "import { Agent } from 'undici';",
      'server may not import undici (values); allowed in: venue',
    ],
    [
      'src/app/a.ts',
      "import { tick } from 'oddsmith/sdk';",
      'app may not import oddsmith (values); allowed in: no room',
    ],
    [
      'src/app/a.ts',
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
    ['src/ports/a.ts', "import type { Observable } from 'rxjs';"],
    ['src/ports/a.ts', "import { type Observable } from 'rxjs';"],
    ['src/engine/a.ts', "import { map } from 'rxjs';"],
    ['src/protocol/a.ts', "import { createHmac } from 'node:crypto';"],
    ['src/venue/a.ts', "import { Agent } from 'undici';"],
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
        'src/app/a.ts': "import { b } from './b.js';\n",
        'src/app/b.ts': "import type { C } from './c.js';\n",
        'src/app/c.ts': "export { a } from './a.js';\n",
      }),
    ).toEqual([
      'src/app/c.ts:1 imports in a circle: src/app/a.ts -> src/app/b.ts -> src/app/c.ts -> src/app/a.ts',
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
        'src/mirror/a.ts': "import { b } from '../risk/b.js';\n",
        'src/risk/c.ts': "import { d } from '../mirror/d.js';\n",
      }),
    ).toEqual(['src/risk/c.ts:1 imports in a circle: mirror -> risk -> mirror']);
  });
});

describe('a file that does not parse', () => {
  it('fails the check instead of passing unread', () => {
    expect(() => reportedAt('src/app/a.ts', 'import { from')).toThrow(/src\/app\/a\.ts/);
  });
});
