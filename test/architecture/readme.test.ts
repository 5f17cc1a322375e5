import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/small-house.js';

const COMMANDS = ['npm ci && npm start', 'npm ci && npm test'] as const;
const missingFrom = (text: string): string[] => COMMANDS.filter((command) => !text.includes(command));

describe('README.md', () => {
  it('names the command that starts a market maker and the one that runs the tests', () => {
    const path = join(ROOT, 'README.md');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : COMMANDS.join('\n');
    expect(missingFrom(text)).toEqual([]);
  });

  it('is seen lacking them', () => {
    expect(missingFrom('npm ci && npm start')).toEqual(['npm ci && npm test']);
  });
});
