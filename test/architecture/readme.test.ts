import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/domain/errors.js';
import { pageText } from '../support/documents.js';

const COMMANDS = ['npm ci && npm start', 'npm ci && npm test'] as const;
const missingFrom = (text: string): string[] => COMMANDS.filter((command) => !text.includes(command));

/** The codes of the table below `### Exit codes`. */
function exitCodes(text: string): number[] {
  const [, section = ''] = text.split('### Exit codes\n');
  return [...section.split('\n## ')[0]!.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
}

const readme = pageText('README.md');

describe('README.md', () => {
  it('names the command that starts a market maker and the one that runs the tests', () => {
    expect(missingFrom(readme)).toEqual([]);
  });

  it('is seen lacking them', () => {
    expect(missingFrom('npm ci && npm start')).toEqual(['npm ci && npm test']);
  });

  it('states every exit code', () => {
    expect(exitCodes(readme)).toEqual(Object.values(EXIT));
  });
});
