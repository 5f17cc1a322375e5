import { readFileSync } from 'node:fs';
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  isSeq,
} from 'yaml';
import { RECEIVER_SECRETS } from './alerts-schema.js';
import { dotted, type Problem, SettingsError } from './problems.js';
import { yamlProblem } from './yaml-words.js';

const NO_KEYS = ['venue.publicKey=none', 'venue.privateKey=none'];

/** Keys and tokens, by the variable that holds them. Commands that never sign do not need them. */
const KEY_PATHS = [
  ['venue', 'publicKey'],
  ['venue', 'privateKey'],
  ['guard', 'publicKey'],
  ['guard', 'privateKey'],
  ['http', 'token'],
] as const;

/** Adds the secrets of each source of fair values and of each receiver of alerts. */
function keyPathsOf(document: Document): readonly (readonly (string | number)[])[] {
  const below = (list: readonly string[], keys: readonly string[]): (string | number)[][] => {
    const node = document.getIn(list, true);
    return isSeq(node) ? node.items.flatMap((_item, at) => keys.map((key) => [...list, at, key])) : [];
  };
  const receivers = below(['alerts', 'receivers'], Object.keys(RECEIVER_SECRETS));
  return [...KEY_PATHS, ...below(['fairValues'], ['token']), ...receivers];
}

/** Paper trading signs nothing. */
const KEYS_AT_THE_VENUE = KEY_PATHS.filter(([section]) => section !== 'http');

/** Tells whether variables of keys must be set. */
export type KeyNeed = 'keys' | 'no keys';

/** A key whose variable is not set. */
export interface UnsetKey {
  /** Dotted, such as `venue.privateKey`. */
  readonly path: string;
  readonly at: MissingVariable;
}

/** A parsed YAML file. It knows the line and column of each value. */
export class SettingsSource {
  private constructor(
    readonly file: string,
    private readonly document: Document,
    private readonly lines: LineCounter,
    private readonly interpolation: Interpolation,
    /** Overrides of the file, `path=value` each. */
    readonly overrides: readonly string[],
    /** Empty where keys are needed. */
    readonly unsetKeys: readonly UnsetKey[],
  ) {}

  /**
   * @param overrides `path=value` each, applied to the file
   * @param need      whether the variables of keys must be set; if not, a placeholder replaces their values
   * @throws SettingsError when the file cannot be read, is no YAML, or names a variable that is not set
   */
  static read(
    file: string,
    environment: Readonly<Record<string, string | undefined>>,
    overrides: readonly string[] = [],
    need: KeyNeed = 'keys',
  ): SettingsSource {
    return SettingsSource.parse(readText(file), file, environment, overrides, need);
  }

  /** Reads a file for a command that only listens. Keys of the venue are ignored. */
  static readWithoutKeys(
    file: string,
    environment: Readonly<Record<string, string | undefined>>,
  ): SettingsSource {
    const text = readText(file);
    const hasVenue = isMap(parseDocument(text).get('venue', true));
    return SettingsSource.parse(text, file, environment, hasVenue ? NO_KEYS : [], 'no keys');
  }

  /** @throws SettingsError */
  static parse(
    text: string,
    file: string,
    environment: Readonly<Record<string, string | undefined>>,
    overrides: readonly string[] = [],
    need: KeyNeed = 'keys',
  ): SettingsSource {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
    const unreadable = yamlProblem({ document, text });
    if (unreadable !== null) throw new SettingsError(file, [unreadable]);
    const refused = applyOverrides(document, overrides);
    if (refused.length > 0)
      throw new SettingsError(
        file,
        refused.map(({ override, message }) => problemAt(lines, 0, '', `--set ${override}: ${message}`)),
      );
    const interpolation = interpolate(document, environment);
    const isPaper = isMap(document.contents) && document.get('mode') === 'paper';
    const optional = need === 'no keys' ? keyPathsOf(document) : isPaper ? KEYS_AT_THE_VENUE : [];
    const keys = unsetKeysOf(document, interpolation.missing, optional);
    if (isPaper) applyOverrides(document, isMap(document.get('venue', true)) ? NO_KEYS : []);
    const source = new SettingsSource(file, document, lines, interpolation, overrides, keys);
    const missing = interpolation.missing.filter((one) => keys.every(({ at }) => at !== one));
    if (missing.length > 0)
      throw new SettingsError(
        file,
        missing.map(({ name, offset }) =>
          problemAt(lines, offset, '', `the environment variable ${name} is not set`),
        ),
      );
    return source;
  }

  /** Plain values, after interpolation. */
  get value(): unknown {
    return this.document.toJS();
  }

  /** Reports a problem at the deepest existing node of the path, or at the key that `key` names. */
  problem(path: readonly PropertyKey[], message: string, key?: string): Problem {
    const full = key === undefined ? path : [...path, key];
    return problemAt(this.lines, this.offsetOf(path, key), dotted(full), message);
  }

  /** Tells whether the scalar at the path was written as one `${NAME}`, without a default. */
  isReference(path: readonly PropertyKey[]): boolean {
    const node = this.document.getIn(path as string[], true);
    return isScalar(node) && this.interpolation.references.has(node.range?.[0] ?? -1);
  }

  private offsetOf(path: readonly PropertyKey[], key?: string): number {
    let node: unknown = this.document.contents;
    let offset = (node as Node | null)?.range?.[0] ?? 0;
    for (const part of path) {
      if (!isCollection(node)) break;
      const keyOffset = isMap(node) ? keyOffsetOf(node, part) : null;
      const child: unknown = node.get(part, true);
      if (child === undefined && keyOffset === null) break;
      node = child;
      offset = (child as Node | undefined)?.range?.[0] ?? keyOffset ?? offset;
    }
    return key !== undefined && isMap(node) ? (keyOffsetOf(node, key) ?? offset) : offset;
  }
}

/** Writes a placeholder for each key that is not set. */
const unsetKeysOf = (
  document: Document,
  missing: Interpolation['missing'],
  paths: readonly (readonly (string | number)[])[],
): readonly UnsetKey[] =>
  paths.flatMap((path) => {
    const node = document.getIn(path, true);
    const at = isScalar(node) ? missing.find(({ offset }) => offset === node.range?.[0]) : undefined;
    if (!isScalar(node) || at === undefined) return [];
    node.value = path.at(-1) === 'url' ? `http://${at.name}.invalid` : `the variable ${at.name} is not set`;
    return [{ path: dotted(path), at }];
  });

function keyOffsetOf(
  map: { readonly items: readonly { readonly key: unknown }[] },
  name: PropertyKey,
): number | null {
  const pair = map.items.find((item) => isScalar(item.key) && String(item.key.value) === String(name));
  return pair !== undefined && isScalar(pair.key) ? (pair.key.range?.[0] ?? null) : null;
}

function problemAt(lines: LineCounter, offset: number, path: string, message: string): Problem {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col), path, message };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const text = code === 'ENOENT' ? 'no such file' : `cannot be read (${code ?? 'unknown reason'})`;
    throw new SettingsError(file, [{ line: 1, column: 1, path: '', message: text }]);
  }
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` inside strings. This happens after the YAML is parsed, so a value can never
 * become structure. A missing variable is a problem with its place, not an empty text.
 */

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
/** A reference without a default. A default would be a literal in the file. */
const WHOLE_REFERENCE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

export interface MissingVariable {
  readonly name: string;
  readonly offset: number;
}

/** What interpolation found. It also changes the document in place. */
interface Interpolation {
  readonly missing: readonly MissingVariable[];
  /** Offsets of scalars that are a single reference without a default. Only these may hold a secret. */
  readonly references: ReadonlySet<number>;
}

/** @param environment names to values; an empty value counts as given */
function interpolate(
  document: Document,
  environment: Readonly<Record<string, string | undefined>>,
): Interpolation {
  const missing: MissingVariable[] = [];
  const references = new Set<number>();
  visit(document, {
    Scalar(_key, node) {
      if (!isScalar(node) || typeof node.value !== 'string' || !node.value.includes('${')) return;
      const offset = node.range?.[0] ?? 0;
      if (WHOLE_REFERENCE.test(node.value)) references.add(offset);
      node.value = node.value.replace(REFERENCE, (_match, name: string, fallback: string | undefined) => {
        const value = environment[name] ?? fallback;
        if (value === undefined) missing.push({ name, offset });
        return value ?? '';
      });
    },
  });
  return { missing, references };
}

/** Applies `path=value` of a command line to a parsed file before it is checked. */

/** An override that cannot be applied to the file. */
interface OverrideProblem {
  readonly override: string;
  readonly message: string;
}

/**
 * Changes the document in place. A path is made of keys and of places in lists: a number from 0, or the `name` or `id`
 * of the item, as in `instances.rain.params.halfSpread=0.02`. The value is YAML.
 */
function applyOverrides(document: Document, overrides: readonly string[]): readonly OverrideProblem[] {
  return overrides.flatMap((override) => {
    const message = applyOverride(document, override);
    return message === null ? [] : [{ override, message }];
  });
}

/** @returns why it cannot be applied, or null */
function applyOverride(document: Document, override: string): string | null {
  const at = override.indexOf('=');
  if (at < 1) return 'expected path=value, such as quoting.minRestMs=500';
  const value = parseDocument(override.slice(at + 1));
  if (value.errors.length > 0) return `the value is no YAML: ${value.errors[0]?.message ?? ''}`;
  const path = placesOf(document, override.slice(0, at).split('.'));
  if (typeof path === 'string') return path;
  document.setIn(path, document.createNode(value.toJS()));
  return null;
}

/** @returns keys and list places, or what is wrong with the path */
function placesOf(document: Document, parts: readonly string[]): (string | number)[] | string {
  const path: (string | number)[] = [];
  let node: unknown = document.contents;
  for (const part of parts) {
    if (part === '') return 'a part of the path is empty';
    if (isScalar(node) && node.value !== null) return `${path.join('.')} is a value and has no ${part}`;
    const key: string | number | null = isSeq(node) ? placeIn(node.items, part) : part;
    if (key === null)
      return `${path.join('.')} has no item ${part}: expected a place from 0, or a name or id`;
    path.push(key);
    node = isSeq(node) || isMap(node) ? node.get(key, true) : undefined;
  }
  return path;
}

function placeIn(items: readonly unknown[], part: string): number | null {
  const named = items.findIndex((item) => isMap(item) && isNamed(item, part));
  if (named >= 0) return named;
  return /^\d+$/.test(part) && Number(part) <= items.length ? Number(part) : null;
}

const isNamed = (item: { get(key: string): unknown }, part: string): boolean =>
  ['name', 'id'].some((key) => item.get(key) !== undefined && String(item.get(key)) === part);
