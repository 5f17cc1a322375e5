/** Finding strategies by name, among the bundled ones, or by path. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UsageError } from '../domain/errors.js';
import { type AnyStrategy, asStrategy } from '../strategy/registry.js';

const BUNDLED = fileURLToPath(new URL('../../strategies/', import.meta.url));
const SOURCE_ENDINGS = ['.js', '.mjs', '.ts', '.mts'];

/** Names of the strategies that come with the project, sorted. */
export function bundledStrategies(): readonly string[] {
  const names = readdirSync(BUNDLED)
    .filter((file) => /\.(js|ts)$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => file.replace(/\.(js|ts)$/, ''));
  return [...new Set(names)].toSorted();
}

/**
 * Loads a strategy.
 * @param reference a bundled name such as `fixed-spread`, or a path to a JavaScript or TypeScript file
 * @param relativeTo the file whose directory relative paths start from
 * @throws UsageError when it cannot be found or is no strategy
 */
export async function loadStrategy(reference: string, relativeTo: string): Promise<AnyStrategy> {
  const file = isPath(reference) ? resolve(dirname(relativeTo), reference) : bundledFile(reference);
  if (!existsSync(file)) throw new UsageError(`the strategy file ${file} does not exist`);
  const loaded = await importModule(file);
  return asStrategy(loaded['default'], file);
}

const isPath = (reference: string): boolean =>
  /^\.{0,2}\//.test(reference) || SOURCE_ENDINGS.includes(extname(reference));

function bundledFile(name: string): string {
  const file = SOURCE_ENDINGS.map((ending) => resolve(BUNDLED, name + ending)).find(existsSync);
  if (file !== undefined) return file;
  throw new UsageError(
    `there is no strategy named ${name}; bundled are ${bundledStrategies().join(', ')}, ` +
      'and a file of your own is named by its path, such as ./my-strategy.ts',
  );
}

/** TypeScript is compiled while loading, so that a strategy can be tried without a build. */
async function importModule(file: string): Promise<Record<string, unknown>> {
  try {
    const url = pathToFileURL(file).href;
    if (!/\.m?ts$/.test(file)) return (await import(url)) as Record<string, unknown>;
    const { tsImport } = await import('tsx/esm/api');
    return (await tsImport(url, import.meta.url)) as Record<string, unknown>;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the strategy file ${file} cannot be loaded: ${text}`, { cause: error });
  }
}
