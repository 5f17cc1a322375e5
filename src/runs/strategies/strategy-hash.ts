/** Hashes a strategy with everything that it imports. */
import { createHash } from 'node:crypto';
import { readFileSync, existsSync, statSync } from 'node:fs';
import { dirname, relative, sep, join, resolve } from 'node:path';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Hashes a strategy: SHA-256, 64 hexadecimal digits. A strategy that imports only the SDK has the hash of its file.
 * Otherwise the hash covers all imported files, sorted by path, and the names and versions of packages.
 */
export function strategyHash(file: string): string {
  const { files, packages } = moduleGraph(file);
  if (files.length === 1 && packages.length === 0) return fileHash(file);
  const named = files
    .map((path) => `${relative(dirname(file), path).split(sep).join('/')} ${fileHash(path)}`)
    .toSorted();
  return createHash('sha256')
    .update([...named, ...packages].join('\n'))
    .digest('hex');
}

/** SHA-256 of a file's bytes, 64 hexadecimal digits. */
export const fileHash = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

export interface ModuleGraph {
  /** Absolute paths, the module itself first, then as they are met. */
  readonly files: readonly string[];
  /** `name@version` of packages, sorted. */
  readonly packages: readonly string[];
}

const GAP = String.raw`(?:\s|/\*[\s\S]*?\*/|//[^\n]*\n)*`;
const NAMED = String.raw`(['"\`])([^'"\`\n]+)\1`;
/** `from 'x'`, `import 'x'`, `import('x')`, `require('x')`. Text that only looks like an import names no file. */
const IMPORTS = new RegExp(String.raw`\b(?:from|import|require)${GAP}\(?${GAP}${NAMED}`, 'g');

/** The SDK. */
const OWN = /^oddsmith(\/|$)/;
const ENDINGS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'];

/**
 * Follows imports whose module is named by a literal. Imports that lead nowhere are passed over: loading reports them.
 * Computed module names are not seen.
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

/** Every file that a path may mean to a loader; empty for packages. */
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

/** Resolves a `#name` that the importer's package maps to its own file. */
function mapped(name: string, importer: string): string | null {
  try {
    return createRequire(pathToFileURL(importer)).resolve(name);
  } catch {
    return null;
  }
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** null: no such package is installed. */
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
