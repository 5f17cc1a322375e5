/** JSON as values, with what the text said besides. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}
/** What has members or items. */
export type Container = JsonObject | readonly JsonValue[];

/** What a text said that its plain values do not: only where JavaScript would have written it otherwise. */
export interface Spellings {
  /** Container, then member name or index, to the number's text. */
  readonly numbers: ReadonlyMap<Container, ReadonlyMap<string | number, string>>;
  /** Member names as written: JavaScript puts those first that are integers, in their order. */
  readonly names: ReadonlyMap<Container, readonly string[]>;
}
export const NO_SPELLINGS: Spellings = { numbers: new Map(), names: new Map() };

/** @returns the number's text as it was written, or as `JSON.stringify` would write it */
export function spellingOf(spellings: Spellings, container: Container, name: string | number): string | null {
  const { numbers } = spellings;
  return numbers.size === 0 ? null : (numbers.get(container)?.get(name) ?? null);
}

/** @returns the names as they were written; null when `for ... in` gives them in that order */
export const writtenNames = ({ names }: Spellings, members: JsonObject): readonly string[] | null =>
  names.size === 0 ? null : (names.get(members) ?? null);
