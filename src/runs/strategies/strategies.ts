/** Finds strategies by name or by path, and loads them. */
import { readdirSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type AnyStrategy, asStrategy } from '../../core/strategy/registry.js';
import { UsageError } from '../../domain/errors.js';
import { nearest } from '../../domain/nearest.js';
import type { BotSettings } from '../../settings/index.js';
import type { StrategyFile } from '../../storage/index.js';
import { fileHash, moduleGraph, strategyHash } from './strategy-hash.js';

const BUNDLED = fileURLToPath(new URL('../../../strategies', import.meta.url));
const ENDING = /(?<!\.d)\.m?[jt]s$/;

type Module = Readonly<Record<string, unknown>>;

/** A process loads a module once, so a file that changed later would run as its old version. */
export class ChangedStrategyError extends UsageError {}

/** Names of the strategies that come with the project, sorted. */
export const bundledStrategies = (): readonly string[] => [...bundledFiles().keys()].toSorted();

/**
 * Loads a strategy.
 * @param reference a bundled name such as `fixed-spread`, or a path to a JavaScript or TypeScript file
 * @param relativeTo the file whose directory relative paths start from
 * @throws UsageError when there is no such strategy; ChangedStrategyError when the file changed after this process
 *   loaded it
 */
export async function loadStrategy(reference: string, relativeTo: string): Promise<AnyStrategy> {
  const file = strategyFile(reference, relativeTo);
  const load = isPath(reference) ? importStrategyFile : importModule;
  const loaded = await loadUnchanged(file, () =>
    load(file).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      throw new UsageError(`the strategy file ${file} cannot be loaded: ${text}`, { cause: error });
    }),
  );
  return asStrategy(loaded['default'], file);
}

/** The file that {@link loadStrategy} loads. @throws UsageError when it cannot be found */
export const strategyFile = (reference: string, relativeTo: string): string =>
  isPath(reference) ? ownFile(reference, relativeTo) : bundledFile(reference);

/** The file of each instance's strategy with its hash. @throws UsageError when one cannot be found */
export const strategyFilesOf = (
  settings: Pick<BotSettings, 'instances'>,
  relativeTo: string,
): readonly StrategyFile[] =>
  settings.instances.map(({ name, strategy }) => {
    const file = strategyFile(strategy, relativeTo);
    return { instance: name, strategy, file, sha256: strategyHash(file) };
  });

/** Makes a path from the working directory absolute; a bundled name stays as it is. */
export const fromHere = (reference: string): string => (isPath(reference) ? resolve(reference) : reference);

/** Hash of each file when this process first loaded it; null: the file changed while it was loaded. */
const fileHashes = new Map<string, string | null>();
const strategyHashes = new Map<string, string | null>();

/** The {@link strategyHash} of a strategy file as this process loaded it; null for a file that it did not load. */
export const loadedStrategyHash = (file: string): string | null => strategyHashes.get(file) ?? null;

/** @throws ChangedStrategyError when the strategy, or a file that it imports, is not what this process loaded before */
async function loadUnchanged(strategy: string, load: () => Promise<Module>): Promise<Module> {
  const before = hashesOf(strategy);
  const whole = hashOrNull(strategy);
  for (const [file, hash] of before) {
    const loaded = fileHashes.get(file);
    if (loaded !== undefined && loaded !== hash) throw changed(file);
    fileHashes.set(file, hash);
  }
  const known = strategyHashes.get(strategy);
  if (known !== undefined && known !== whole) throw changed(strategy);
  const module = await load();
  const now = hashesOf(strategy);
  const different = [...new Set([...before.keys(), ...now.keys()])].filter(
    (file) => before.get(file) !== now.get(file),
  );
  for (const file of different) fileHashes.set(file, null);
  if (different.length > 0) throw changed(different[0]!);
  strategyHashes.set(strategy, whole);
  return module;
}

const changed = (file: string): ChangedStrategyError =>
  new ChangedStrategyError(
    `the strategy file ${file}, or one that it imports, has changed since this process loaded it; start it again`,
  );

/** Empty when a file cannot be read: the import reports why. */
function hashesOf(strategy: string): ReadonlyMap<string, string> {
  try {
    return new Map(moduleGraph(strategy).files.map((file) => [file, fileHash(file)]));
  } catch {
    return new Map();
  }
}

function hashOrNull(strategy: string): string | null {
  try {
    return strategyHash(strategy);
  } catch {
    return null;
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

/** Files by name; the name has no ending. */
function bundledFiles(): ReadonlyMap<string, string> {
  const files = readdirSync(BUNDLED).filter((file) => ENDING.test(file));
  return new Map(files.map((file) => [file.replace(ENDING, ''), resolve(BUNDLED, file)]));
}

let areHooksRegistered = false;
/** The last import of a TypeScript file. Imports wait for each other: the first to end removes the compiler. */
let compiling: Promise<unknown> = Promise.resolve();

/**
 * Imports a strategy file of the user's. TypeScript is compiled on the way (types are dropped, not checked), and
 * `oddsmith/sdk` resolves to this program's.
 */
async function importStrategyFile(file: string): Promise<Module> {
  // Errors then name the line that the author wrote.
  process.setSourceMapsEnabled(true);
  if (!/\.m?ts$/.test(file)) return importWithHooks(file);
  const module = compiling.then(async () => {
    const { register: compile } = await import('tsx/esm/api');
    const stop = compile({ tsconfig: false });
    try {
      return await importWithHooks(file);
    } finally {
      await stop();
    }
  });
  compiling = module.catch(() => undefined);
  return module;
}

function importWithHooks(file: string): Promise<Module> {
  if (!areHooksRegistered) {
    areHooksRegistered = true;
    const sdkUrl = new URL('../../core/strategy/sdk.js', import.meta.url).href;
    register(new URL('./hooks.mjs', import.meta.url), { data: { sdkUrl } });
  }
  return importModule(file);
}

const importModule = (file: string): Promise<Module> => import(pathToFileURL(file).href) as Promise<Module>;
