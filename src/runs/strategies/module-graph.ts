/** The files that a module is made of: itself and what it imports, as far as that is said in its text. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface ModuleGraph {
  /** Absolute paths, the module itself first, then as they are met. */
  readonly files: readonly string[];
  /** `name@version` of packages, sorted; what they are made of is their version's business. */
  readonly packages: readonly string[];
}

const GAP = String.raw`(?:\s|/\*[\s\S]*?\*/|//[^\n]*\n)*`;
const NAMED = String.raw`(['"\`])([^'"\`\n]+)\1`;
/** `from 'x'`, `import 'x'`, `import('x')`, `require('x')`. Text that only looks like one does no harm: it is looked up in vain. */
const IMPORTS = new RegExp(String.raw`\b(?:from|import|require)${GAP}\(?${GAP}${NAMED}`, 'g');

/** What the program itself gives to strategies. */
const OWN = /^oddsmith(\/|$)/;
const ENDINGS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'];

/**
 * Follows imports that name their module by a literal, transitively. What only looks like an import, or leads nowhere, is
 * passed over: whoever loads the module hears of it. A module whose name is computed is not seen.
 * @throws Error of the file system when a file cannot be read
 */
export function moduleGraph(entry: string): ModuleGraph {
  const files = new Set<string>([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    if (file.endsWith('.json')) continue;
    for (const name of importsIn(readFileSync(file, 'utf8'))) {
      const found = filesOf(name, file);
      for (const one of found) files.add(one);
      const named = found.length === 0 && isPackage(name) ? packageOf(name, file) : null;
      if (named !== null) packages.add(named);
    }
  }
  return { files: [...files], packages: [...packages].toSorted() };
}

const importsIn = (text: string): readonly string[] => [
  ...new Set(Array.from(text.matchAll(IMPORTS), (found) => found[2]!)),
];

const isPackage = (name: string): boolean => /^[@\w]/.test(name) && !isBuiltin(name) && !OWN.test(name);

/** All files that a path may mean: which of them a loader takes is its business. Packages have none. */
function filesOf(name: string, importer: string): readonly string[] {
  const path = pathOf(name, importer);
  if (path === null) return [];
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const endings = stem === path ? ENDINGS : ['.ts', '.mts', '.cts', '.tsx'];
  return [
    path,
    ...endings.map((ending) => stem + ending),
    ...ENDINGS.map((ending) => join(path, `index${ending}`)),
  ].filter(isFile);
}

function pathOf(given: string, importer: string): string | null {
  const name = given.replace(/[?#].*$/, '');
  if (name.startsWith('.') || name.startsWith('/')) return resolve(dirname(importer), name);
  if (name.startsWith('file:')) return URL.canParse(name) ? fileURLToPath(name) : null;
  return given.startsWith('#') ? mapped(given, importer) : null;
}

/** A name that the package of the importer maps to one of its own files. */
function mapped(name: string, importer: string): string | null {
  try {
    return createRequire(pathToFileURL(importer)).resolve(name);
  } catch {
    return null;
  }
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** null: none of this name is there. */
function packageOf(specifier: string, importer: string): string | null {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(manifest)) return `${name}@${versionIn(manifest)}`;
    if (folder === dirname(folder)) return null;
  }
}

function versionIn(manifest: string): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: string };
  return version ?? '';
}
