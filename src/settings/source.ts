import { readFileSync } from 'node:fs';
import { type Document, isCollection, isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { type Interpolation, interpolate } from './interpolation.js';
import { applyOverrides } from './overrides.js';
import { dotted, type Problem, SettingsError } from './problems.js';

const NO_KEYS = ['venue.publicKey=none', 'venue.privateKey=none'];

/** A parsed YAML file that can tell where each of its values stands. */
export class SettingsSource {
  private constructor(
    readonly file: string,
    private readonly document: Document,
    private readonly lines: LineCounter,
    private readonly interpolation: Interpolation,
    /** What was laid over the file, `path=value` each. */
    readonly overrides: readonly string[],
  ) {}

  /**
   * @param overrides `path=value` each, laid over the file
   * @throws SettingsError when the file cannot be read, is no YAML, or names a variable that is not set
   */
  static read(
    file: string,
    environment: Readonly<Record<string, string | undefined>>,
    overrides: readonly string[] = [],
  ): SettingsSource {
    return SettingsSource.parse(readText(file), file, environment, overrides);
  }

  /** The same for who needs no keys of the venue: whatever the file says of them is not looked at. */
  static readWithoutKeys(
    file: string,
    environment: Readonly<Record<string, string | undefined>>,
  ): SettingsSource {
    const text = readText(file);
    const hasVenue = isMap(parseDocument(text).get('venue', true));
    return SettingsSource.parse(text, file, environment, hasVenue ? NO_KEYS : []);
  }

  /** @throws SettingsError */
  static parse(
    text: string,
    file: string,
    environment: Readonly<Record<string, string | undefined>>,
    overrides: readonly string[] = [],
  ): SettingsSource {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
    if (document.errors.length > 0)
      throw new SettingsError(
        file,
        document.errors.map((error) => problemAt(lines, error.pos[0], '', error.message)),
      );
    const refused = applyOverrides(document, overrides);
    if (refused.length > 0)
      throw new SettingsError(
        file,
        refused.map(({ override, message }) => problemAt(lines, 0, '', `--set ${override}: ${message}`)),
      );
    const interpolation = interpolate(document, environment);
    const source = new SettingsSource(file, document, lines, interpolation, overrides);
    if (interpolation.missing.length > 0)
      throw new SettingsError(
        file,
        interpolation.missing.map(({ name, offset }) =>
          problemAt(lines, offset, '', `the environment variable ${name} is not set`),
        ),
      );
    return source;
  }

  /** Plain values, after interpolation. */
  get value(): unknown {
    return this.document.toJS();
  }

  /** A problem at the deepest node of the path that exists; at the key itself where `key` names one. */
  problem(path: readonly PropertyKey[], message: string, key?: string): Problem {
    const full = key === undefined ? path : [...path, key];
    return problemAt(this.lines, this.offsetOf(path, key), dotted(full), message);
  }

  /** Whether the scalar at the path was written as one `${NAME}`, without a default. */
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
