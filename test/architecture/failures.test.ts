import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/project/small-house.js';

/** The last column of a row: a file of tests, and the name of one as it stands there. */
const WITNESS = /`(test\/[^`]+)` "([^"]+)" *\|$/;

const rowsOf = (page: string): readonly string[] =>
  page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Failure|-)/.test(line));

/** What is wrong with the rows of a page of failures. */
function complaintsAbout(page: string): readonly string[] {
  return rowsOf(page).flatMap((row) => {
    const [, file = '', name = ''] = WITNESS.exec(row) ?? [];
    if (file === '') return [`no test: ${row}`];
    const path = join(ROOT, file);
    if (!existsSync(path)) return [`no file ${file}`];
    const found = readFileSync(path, 'utf8').split(`'${name}'`).length - 1;
    if (found === 0) return [`${file} has no test '${name}'`];
    return found === 1 ? [] : [`${file} has ${found} tests '${name}': which one?`];
  });
}

describe('docs/failures.md', () => {
  it('names a test that exists for every failure', () => {
    const page = readFileSync(join(ROOT, 'docs', 'failures.md'), 'utf8');
    expect(complaintsAbout(page)).toEqual([]);
    expect(rowsOf(page).length).toBeGreaterThan(50);
  });

  it('is seen naming a test that does not exist, or several', () => {
    const row = (witness: string): string => `| A failure | what is done | ${witness} |\n`;
    const gone = row('`test/unit/core/execution/sending/budget.test.ts` "is generous"');
    expect(complaintsAbout(gone)).toEqual([
      "test/unit/core/execution/sending/budget.test.ts has no test 'is generous'",
    ]);
    const several = row('`test/unit/exchange/matching/matching-book.test.ts` "is refused"');
    expect(complaintsAbout(several)).toEqual([
      "test/unit/exchange/matching/matching-book.test.ts has 2 tests 'is refused': which one?",
    ]);
    expect(complaintsAbout(row('`test/unit/nowhere.test.ts` "x"'))).toEqual([
      'no file test/unit/nowhere.test.ts',
    ]);
    expect(complaintsAbout(row('somewhere'))).toHaveLength(1);
  });
});
