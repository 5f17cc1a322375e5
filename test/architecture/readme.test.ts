import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.js';
import { EXIT } from '../../src/domain/errors.js';
import { pageText } from '../support/project/documents.js';

const COMMANDS = ['npm ci && npm start', 'npm ci && npm test'] as const;
const missingFrom = (text: string): string[] => COMMANDS.filter((command) => !text.includes(command));

/** The codes of the table below `### Exit codes`. */
function exitCodes(text: string): number[] {
  const [, section = ''] = text.split('### Exit codes\n');
  return [...section.split('\n## ')[0]!.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
}

/** Of every command its options, as the table below `## Commands` tells them. */
function toldOptions(text: string): Readonly<Record<string, readonly string[]>> {
  const section = text.split('## Commands\n')[1]!.split('\n#')[0]!;
  const rows = [...section.matchAll(/^\| `([a-z ]+?)(?: <[^`]*)?` .*\|(.*)\|$/gm)];
  return Object.fromEntries(rows.map(([, name, cell]) => [name!, optionsIn(cell!)]));
}

const optionsIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`(--[a-z-]+)/g)].map(([, option]) => option!).toSorted();

/** Of every command that does something its options, as the program knows them. */
function knownOptions(
  command: Command,
  path: readonly string[] = [],
): readonly (readonly [string, readonly string[]])[] {
  const options = command.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : [])).toSorted();
  const below = command.commands.flatMap((one) => knownOptions(one, [...path, one.name()]));
  const isGroup = path.length === 0 || GROUPS.has(path.join(' '));
  return isGroup ? below : [[path.join(' '), options], ...below];
}

/** They only hold others. */
const GROUPS: ReadonlySet<string> = new Set(['tape', 'config']);

const readme = pageText('README.md');

describe('README.md', () => {
  it('names the command that starts a market maker and the one that runs the tests', () => {
    expect(missingFrom(readme)).toEqual([]);
  });

  it('is seen lacking them', () => {
    expect(missingFrom('npm ci && npm start')).toEqual(['npm ci && npm test']);
  });

  it('names every command with every option', () => {
    const known = Object.fromEntries(knownOptions(buildProgram(() => undefined)));
    expect(toldOptions(readme)).toEqual(known);
    expect(Object.keys(known).length).toBeGreaterThan(20);
  });

  it('states every exit code', () => {
    expect(exitCodes(readme)).toEqual(Object.values(EXIT));
  });
});
