import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import * as matching from '../../../../src/exchange/matching/index.js';

const GUIDE = new URL('../../../../docs/guides/match-orders.md', import.meta.url);

it('the guide to the matching book prints what it says', () => {
  const [, code = '', printed = ''] =
    /```ts\n(.*?)```.*?```\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const lines: string[] = [];
  const log = (value: unknown): number => lines.push(typeof value === 'string' ? value : inspect(value));
  const script = code.replace(/import (\{.*?\}) from 'oddsmith\/matching';/, 'const $1 = matching;');
  runInNewContext(script, { matching, console: { log } });
  expect(lines.join('\n')).toBe(printed.trimEnd());
});
