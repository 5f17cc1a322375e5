import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityOf, isBuild } from './program-identity.js';

const HERE = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);

/** `0.1.0`: as the manifest of this package says, found the same way from the sources and from the build. */
export const programVersion = (): string =>
  (require('oddsmith/package.json') as { readonly version: string }).version;

let identity: string | null = null;

/**
 * `0.1.0+1a2b3c4d5e6f`: the version with the hash of the code, its packages and Node, the same from a build and from the
 * sources that it was made of. Results of two programs that differ in it may differ.
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
