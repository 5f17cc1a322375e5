/**
 * Measures the size and the plainness of the house against `house.json`, one line each. `max` and `min` are what must hold
 * today; `target` is where the figure shall come to, and a bound only ever moves towards it.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { importsOf } from './imports.mjs';

/**
 * @typedef {{ min?: number, max: number, target: number }} Bound
 * @typedef {{ figure: number, places?: readonly string[] }} Measured  `places`: where what is counted stands
 * @typedef {{ passed: boolean, text: string }} Verdict
 */

/** @type {Readonly<Record<string, Bound>>} */
export const BOUNDS = JSON.parse(readFileSync(join(import.meta.dirname, 'house.json'), 'utf8'));

const ONE_IDEA_LINES = 60;

/**
 * @param {ReadonlyMap<string, string>} files  text by path from the root: `src/...` and `test/support/...`
 * @param {readonly string[]} banned  words that no trader would guess
 * @returns {Record<string, Measured>}
 */
export function figuresOf(files, banned) {
  const src = [...files].filter(([path]) => path.startsWith('src/'));
  const support = [...files].filter(([path]) => path.startsWith('test/support/'));
  const lengths = src.map(([, text]) => linesIn(text)).sort((a, b) => a - b);
  return {
    'lines of src': { figure: sum(lengths) },
    'files of src': { figure: src.length },
    'lines of the median file of src': { figure: lengths[Math.floor(lengths.length / 2)] ?? 0 },
    'lines of the largest file of src': { figure: lengths.at(-1) ?? 0 },
    'files of src with one importer and below 60 lines': counted(fragments(src)),
    'lines of test/support': { figure: sum(support.map(([, text]) => linesIn(text))) },
    'module-level mutable objects in src/core': counted(
      src
        .filter(([path]) => path.startsWith('src/core/'))
        .flatMap(([path, text]) => mutableObjects(path, text)),
    ),
    'comments about V8, hidden classes, boxed values or cache lines': counted(
      src
        .filter(([path]) => !path.startsWith('src/exchange/matching/'))
        .flatMap(([path, text]) => machineWords(path, text)),
    ),
    'banned words in src': counted(src.flatMap(([path, text]) => bannedWords(path, text, banned))),
  };
}

/**
 * @param {Readonly<Record<string, Measured>>} figures
 * @param {Readonly<Record<string, Bound>>} bounds
 * @returns {Verdict[]} one for each figure; a figure without a bound fails
 */
export function verdicts(figures, bounds = BOUNDS) {
  return Object.entries(figures).map(([name, { figure, places = [] }]) => {
    const bound = bounds[name];
    if (bound === undefined)
      return { passed: false, text: `${name}: ${figure}, without a bound in house.json` };
    const { min = 0, max, target } = bound;
    const passed = figure >= min && figure <= max;
    const wanted = min > 0 ? `from ${min} to ${max}` : `at most ${max}`;
    const isShort = min > 0 ? figure < target : figure > target;
    const goal = isShort ? `, target ${target}` : '';
    const where = passed
      ? ''
      : places
          .slice(0, 20)
          .map((place) => `\n       ${place}`)
          .join('');
    return { passed, text: `${name}: ${figure}, ${wanted}${goal}${where}` };
  });
}

/** @param {readonly Verdict[]} found  @returns {string} a line for each, as `npm run check` prints it */
export function verdictLines(found) {
  return found.map(({ passed, text }) => `${passed ? 'ok  ' : 'FAIL'} ${text}`).join('\n');
}

/** @param {readonly string[]} places  @returns {Measured} */
const counted = (places) => ({ figure: places.length, places });

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** @param {string} text */
const linesIn = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** Files that only one other file uses and that hold less than one idea. @param {readonly (readonly [string, string])[]} src */
function fragments(src) {
  /** @type {Map<string, Set<string>>} */
  const importers = new Map(src.map(([path]) => [path, new Set()]));
  for (const [path, text] of src)
    for (const { target } of importsOf(path, text))
      if (target !== null && target.startsWith('.'))
        importers.get(posix.join(posix.dirname(path), target).replace(/\.js$/, '.ts'))?.add(path);
  return src
    .filter(([path, text]) => importers.get(path)?.size === 1 && linesIn(text) < ONE_IDEA_LINES)
    .map(([path]) => path);
}

const MACHINE = /\bV8\b|\bhidden class|\bboxed\b|\bcache line/i;

/** @param {string} path  @param {string} text  @returns {string[]} */
function machineWords(path, text) {
  return parseSync(path, text)
    .comments.filter(({ value }) => MACHINE.test(value))
    .map(({ start }) => `${path}:${lineAt(text, start)}`);
}

/** @param {string} path  @param {string} text  @param {readonly string[]} banned  @returns {string[]} */
function bannedWords(path, text, banned) {
  const found = new RegExp(`(?<![a-z])(?:${banned.join('|')})(?![a-z])`, 'g');
  return [path, ...text.split('\n')].flatMap((line, at) =>
    [...wordsOf(line).matchAll(found)].map(([word]) => `${path}:${Math.max(at, 1)} ${word}`),
  );
}

/** `ownFloor` has the word `floor`; `Math.floor` rounds down. @param {string} line */
const wordsOf = (line) =>
  line
    .replaceAll(/\bMath\.floor\b/g, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();

const MUTATING = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin set add delete clear'.split(' '),
);
/** What holds no state that lasts from one call to the next. */
const STATELESS = new Set(['RegExp', 'TextEncoder', 'TextDecoder', 'URL']);

/**
 * What lies at the top of a module and may change: a `let`, something that is made with `new` and not declared as readonly,
 * and an object or array that the module itself changes.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function mutableObjects(path, text) {
  const { program } = parseSync(path, text);
  const changed = changedNames(program);
  return program.body.flatMap((statement) => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : /** @type {any} */ (statement);
    if (declaration?.type !== 'VariableDeclaration' || declaration.declare === true) return [];
    return declaration.declarations
      .filter((/** @type {any} */ one) => declaration.kind !== 'const' || isMutable(one, changed, text))
      .map((/** @type {any} */ one) => `${path}:${lineAt(text, one.start)} ${one.id.name}`);
  });
}

/** @param {any} declarator  @param {ReadonlySet<string>} changed  @param {string} text */
function isMutable({ id, init }, changed, text) {
  let value = init;
  while (value?.type === 'TSAsExpression' || value?.type === 'TSSatisfiesExpression')
    value = value.expression;
  const isObject = ['ObjectExpression', 'ArrayExpression', 'NewExpression'].includes(value?.type);
  if (isObject && changed.has(id.name)) return true;
  if (value?.type !== 'NewExpression' || STATELESS.has(value.callee.name)) return false;
  const type = id.typeAnnotation;
  return !(type && /\bReadonly|\breadonly /.test(text.slice(type.start, type.end)));
}

/** Names whose members are assigned, deleted, or changed by a method. @param {any} program  @returns {Set<string>} */
function changedNames(program) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {any} node */
  const note = (node) => {
    let inner = node;
    while (inner?.type === 'MemberExpression') inner = inner.object;
    if (inner?.type === 'Identifier' && inner !== node) names.add(inner.name);
  };
  new Visitor({
    AssignmentExpression: ({ left }) => note(left),
    UpdateExpression: ({ argument }) => note(argument),
    UnaryExpression: ({ operator, argument }) => {
      if (operator === 'delete') note(argument);
    },
    CallExpression: ({ callee }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (MUTATING.has(callee.property.name)) note(callee);
    },
  }).visit(program);
  return names;
}

/** @param {string} text  @param {number} start */
const lineAt = (text, start) => text.slice(0, start).split('\n').length;

/** The words of the table below `<!-- banned -->`. @param {string} page  @returns {string[]} */
export function bannedIn(page) {
  const [, table = ''] = page.split('<!-- banned -->');
  const rows = (table.split('<!-- end -->')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  const words = rows.slice(1).flatMap((row) => (row.split('|')[1] ?? '').split(','));
  return words.map((word) => word.trim()).filter((word) => /^[a-z]+$/.test(word));
}

/** @param {string} root  @returns {Map<string, string>} */
function filesOf(root) {
  const paths = ['src', 'test/support'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => posix.join(top, path))
      .sort(),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(dirname(import.meta.dirname));
  const banned = bannedIn(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));
  const found = verdicts(figuresOf(filesOf(root), banned));
  console.log(verdictLines(found));
  process.exitCode = found.every(({ passed }) => passed) ? 0 : 1;
}
