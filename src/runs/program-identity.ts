/** What determines the results of a program: its code, its packages and the Node that runs them. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** What a build is made of, and where it says what that was and what came of it: `tools/build.mjs`. */
const SOURCES = ['src', 'strategies', 'tsconfig.json', 'package.json'];
const SOURCES_STAMP = '.sources.sha256';
const CODE_STAMP = '.code.sha256';
const CODE = ['src', 'strategies'];
const SHOWN = 12;

/**
 * Twelve hexadecimal digits: the same from a build and from the sources that it was made of, another for a build that was
 * changed since. Takes around a tenth of a second.
 */
export function identityOf({ root, build, node }: ProgramParts): string {
  const code = build === null ? hashUnder(root, SOURCES, () => true) : builtOf(build);
  const determined = JSON.stringify([code, packagesOf(root), node]);
  return createHash('sha256').update(determined).digest('hex').slice(0, SHOWN);
}

/** Whether a folder is a build, and not the sources. */
export const isBuild = (folder: string): boolean => isFile(join(folder, SOURCES_STAMP));

/** Hash of the sources that a build was made of; what it is now where it is no longer what the compiler made. */
function builtOf(build: string): string {
  const code = hashUnder(build, CODE, (name) => /\.[cm]?js$/.test(name));
  const made = join(build, CODE_STAMP);
  const isAsMade = isFile(made) && readFileSync(made, 'utf8') === code;
  return isAsMade ? readFileSync(join(build, SOURCES_STAMP), 'utf8') : `changed ${code}`;
}

/**
 * Packages that a program needs, as they are installed, with what these need; sorted. Optional ones, which a platform may
 * lack, and those for developers alone are left out.
 */
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

/** As Node finds it; null: it is not there. */
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
