/** `docs/walks.md`: every walk as a list of files with their functions. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { verdictLines, verdicts } from '../../tools/house.mjs';
import { ANONYMOUS } from './coverage.js';
import { WALKS, type Walk } from './walks.js';

const PAGE = join(import.meta.dirname, '../../docs/walks.md');

const ABOUT: Readonly<Record<Walk['walk'], readonly [title: string, text: string]>> = {
  book: [
    'A book update becomes twenty signed quotes',
    'The venue says that a book moved by ten ticks. The bot quotes ten levels a side there: it replaces twenty orders in one request, signs it, writes it to the journal and hands it to the transport.',
  ],
  fill: [
    'A fill becomes profit and the next quote',
    'The venue says that one share of an order was filled. The bot books the fill, its position and its profit, and asks for the order in its full size again.',
  ],
  rest: [
    'An order on the bundled exchange',
    'A client sends one signed `POST /orders/` over a connection that is kept alive. The exchange checks it, matches it, answers it, and tells the subscribers.',
  ],
  backtest: [
    'A backtest',
    '`oddsmith backtest config/backtest.yaml --json`, from the start of the program to its end, loading of modules left out: the configuration is read, three scenarios run, and the report is written.',
  ],
};

/** @returns the exit code */
export async function writePage(): Promise<number> {
  const walks: Walk[] = [];
  for (const walk of WALKS) walks.push(walked(walk));
  const text = [INTRODUCTION, ...walks.map(section)].join('\n\n');
  writeFileSync(PAGE, await format(text, { parser: 'markdown', singleQuote: true, printWidth: 110 }));
  for (const { walk, files, functions } of walks)
    console.log(`${walk}: ${files} files, ${functions} functions`);
  return 0;
}

/** What of a walk differs from the page. @returns lines for a person; empty when the page is true */
export function differences({ walk, path }: Walk, page: string): readonly string[] {
  const [, section = ''] = page.split(`<!-- walk ${walk} -->`);
  const stated = [...section.split('<!-- end -->')[0]!.matchAll(/^\d+\. `([^`]+)`/gm)].map(
    ([, file]) => file!,
  );
  const walked = path.map(({ file }) => file);
  return [
    ...walked.filter((file) => !stated.includes(file)).map((file) => `${file} ran and is not on the page`),
    ...stated
      .filter((file) => !walked.includes(file))
      .map((file) => `${file} is on the page and did not run`),
  ];
}

/** Walks again and compares with the page and with the bounds of the house. @returns the exit code */
export function checkPage(): number {
  const page = readFileSync(PAGE, 'utf8');
  const found = WALKS.map(walked).flatMap((walk) => {
    const wrong = differences(walk, page);
    const text = [`the walk ${walk.walk} is as docs/walks.md has it`, ...wrong].join('\n       ');
    return [{ passed: wrong.length === 0, text }, ...verdicts(figuresOf(walk))];
  });
  console.log(verdictLines(found));
  return found.every(({ passed }) => passed) ? 0 : 1;
}

/** As the house bounds them. */
function figuresOf({ walk, files, functions }: Walk): Record<string, { readonly figure: number }> {
  if (walk === 'backtest') return {};
  const what = { book: 'a book update', fill: 'a fill', rest: 'an order on the exchange' }[walk];
  return {
    [`files that ${what} runs through`]: { figure: files },
    [`functions that ${what} runs`]: { figure: functions },
  };
}

/** Each in a process of its own: one that walked before would be warm in another way. */
function walked(walk: Walk['walk']): Walk {
  const main = join(import.meta.dirname, 'main.mjs');
  return JSON.parse(execFileSync(process.execPath, [main, walk, '--json'], { encoding: 'utf8' })) as Walk;
}

const INTRODUCTION = `# Walks through the code

What really runs when something happens: every file of \`src/\` and every function of it, in the order of their first calls,
as V8's precise coverage counted them in one warm run. \`npm run walk -- book\` walks again and prints the same;
\`npm run walk -- --write\` writes this page.`;

function section({ walk, files, functions, path }: Walk): string {
  const [title, text] = ABOUT[walk];
  const isLong = files > NAMED_UP_TO;
  const rows = path.map(
    (step) => `1. \`${step.file}\`: ${isLong ? step.functions.length : named(step.functions)}`,
  );
  return [
    `## ${title}`,
    text,
    `<!-- walk ${walk} -->`,
    `${files} files, ${functions} functions${isLong ? '; of each file, how many ran' : ''}.`,
    rows.join('\n'),
    '<!-- end -->',
  ].join('\n\n');
}

/** Nobody reads the functions of more files. */
const NAMED_UP_TO = 250;

/** Each name once; functions without one are counted. */
function named(functions: readonly string[]): string {
  const isNamed = (name: string): boolean => name !== ANONYMOUS && !name.startsWith('<');
  const names = [...new Set(functions.filter(isNamed))].map((name) => `\`${name}\``);
  const others = functions.filter((name) => !isNamed(name)).length;
  return [...names, ...(others > 0 ? [`${others} without a name`] : [])].join(', ');
}
