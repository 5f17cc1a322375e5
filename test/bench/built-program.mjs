/**
 * Loaded first by every process of a bench. Benches are TypeScript, and what they measure is the program as it is
 * built: an import of a file below `src/` or `strategies/` leads to its counterpart in `dist/`, because what tsx makes
 * of a source on the fly is slower than what the compiler makes of it.
 */
import { register as registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { register as registerTsx } from 'tsx/esm/api';

const ROOT = pathToFileURL(join(dirname(dirname(import.meta.dirname)), '/')).href;
const PROGRAM = ['src/', 'strategies/'];

// Node loads this file once more, in the thread of the hooks, for `resolve`.
if (isMainThread) {
  registerTsx();
  registerHooks(import.meta.url);
}

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) =>
  next(builtUrl(specifier, context.parentURL) ?? specifier, context);

/** @param {string} specifier  @param {string | undefined} importer  @returns {string | null} */
function builtUrl(specifier, importer) {
  if (!specifier.startsWith('.') || importer === undefined) return null;
  const { href } = new URL(specifier, importer);
  if (!href.startsWith(ROOT) || !href.endsWith('.js')) return null;
  const path = href.slice(ROOT.length);
  return PROGRAM.some((folder) => path.startsWith(folder)) ? `${ROOT}dist/${path}` : null;
}
