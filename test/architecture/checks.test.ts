import { describe, expect, it } from 'vitest';
import { CHECKS, runCheck, SPEAKING } from '../../tools/check.mjs';
import { smallHouse } from '../support/project/small-house.js';

/** One violation for each check: the files that plant it, and what the report has to name. */
const CANARIES: Readonly<Record<string, readonly (readonly [string, Record<string, string>, RegExp])[]>> = {
  types: [
    [
      'a type error',
      { 'src/core/mirror/touch.ts': "export const touch: number = 'wide';\n" },
      /touch\.ts.*TS2322/,
    ],
    [
      'a type error in a test',
      { 'test/unit/a.test.ts': "export const a: number = '1';\n" },
      /a\.test\.ts.*TS2322/,
    ],
    ['a type error in a strategy', { 'strategies/a.ts': "export const a: number = '1';\n" }, /a\.ts.*TS2322/],
  ],
  lint: [
    [
      'an any',
      { 'src/core/mirror/touch.ts': 'export const touch = (bid: any): any => bid;\n' },
      /no-explicit-any/,
    ],
    [
      'a promise nobody waits for, which needs type information',
      { 'src/cli/main.ts': 'const quote = async (): Promise<number> => Promise.resolve(1);\n\nquote();\n' },
      /no-floating-promises/,
    ],
    [
      'a folder that is made past the one way to do it',
      {
        'src/storage/folder.ts':
          "import { mkdirSync } from 'node:fs';\n\nexport const open = (path: string): void => void mkdirSync(path);\n",
      },
      /no-restricted-imports/,
    ],
    [
      'a timer of a command that Node.js may take for one of a millisecond',
      {
        'src/cli/main.ts':
          'export const later = (ms: number, end: () => void): void => void setTimeout(end, ms);\n',
      },
      /no-restricted-globals/,
    ],
    [
      'a skipped test',
      {
        'test/unit/a.test.ts':
          "import { expect, it } from 'vitest';\n\nit.skip('a', () => {\n  expect(1).toBe(1);\n});\n",
      },
      /no-disabled-tests/,
    ],
  ],
  format: [
    [
      'double quotes',
      { 'src/core/mirror/touch.ts': 'export const touch = "wide";\n' },
      /src\/core\/mirror\/touch\.ts/,
    ],
  ],
  layers: [
    [
      'a room that imports a higher one',
      {
        'src/core/mirror/touch.ts': "export { touch } from '../../venues/futuur/touch.js';\n",
        'src/venues/futuur/touch.ts': 'export const touch = 1;\n',
      },
      /touch\.ts:1 core\/mirror \(layer \d+\) may not import venues\/futuur \(layer \d+\)/,
    ],
  ],
  'dead-code': [
    [
      'an export without a user',
      { 'src/core/mirror/touch.ts': 'export const touch = 1;\nexport const depth = 2;\n' },
      /depth/,
    ],
    [
      'a file without a user',
      { 'src/core/mirror/depth.ts': 'export const depth = 2;\n' },
      /src\/core\/mirror\/depth\.ts/,
    ],
    [
      'a package that package.json does not name',
      { 'src/core/mirror/touch.ts': "import left from 'left-pad';\n\nexport const touch = left;\n" },
      /left-pad/,
    ],
  ],
};

describe('each check of `npm run check`', () => {
  it('has a canary, those of several figures in house.test.ts', () => {
    const others = Object.keys(CHECKS).filter((name) => !SPEAKING.includes(name));
    expect(Object.keys(CANARIES)).toEqual(others);
  });

  it.each(Object.keys(CANARIES))('%s passes a faultless project', async (name) => {
    const { output, passed } = await runCheck(name, smallHouse());
    expect(passed, output).toBe(true);
  });

  const canaries = Object.entries(CANARIES).flatMap(([name, list]) =>
    list.map((canary) => [name, ...canary] as const),
  );
  it.each(canaries)('%s reports %s', async (name, _violation, planted, report) => {
    const { output, passed } = await runCheck(name, smallHouse(planted));
    expect(output).toMatch(report);
    expect(passed).toBe(false);
  });
});
