/** The version of this program, and the hash of everything that determines its results. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

const HERE = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);

/** `0.1.0`, from package.json. */
export const programVersion = (): string =>
  (require('oddsmith/package.json') as { readonly version: string }).version;

let identity: string | null = null;

/**
 * `0.1.0+1a2b3c4d5e6f`: the version with a hash of the code, its packages and Node. A build and its sources have the same
 * identity. Programs with different identities may give different results.
 */
export const programIdentity = (): string => (identity ??= `${programVersion()}+${hashOfThis()}`);

function hashOfThis(): string {
  const folder = join(dirname(HERE), '..', '..');
  return identityOf({
    root: dirname(require.resolve('oddsmith/package.json')),
    build: isBuild(folder) ? folder : null,
    node: process.version,
  });
}

export interface ProgramParts {
  /** Folder of the package. */
  readonly root: string;
  /** Folder of the build that runs; null: the sources run. */
  readonly build: string | null;
  /** Version of Node. */
  readonly node: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The inputs of a build, and the files in which `tools/build.mjs` keeps the hashes of input and output. */
const SOURCES = ['src', 'strategies', 'tsconfig.json', 'package.json'];
const SOURCES_STAMP = '.sources.sha256';
const CODE_STAMP = '.code.sha256';
const CODE = ['src', 'strategies'];
const SHOWN = 12;

/** Twelve hexadecimal digits. A build that was changed by hand has another identity. Takes a tenth of a second. */
export function identityOf({ root, build, node }: ProgramParts): string {
  const code = build === null ? hashUnder(root, SOURCES, () => true) : builtOf(build);
  const determined = JSON.stringify([code, packagesOf(root), node]);
  return createHash('sha256').update(determined).digest('hex').slice(0, SHOWN);
}

/** Whether a folder holds a build instead of sources. */
const isBuild = (folder: string): boolean => isFile(join(folder, SOURCES_STAMP));

/** Hash of the sources of a build; hash of its code when the code was changed after the build. */
function builtOf(build: string): string {
  const code = hashUnder(build, CODE, (name) => /\.[cm]?js$/.test(name));
  const made = join(build, CODE_STAMP);
  const isAsMade = isFile(made) && readFileSync(made, 'utf8') === code;
  return isAsMade ? readFileSync(join(build, SOURCES_STAMP), 'utf8') : `changed ${code}`;
}

/** Installed dependencies, transitively, sorted. Optional and development dependencies are left out. */
function packagesOf(root: string): readonly string[] {
  const found = new Map([[root, manifestIn(root)]]);
  for (const [folder, { dependencies = {} }] of found)
    for (const name of Object.keys(dependencies)) {
      const place = installedAt(folder, name);
      if (place !== null && !found.has(place)) found.set(place, manifestIn(place));
    }
  return [...found.values()].map(({ name, version }) => `${name}@${version}`).toSorted();
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Finds a package as Node does; null: it is not installed. */
function installedAt(folder: string, name: string): string | null {
  const place = join(folder, 'node_modules', name);
  if (isFile(join(place, 'package.json'))) return realpathSync(place);
  return folder === dirname(folder) ? null : installedAt(dirname(folder), name);
}

function hashUnder(root: string, paths: readonly string[], counts: (name: string) => boolean): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((one) => filesUnder(root, one, counts))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Sorted, relative to the root. @param path a file or a folder; nothing where there is none */
function filesUnder(root: string, path: string, counts: (name: string) => boolean): readonly string[] {
  if (isFile(join(root, path))) return [path];
  if (!existsSync(join(root, path))) return [];
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  return entries
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const own = join(path, entry.name);
      if (!entry.isFile()) return filesUnder(root, own, counts);
      return counts(entry.name) ? [own] : [];
    });
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
