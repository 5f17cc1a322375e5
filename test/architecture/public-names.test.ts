import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as oddsmith from 'oddsmith';
import * as sdk from 'oddsmith/sdk';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/domain/errors.js';
import { sourcesOf } from '../../tools/layers.mjs';
import { pageText, tableRows } from '../support/project/documents.js';
import { ROOT } from '../support/project/small-house.js';

/** The words of a text's code, in blocks and in lines: `Bot.start` is two. */
const named = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/```\w*\n(.*?)```|`([^`\n]+)`/gs)].flatMap(([code]) => code.match(/\w+/g) ?? []));

/** Names that a file gives on, types included. */
function givenOn(source: string): readonly string[] {
  const lists = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, list]) => list!);
  return lists.flatMap((list) => list.split(',').map((name) => name.trim().replace(/^type /, '')));
}

/** Of each class of errors its code and the exit code of a command that ends with it. */
const codesIn = (source: string): readonly (readonly [string, string])[] =>
  [...source.matchAll(/readonly code = '(\w+)';(?:\s+readonly exit = EXIT\.(\w+);)?/g)].map(
    ([, code, exit]) => [code!, String(EXIT[exit as keyof typeof EXIT])],
  );

const EMBED = pageText('docs/guides/embed.md');
const STRATEGY = pageText('docs/guides/write-a-strategy.md');
const codes = (page: string): readonly (readonly [string, string])[] =>
  tableRows(page, 'codes').map(([code, , exit]) => [code!.slice(1, -1), exit!]);
const exported = givenOn(readFileSync(join(ROOT, 'src/index.ts'), 'utf8')).filter((name) => name !== '');

describe('the names that a program imports', () => {
  it('are told by the guide for embedding, all of them and no others', () => {
    expect(Object.keys(oddsmith).filter((name) => !exported.includes(name))).toEqual([]);
    const told = tableRows(EMBED, 'exports').flatMap(([names]) => [...named(names!)]);
    expect([...new Set(told)].toSorted()).toEqual(exported.toSorted());
  });

  it('are told by the guide for strategies where a strategy imports them', () => {
    const told = named(STRATEGY);
    expect(Object.keys(sdk).filter((name) => !told.has(name))).toEqual([]);
  });

  it('are seen missing', () => {
    expect(named('`Bot.start`, not Engine').has('Engine')).toBe(false);
    expect(givenOn("export { type A, b } from 'c';\nexport type { D } from 'e';")).toEqual(['A', 'b', 'D']);
  });
});

describe('the codes of errors', () => {
  const all = [...sourcesOf(ROOT).values()].flatMap(codesIn);

  it('are each the code of one class, and told by the guide for embedding with the exit code of each', () => {
    expect(all.toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual(codes(EMBED));
  });

  it('are seen twice, or in another spelling', () => {
    expect(codesIn("readonly code = 'ODDSMITH_A';\nreadonly code = 'ODDSMITH_A';")).toHaveLength(2);
    expect(codesIn("readonly code = 'ODDSMITH_A';")).toEqual([['ODDSMITH_A', 'undefined']]);
    expect(codes(EMBED.replace('_LISTEN`', '_LISTENING`'))).not.toEqual(codes(EMBED));
  });
});
