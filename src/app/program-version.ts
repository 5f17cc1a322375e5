import { createRequire } from 'node:module';

/** `0.1.0`: as the manifest of this package says, found the same way from the sources and from the build. */
export const programVersion = (): string =>
  (createRequire(import.meta.url)('oddsmith/package.json') as { readonly version: string }).version;
