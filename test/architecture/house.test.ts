import { describe, expect, it } from 'vitest';
import { bannedIn, BOUNDS, figuresOf, verdictLines, verdicts } from '../../tools/house.mjs';
import { pageText } from '../support/project/documents.js';
import { differences } from '../walk/page.js';

const lines = (count: number): string => '// a line\n'.repeat(count);

/** The figures of these files. */
const measured = (files: Readonly<Record<string, string>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(figuresOf(new Map(Object.entries(files)), ['pane', 'twin'])).map(([name, { figure }]) => [
      name,
      figure,
    ]),
  );

/** Files that change a figure, and the figure. */
const CANARIES: readonly (readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  figure: number,
])[] = [
  ['lines of src', { 'src/a.ts': lines(7), 'src/b.ts': lines(5), 'test/support/c.ts': lines(3) }, 12],
  ['files of src', { 'src/a.ts': '', 'src/b.ts': '', 'test/support/c.ts': '' }, 2],
  [
    'lines of the median file of src',
    { 'src/a.ts': lines(1), 'src/b.ts': lines(5), 'src/c.ts': lines(90) },
    5,
  ],
  ['lines of the largest file of src', { 'src/a.ts': lines(401), 'src/b.ts': lines(5) }, 401],
  [
    'files of src with one importer and below 60 lines',
    {
      'src/a.ts': "import './b.js';\nimport type { C } from './c/c.js';\nimport './d.js';\n",
      'src/b.ts': lines(59),
      'src/c/c.ts': lines(60),
      'src/d.ts': lines(2),
      'src/e.ts': "import './d.js';\n",
    },
    1,
  ],
  ['lines of test/support', { 'src/a.ts': lines(7), 'test/support/c.ts': lines(3) }, 3],
  ['module-level mutable objects in src/core', { 'src/core/a.ts': 'const BIDS = new Side();\n' }, 1],
  [
    'comments about V8, hidden classes, boxed values or cache lines',
    {
      'src/a.ts': "/** For V8: one hidden class. */\nconst a = 'V8';\n// A boxed number.\n",
      'src/exchange/matching/a.ts': '// One cache line.\n',
    },
    2,
  ],
  [
    'banned words in src',
    { 'src/pane.ts': '', 'src/a.ts': 'const ownTwin = 1;\n/** A pane. */\nconst paned = ownWindow;\n' },
    3,
  ],
];

describe('the figures of the house', () => {
  it.each(CANARIES)('%s are seen', (name, files, figure) => {
    expect(measured(files)[name]).toBe(figure);
  });

  it('each have a canary and a bound', () => {
    const figures = Object.keys(figuresOf(new Map(), []));
    expect(CANARIES.map(([name]) => name)).toEqual(figures);
    expect(figures.filter((name) => BOUNDS[name] === undefined)).toEqual([]);
  });

  it('know the words that the glossary bans', () => {
    const words = bannedIn(pageText('docs/glossary.md'));
    expect(words).toEqual(expect.arrayContaining(['pane', 'glance', 'whereabouts', 'twins']));
    expect(words).not.toContain('view');
  });
});

describe('an object at the top of a module', () => {
  it.each([
    'let count = 0;',
    'export let last: string | null = null;',
    'const seen = new Set<number>();',
    'export const DRAFT = new PlanDraft();',
    'const table: number[] = [];\nconst put = (one: number) => table.push(one);',
    'const state = { count: 0 };\nfunction add(): void {\n  state.count += 1;\n}',
    'const cache: Record<string, number> = {};\nconst forget = (key: string) => delete cache[key];',
  ])('may change: %s', (text) => {
    expect(measured({ 'src/core/a.ts': text })['module-level mutable objects in src/core']).toBe(1);
  });

  it.each([
    'const LIMIT = 5;',
    "const NAMES = ['a', 'b'] as const;",
    'const WEIGHTS = { a: 1 };\nconst sum = (list: number[]) => list.push(WEIGHTS.a);',
    'const BY_NAME: ReadonlyMap<string, number> = new Map([["a", 1]]);',
    'function f(): void {\n  const seen = new Set<number>();\n  seen.add(1);\n}',
    'const encoder = new TextEncoder();',
  ])('may not: %s', (text) => {
    expect(measured({ 'src/core/a.ts': text })['module-level mutable objects in src/core']).toBe(0);
  });
});

describe('a bound', () => {
  const said = (figure: number, bound: { min?: number; max: number; target: number }): string =>
    verdictLines(verdicts({ size: { figure, places: ['src/a.ts'] } }, { size: bound }));

  it('holds up to its maximum, and says how far it is to the target', () => {
    expect(said(5, { max: 5, target: 3 })).toBe('ok   size: 5, at most 5, target 3');
    expect(said(3, { max: 3, target: 3 })).toBe('ok   size: 3, at most 3');
  });

  it('fails above its maximum and below its minimum, and says where', () => {
    expect(said(6, { max: 5, target: 3 })).toBe('FAIL size: 6, at most 5, target 3\n       src/a.ts');
    expect(said(6, { min: 7, max: 9, target: 8 })).toMatch(/^FAIL size: 6, from 7 to 9, target 8/);
  });

  it('is missed where there is none', () => {
    expect(verdicts({ weight: { figure: 1 } }, {})).toMatchObject([{ passed: false }]);
  });
});

describe('docs/walks.md', () => {
  const page = '<!-- walk book -->\n\n1. `a.ts`: `f`\n2. `b.ts`: 3\n\n<!-- end -->\n\n1. `c.ts`: 1\n';
  const walked = (...files: string[]) =>
    ({
      walk: 'book',
      files: files.length,
      functions: 1,
      path: files.map((file) => ({ file, functions: ['f'] })),
    }) as const;

  it('is true where the same files ran', () => {
    expect(differences(walked('b.ts', 'a.ts'), page)).toEqual([]);
  });

  it('is seen naming a file that did not run, and leaving out one that did', () => {
    expect(differences(walked('a.ts', 'c.ts'), page)).toEqual([
      'c.ts ran and is not on the page',
      'b.ts is on the page and did not run',
    ]);
  });
});
