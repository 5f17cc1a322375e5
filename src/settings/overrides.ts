/** `path=value` from a command line, laid over a parsed file before it is checked. */
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** An override that cannot be laid over the file. */
export interface OverrideProblem {
  readonly override: string;
  readonly message: string;
}

/**
 * Changes the document in place. A path is made of keys and of places in lists: a number from 0, or the `name` or `id`
 * of the item, as in `instances.rain.params.halfSpread=0.02`. The value is YAML.
 */
export function applyOverrides(document: Document, overrides: readonly string[]): readonly OverrideProblem[] {
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
