/** Finds strategies by name or by path, and loads them. */
import { readdirSync, statSync, readFileSync, existsSync } from 'node:fs';
import { register, createRequire, isBuiltin } from 'node:module';
import { dirname, extname, resolve, relative, sep, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createHash } from 'node:crypto';
import type { AnyModifier, ModifierUse } from '../../core/strategy/modifiers.js';
import { checkParameters } from '../../core/strategy/parameters.js';
import { type AnyStrategy, asModifier, asStrategy } from '../../core/strategy/registry.js';
import { UsageError } from '../../domain/errors.js';
import { nearest } from '../../domain/nearest.js';
import type { BotSettings } from '../../settings/index.js';
import type { ModifierFile, StrategyFile } from '../../storage/tape/records.js';

interface Bundled {
  readonly kind: 'strategy' | 'modifier';
  readonly folder: string;
}

const STRATEGIES: Bundled = {
  kind: 'strategy',
  folder: fileURLToPath(new URL('../../../strategies', import.meta.url)),
};
const MODIFIERS: Bundled = { kind: 'modifier', folder: resolve(STRATEGIES.folder, 'modifiers') };
const ENDING = /(?<!\.d)\.m?[jt]s$/;

type Module = Readonly<Record<string, unknown>>;

/** A process loads a module once, so a file that changed later would run as its old version. */
export class ChangedStrategyError extends UsageError {}

/** Names of the strategies that come with the project, sorted. */
export const bundledStrategies = (): readonly string[] => [...bundledFiles(STRATEGIES).keys()].toSorted();

/** Names of the modifiers that come with the project, sorted. */
export const bundledModifiers = (): readonly string[] => [...bundledFiles(MODIFIERS).keys()].toSorted();

/**
 * Loads a strategy.
 * @param reference a bundled name such as `fixed-spread`, or a path to a JavaScript or TypeScript file
 * @param relativeTo the file whose directory relative paths start from
 * @throws UsageError when there is no such strategy; ChangedStrategyError when the file changed after this process
 *   loaded it
 */
export async function loadStrategy(reference: string, relativeTo: string): Promise<AnyStrategy> {
  const file = strategyFile(reference, relativeTo);
  return asStrategy(await loadDefault(reference, file), file);
}

/** Loads a modifier as {@link loadStrategy} a strategy. */
export async function loadModifier(reference: string, relativeTo: string): Promise<AnyModifier> {
  const file = modifierFile(reference, relativeTo);
  return asModifier(await loadDefault(reference, file), file);
}

/**
 * Loads the modifiers of a tape.
 * @throws UsageError when one cannot be found, or does not take its parameters any more
 */
export async function recordedModifiers(recorded: readonly ModifierFile[]): Promise<readonly ModifierUse[]> {
  const uses = [];
  for (const { modifier: name, file, params } of recorded) {
    const modifier = await loadModifier(isPath(name) ? file : name, '');
    const check = checkParameters(modifier.params, params);
    if (!check.ok) throw new UsageError(`modifier ${name} does not take its recorded parameters any more`);
    uses.push({ modifier, parameters: check.values });
  }
  return uses;
}

async function loadDefault(reference: string, file: string): Promise<unknown> {
  const load = isPath(reference) ? importStrategyFile : importModule;
  const loaded = await loadUnchanged(file, () =>
    load(file).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      throw new UsageError(`the strategy file ${file} cannot be loaded: ${text}`, { cause: error });
    }),
  );
  return loaded['default'];
}

/** The file that {@link loadStrategy} loads. @throws UsageError when it cannot be found */
export const strategyFile = (reference: string, relativeTo: string): string =>
  isPath(reference) ? ownFile(reference, relativeTo) : bundledFile(reference, STRATEGIES);

const modifierFile = (reference: string, relativeTo: string): string =>
  isPath(reference) ? ownFile(reference, relativeTo) : bundledFile(reference, MODIFIERS);

/** The file of each instance's strategy with its hash. @throws UsageError when one cannot be found */
export const strategyFilesOf = (
  settings: Pick<BotSettings, 'instances'>,
  relativeTo: string,
): readonly StrategyFile[] =>
  settings.instances.map(({ name, strategy, modifiers: uses, signals }) => {
    const file = strategyFile(strategy, relativeTo);
    const named = { instance: name, strategy, file };
    const source = Object.keys(signals).length === 0 ? named : { ...named, signals };
    if (uses.length === 0) return { ...source, sha256: strategyHash(file) };
    const modifiers = uses.map((use) => ({ ...use, file: modifierFile(use.modifier, relativeTo) }));
    return { ...source, sha256: wholeHash(file, modifiers), modifiers };
  });

/** Hash of a strategy and of its modifiers. */
export function wholeHash(file: string, modifiers: readonly ModifierFile[] = []): string {
  if (modifiers.length === 0) return strategyHash(file);
  const hashes = [file, ...modifiers.map((one) => one.file)].map(strategyHash);
  return createHash('sha256').update(hashes.join('\n')).digest('hex');
}

/** Makes a path from the working directory absolute; a bundled name stays as it is. */
export const fromHere = (reference: string): string => (isPath(reference) ? resolve(reference) : reference);

/** Hash of each file, and of each strategy with its imports, as this process loaded it; null: it changed meanwhile. */
const loadedHashes = new Map<string, string | null>();
const withImports = (strategy: string): string => `${strategy} with its imports`;

/** The {@link strategyHash} of a strategy file as this process loaded it; null for a file that it did not load. */
export const loadedStrategyHash = (file: string): string | null =>
  loadedHashes.get(withImports(file)) ?? null;

/** @throws ChangedStrategyError when the strategy, or a file that it imports, is not what this process loaded before */
async function loadUnchanged(strategy: string, load: () => Promise<Module>): Promise<Module> {
  const before = hashesOf(strategy);
  for (const [name, hash] of before) {
    if (loadedHashes.has(name) && loadedHashes.get(name) !== hash) throw changed(name);
    loadedHashes.set(name, hash);
  }
  const module = await load();
  const now = hashesOf(strategy);
  const different = [...before.keys(), ...now.keys()].filter((name) => before.get(name) !== now.get(name));
  for (const name of different) loadedHashes.set(name, null);
  if (different.length > 0) throw changed(different[0]!);
  return module;
}

const changed = (file: string): ChangedStrategyError =>
  new ChangedStrategyError(
    `the strategy file ${file}, or one that it imports, has changed since this process loaded it; start it again`,
  );

/** Empty when a file cannot be read: the import reports why. */
function hashesOf(strategy: string): ReadonlyMap<string, string> {
  try {
    const files = moduleGraph(strategy).files.map((file) => [file, fileHash(file)] as const);
    return new Map([...files, [withImports(strategy), strategyHash(strategy)]]);
  } catch {
    return new Map();
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

function bundledFile(name: string, bundled: Bundled): string {
  const files = bundledFiles(bundled);
  const file = files.get(name);
  if (file !== undefined) return file;
  const names = [...files.keys()].toSorted();
  const guess = nearest(name, names);
  throw new UsageError(
    `there is no ${bundled.kind} named ${name}; ` +
      (guess === null ? `bundled are ${names.join(', ')}` : `did you mean ${guess}?`) +
      ` (a file of your own is named by its path, such as ./my-${bundled.kind}.ts)`,
  );
}

/** Files by name; the name has no ending. */
function bundledFiles({ folder }: Bundled): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => ENDING.test(file));
  return new Map(files.map((file) => [file.replace(ENDING, ''), resolve(folder, file)]));
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
    const strategiesUrl = pathToFileURL(STRATEGIES.folder).href;
    register(new URL('./hooks.mjs', import.meta.url), { data: { sdkUrl, strategiesUrl } });
  }
  return importModule(file);
}

const importModule = (file: string): Promise<Module> => import(pathToFileURL(file).href) as Promise<Module>;

/** Hashes a strategy with everything that it imports. */

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

interface ModuleGraph {
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
function moduleGraph(entry: string): ModuleGraph {
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
