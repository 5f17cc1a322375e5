import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
/** What a build is made of, and where it says so: `tools/build.mjs`. */
const SOURCES = ['src', 'strategies', 'tsconfig.json', 'package.json'];
const STAMP = '.sources.sha256';
const SHOWN = 12;

/** `0.1.0`: as the manifest of this package says, found the same way from the sources and from the build. */
export const programVersion = (): string =>
  (require('oddsmith/package.json') as { readonly version: string }).version;

let identity: string | null = null;

/**
 * `0.1.0+1a2b3c4d5e6f`: the version with the hash of the sources, the same from a build and from the sources that it was
 * made of. Results of two programs that differ in it may differ.
 */
export const programIdentity = (): string =>
  (identity ??= `${programVersion()}+${sourcesHash().slice(0, SHOWN)}`);

function sourcesHash(): string {
  const built = join(dirname(HERE), '..', '..', STAMP);
  if (isFile(built)) return readFileSync(built, 'utf8');
  const root = dirname(require.resolve('oddsmith/package.json'));
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesUnder(root, source))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesUnder(root: string, path: string): readonly string[] {
  if (!existsSync(join(root, path))) return [];
  if (isFile(join(root, path))) return [path];
  return readdirSync(join(root, path))
    .toSorted()
    .flatMap((name) => filesUnder(root, join(path, name)));
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
