import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.js';
import { EXIT } from '../../src/domain/errors.js';
import { pages, pageText } from '../support/project/documents.js';

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
  const rows = [...section.matchAll(/^\| `([a-z -]+?)(?: <[^`]*)?` .*\|(.*)\|$/gm)];
  return Object.fromEntries(rows.map(([, name, cell]) => [name!, optionsIn(cell!)]));
}

const optionsIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`(--[a-zA-Z-]+)/g)].map(([, option]) => option!).toSorted();

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
const GROUPS: ReadonlySet<string> = new Set([
  'alert',
  'canary',
  'config',
  'new',
  'recording',
  'runs',
  'state',
  'tape',
  'validate',
]);

const readme = pageText('README.md');
const commands = pageText('docs/commands.md');

/** What a newcomer asks, in this order. */
const ORDER = [
  '# Oddsmith',
  '## Who it is for',
  '## Has it traded live?',
  '## See it run',
  '## My first bot',
  '## My first strategy',
  '## My first backtest',
  '## Where is what',
] as const;
const MAX_LINES = 180;

describe('README.md', () => {
  it('names the command that starts a market maker and the one that runs the tests', () => {
    expect(missingFrom(readme)).toEqual([]);
  });

  it('is seen lacking them', () => {
    expect(missingFrom('npm ci && npm start')).toEqual(['npm ci && npm test']);
  });

  it('answers the questions of a newcomer in their order, on few lines', () => {
    const headings = readme.split('\n').filter((line) => /^##? /.test(line));
    expect(headings).toEqual(ORDER);
    expect(readme.split('\n').length).toBeLessThanOrEqual(MAX_LINES + 1);
  });
});

describe('docs/commands.md', () => {
  it('names every command with every option', () => {
    const known = Object.fromEntries(knownOptions(buildProgram(() => undefined)));
    expect(toldOptions(commands)).toEqual(known);
    expect(Object.keys(known).length).toBeGreaterThan(20);
  });

  it('states every exit code', () => {
    expect(exitCodes(commands)).toEqual(Object.values(EXIT));
  });
});

describe('docs/README.md', () => {
  it('lists every page but decision records', () => {
    const listed = pageText('docs/README.md');
    const missing = pages().filter(
      (page) => page.startsWith('docs/') && page !== 'docs/README.md' && !page.startsWith('docs/decisions/'),
    );
    expect(missing.filter((page) => !listed.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
    expect(missing.length).toBeGreaterThan(10);
  });
});
