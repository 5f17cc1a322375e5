/** Finding strategies by name, among the bundled ones, or by path. */
import { readdirSync, statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UsageError } from '../../domain/errors.js';
import { nearest } from '../../domain/nearest.js';
import { type AnyStrategy, asStrategy } from '../../core/strategy/registry.js';
import { LoadedFiles } from './loaded-files.js';
import { importStrategyFile } from './modules.js';

const BUNDLED = fileURLToPath(new URL('../../../strategies', import.meta.url));
const ENDING = /(?<!\.d)\.m?[jt]s$/;

/** Names of the strategies that come with the project, sorted. */
export const bundledStrategies = (): readonly string[] => [...bundledFiles().keys()].toSorted();

/**
 * Loads a strategy.
 * @param reference a bundled name such as `fixed-spread`, or a path to a JavaScript or TypeScript file
 * @param relativeTo the file whose directory relative paths start from
 * @throws UsageError when it cannot be found or is no strategy; ChangedStrategyError when it is not any more what this process has loaded
 */
export async function loadStrategy(reference: string, relativeTo: string): Promise<AnyStrategy> {
  const file = strategyFile(reference, relativeTo);
  const loaded = await imported(file, isPath(reference) ? importStrategyFile : importBundled);
  return asStrategy(loaded['default'], file);
}

/** The file that {@link loadStrategy} loads. @throws UsageError when it cannot be found */
export const strategyFile = (reference: string, relativeTo: string): string =>
  isPath(reference) ? ownFile(reference, relativeTo) : bundledFile(reference);

/** The same reference for whoever reads it elsewhere: a path from the working directory becomes a whole one. */
export const fromHere = (reference: string): string => (isPath(reference) ? resolve(reference) : reference);

type Module = Readonly<Record<string, unknown>>;

const importBundled = (file: string): Promise<Module> => import(pathToFileURL(file).href) as Promise<Module>;

const loadedFiles = new LoadedFiles();

/** Of a strategy file that this process has loaded: its hash, with all that it imports, as it was then; null of any other. */
export const loadedStrategyHash = (file: string): string | null => loadedFiles.hashOf(file);

const imported = (file: string, load: (file: string) => Promise<Module>): Promise<Module> =>
  loadedFiles.watch(
    file,
    () => importing(file, load),
    (changed) => new ChangedStrategyError(againText(changed)),
  );

/** A module is loaded once: what it came to would be taken for what the file is by now. */
export class ChangedStrategyError extends UsageError {}

const againText = (file: string): string =>
  `the strategy file ${file}, or one that it imports, has changed since this process loaded it; start it again`;

async function importing(file: string, load: (file: string) => Promise<Module>): Promise<Module> {
  try {
    return await load(file);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the strategy file ${file} cannot be loaded: ${text}`, { cause: error });
  }
}

const isPath = (reference: string): boolean => reference.includes('/') || ENDING.test(reference);

function ownFile(reference: string, relativeTo: string): string {
  const file = resolve(dirname(relativeTo), reference);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageError(`the strategy file ${file} does not exist`);
  if (ENDING.test(file)) return file;
  throw new UsageError(
    `the strategy file ${file} ends in ${extname(file) || 'nothing'}; expected .ts or .js`,
  );
}

function bundledFile(name: string): string {
  const files = bundledFiles();
  const file = files.get(name);
  if (file !== undefined) return file;
  const names = bundledStrategies();
  const guess = nearest(name, names);
  throw new UsageError(
    `there is no strategy named ${name}; ` +
      (guess === null ? `bundled are ${names.join(', ')}` : `did you mean ${guess}?`) +
      ' (a file of your own is named by its path, such as ./my-strategy.ts)',
  );
}

/** By name, the name without its ending. */
function bundledFiles(): ReadonlyMap<string, string> {
  const files = readdirSync(BUNDLED).filter((file) => ENDING.test(file));
  return new Map(files.map((file) => [file.replace(ENDING, ''), resolve(BUNDLED, file)]));
}
