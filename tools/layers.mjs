/**
 * Checks who imports whom against `layers.json`, which is the table of docs/architecture.md, and that no
 * imports run in a circle. Reads the real import statements: `import`, `import type`, `export ... from`,
 * `import('...')` in code and in types.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { circles } from './circles.mjs';
import { importsOf } from './imports.mjs';

/**
 * @typedef {import('./imports.mjs').Import} Import
 * @typedef {{ rooms: string[], mayMeet: 'none' | 'without circles' }} Layer
 * @typedef {{ rooms: string[] }} PackageRule
 * @typedef {{ mayImport: string[] }} StrategyRule
 * @typedef {{ layers: Layer[], pure: string[], packages: Record<string, PackageRule>, strategies: StrategyRule }} Rules
 * @typedef {import('./circles.mjs').Edge} Edge
 * @typedef {import('./circles.mjs').Violation} Violation
 */

/** @type {Rules} */
export const RULES = JSON.parse(readFileSync(join(import.meta.dirname, 'layers.json'), 'utf8'));

/**
 * @param {ReadonlyMap<string, string>} files  text by path from the project's root, `src/...` and `strategies/...`
 * @param {Rules} rules
 * @returns {Violation[]} in the order of the files; empty when all is well
 */
export function violationsIn(files, rules = RULES) {
  const imports = [...files].flatMap(([file, text]) => importsOf(file, text));
  return [
    ...[...files.keys()].flatMap((file) => strayFile(file, rules)),
    ...imports.flatMap((found) => violationsOf(found, rules)),
    ...circles(fileEdges(imports)),
    ...circles(roomEdges(imports, rules)),
  ];
}

/** @param {string} file  @param {Rules} rules  @returns {Violation[]} */
function strayFile(file, rules) {
  if (file.startsWith('strategies/') || layerOf(roomOf(file, rules), rules) >= 0) return [];
  return [{ file, line: 1, text: 'lies in no room of tools/layers.json' }];
}

/** @param {Import} found  @param {Rules} rules  @returns {Violation[]} */
function violationsOf(found, rules) {
  const text = found.file.startsWith('strategies/') ? strategyRule(found, rules) : roomRule(found, rules);
  return text === null ? [] : [{ file: found.file, line: found.line, text }];
}

/** @param {Import} found  @param {Rules} rules */
function strategyRule({ file, target }, rules) {
  if (target !== null && rules.strategies.mayImport.includes(target)) return null;
  if (target !== null && isOwnFolder(file, target)) return null;
  return `a strategy imports ${rules.strategies.mayImport.join(', ')} alone, not ${target ?? 'a computed path'}`;
}

/** @param {string} file  @param {string} target */
function isOwnFolder(file, target) {
  const [, folder, rest] = file.split('/');
  return (
    rest !== undefined && isRelative(target) && resolved(file, target).startsWith(`strategies/${folder}/`)
  );
}

/** @param {Import} found  @param {Rules} rules */
function roomRule(found, rules) {
  const { file, target } = found;
  if (target === null)
    return isPure(roomOf(file, rules), rules)
      ? `${roomOf(file, rules)} may not import a computed path`
      : null;
  if (!isRelative(target)) return packageRule(found, target, rules);
  const path = resolved(file, target);
  if (!path.startsWith('src/')) return `src imports nothing outside itself: ${path}`;
  return meetingRule(roomOf(file, rules), roomOf(path, rules), rules);
}

/** @param {string} from  @param {string} to  @param {Rules} rules */
function meetingRule(from, to, rules) {
  const [upper, lower] = [layerOf(from, rules), layerOf(to, rules)];
  if (from === to || lower < upper) return null;
  if (lower > upper) return `${from} (layer ${upper}) may not import ${to} (layer ${lower})`;
  if (rules.layers[upper]?.mayMeet === 'without circles') return null;
  return `rooms of layer ${upper} never import each other: ${from} imports ${to}`;
}

/** @param {Import} found  @param {string} target  @param {Rules} rules */
function packageRule({ file, typeOnly }, target, rules) {
  const room = roomOf(file, rules);
  if (isBuiltin(target))
    return isPure(room, rules) ? `${room} may not use ${target}, being free of Node` : null;
  const name = packageName(target);
  const rule = rules.packages[name];
  if (rule === undefined) return isPure(room, rules) ? `${room} may not use the package ${name}` : null;
  if (rule.rooms.includes(room)) return null;
  return `${room} may not import ${name}${typeOnly ? '' : ' (values)'}; allowed in: ${rule.rooms.join(', ') || 'no room'}`;
}

/** @param {string} target */
const isBuiltin = (target) => target.startsWith('node:') || builtinModules.includes(target);

/** @param {string} target */
const isRelative = (target) => target.startsWith('./') || target.startsWith('../');

/** @param {string} target */
const packageName = (target) =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

/** @param {string} file  @param {string} target  @returns {string} path from the root, of the source not the output */
const resolved = (file, target) =>
  posix.normalize(posix.join(posix.dirname(file), target)).replace(/\.js$/, '.ts');

/**
 * The room of a file is the longest folder below src/ that the table names.
 * @param {string} path  @param {Rules} rules  @returns {string} `index` for src/index.ts; the top folder when no room is named
 */
function roomOf(path, rules) {
  if (path === 'src/index.ts') return 'index';
  const folders = posix.dirname(path).split('/').slice(1);
  for (let depth = folders.length; depth > 0; depth -= 1) {
    const room = folders.slice(0, depth).join('/');
    if (layerOf(room, rules) >= 0) return room;
  }
  return folders[0] ?? '';
}

/** @param {string} room  @param {Rules} rules  @returns {number} -1 for a room not in the plan */
const layerOf = (room, rules) => rules.layers.findIndex(({ rooms }) => rooms.includes(room));

/** No Node, and of the packages only those `layers.json` grants. @param {string} room  @param {Rules} rules */
const isPure = (room, rules) => rules.pure.some((pure) => room === pure || room.startsWith(`${pure}/`));

/** @param {Import[]} imports  @returns {Edge[]} */
function fileEdges(imports) {
  return imports.flatMap(({ file, target, line }) =>
    target !== null && isRelative(target) ? [{ from: file, to: resolved(file, target), file, line }] : [],
  );
}

/** Edges between rooms that may meet, but not in circles. @param {Import[]} imports  @param {Rules} rules */
function roomEdges(imports, rules) {
  const rooms = rules.layers.flatMap((layer) => (layer.mayMeet === 'without circles' ? layer.rooms : []));
  return fileEdges(imports)
    .map((edge) => ({ ...edge, from: roomOf(edge.from, rules), to: roomOf(edge.to, rules) }))
    .filter(({ from, to }) => from !== to && rooms.includes(from) && rooms.includes(to));
}

/** @param {string} root  @returns {Map<string, string>} what {@link violationsIn} takes, read from the disk */
export function sourcesOf(root) {
  const paths = ['src', 'strategies'].flatMap((top) => typescriptUnder(root, top));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** @param {string} root  @param {string} top  @returns {string[]} */
function typescriptUnder(root, top) {
  try {
    return readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.[cm]?tsx?$/.test(path))
      .map((path) => posix.join(top, path))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = sourcesOf(resolve(process.argv[2] ?? dirname(import.meta.dirname)));
  const violations = violationsIn(files);
  for (const { file, line, text } of violations) console.log(`${file}:${line} ${text}`);
  // Nothing read means nothing checked, and must not look like success.
  if (files.size === 0) console.log('no sources found');
  process.exitCode = violations.length > 0 || files.size === 0 ? 1 : 0;
}
