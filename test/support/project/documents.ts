/** Reads the written house: its Markdown pages, their tables, and what they point at. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './small-house.js';

/** Every page of the project, from its root. */
export function pages(): readonly string[] {
  const guides = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const all = [...readdirSync(ROOT), ...guides.map((page) => `docs/${page}`)];
  return all.filter((page) => page.endsWith('.md')).toSorted();
}

export const pageText = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The cells of the table below `<!-- name -->`, without its head. */
export function tableRows(text: string, name: string): readonly (readonly string[])[] {
  const lines = (text.split(`<!-- ${name} -->`)[1] ?? '').split('<!-- end -->')[0]!.split('\n');
  const rows = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1));
  return rows.slice(2).map((cells) => cells.map((cell) => cell.trim()));
}

const LINK = /\]\(([^)#\s]+)(#[^)\s]*)?\)/g;
const PATH = /`([a-z-]+\/[\w./-]*)`/g;
/** Folders that a run makes, and those in its own folder. */
const MADE = /^(?:dist|runs|\.oddsmith|tape)\//;

/** Links to files that do not exist, as `page: target`. */
export function brokenLinks(page: string, text: string): readonly string[] {
  const targets = [...text.matchAll(LINK)].map(([, target]) => target!);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(ROOT, dirname(page), target)))
    .map((target) => `${page}: ${target}`);
}

/** Paths in backticks that exist neither below the root nor below `src/` or `test/`, as `page: path`. */
export function strayPaths(page: string, text: string): readonly string[] {
  const paths = [...text.matchAll(PATH)].map(([, path]) => path!).filter((path) => isFilePath(path));
  return paths
    .filter((path) => !['', 'src', 'test'].some((base) => existsSync(join(ROOT, base, path))))
    .map((path) => `${page}: ${path}`);
}

/** Something with an ending or a trailing slash; `application/json` is none. */
const isFilePath = (path: string): boolean =>
  !MADE.test(path) && (path.endsWith('/') || /\.(?:ts|mjs|json|yaml|md|gz)$/.test(path));
