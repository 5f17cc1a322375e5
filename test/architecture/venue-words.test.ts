import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/project/small-house.js';

/** What belongs to one venue: its name, its realtime service, its kinds of money, its adapter, names of its messages. */
const OF_ONE_VENUE =
  /futuur|pusher|play money|\bvenues\/(?!port\.js')|specification \d|(?:book|order|position)-update|(?:price|prices|status)-change/i;
/** What a venue answers by HTTP, and ids taken for numbers. */
const OF_ONE_WIRE = /\bstatus (?:[!=]==|[<>]=?) \d|\b(?:404|429)\b|(?:Number|parseInt)\((?:\w+\.)*\w+Id\)/;

/** Lines of the core or the domain that know one venue, comments included, as `file:line`. */
const knowing = (file: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      OF_ONE_VENUE.test(line) || OF_ONE_WIRE.test(line) ? [`${file}:${index + 1}`] : [],
    );

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);

it.each(['src/core', 'src/domain'])('%s knows no particular venue', (folder) => {
  const files = filesBelow(folder);
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap((file) => knowing(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

it.each([
  "import { FUTUUR } from '../../venues/futuur/profile.js';",
  "import { models } from '../../venues/simulated/models/index.js';",
  '/** As Futuur says it. */',
  '// the rule of Pusher',
  '/** Play money, mostly. */',
  "  if (input.kind === 'order-update') return;",
  '/** As sent (specification 6.3). */',
  'if (failure.status === 429) return;',
  'const isOlder = Number(one.orderId) < Number(other.orderId);',
])('would see %s', (line) => {
  expect(knowing('a.ts', `first\n${line}`)).toEqual(['a.ts:2']);
});

it('lets the core say what a venue can do', () => {
  expect(knowing('a.ts', "import type { Feed } from '../../venues/port.js';")).toEqual([]);
});
