/**
 * `npm run walk -- book|fill|rest|backtest [--json]`: runs one such thing once, warmed up, and prints every file and function
 * of the program that really ran, in the order of their first calls. V8's precise coverage says what ran.
 * `npm run walk -- --write` writes `docs/walks.md`, `--check` compares with that page and with the bounds of the house.
 */
import { parseArgs } from 'node:util';
import { checkPage, writePage } from './page.js';
import { measured, WALKS, type Walk } from './walks.js';

/** @returns the exit code */
export async function walk(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  });
  if (values.write) return writePage();
  if (values.check) return checkPage();
  const [name = ''] = positionals;
  if (!isWalk(name)) {
    console.error(`there is no walk "${name}"; there are ${WALKS.join(', ')}`);
    return 2;
  }
  const path = await measured(name);
  console.log(values.json ? JSON.stringify(path) : text(path));
  return 0;
}

const isWalk = (name: string): name is (typeof WALKS)[number] => (WALKS as readonly string[]).includes(name);

function text({ walk, files, functions, path }: Walk): string {
  const lines = path.map(({ file, functions }) => `${file}\n    ${functions.join(', ')}`);
  return [`${walk}: ${files} files, ${functions} functions`, ...lines].join('\n');
}
