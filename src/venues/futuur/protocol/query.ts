/** Typed query parameters, once for the client that writes them and for the server that reads them. */
import type { FieldProblems } from './errors.js';
import type { Pair } from './shape.js';

/** One parameter: text to value and back. `many` parameters repeat their name. */
export interface QueryParameter<Value, Required extends boolean = boolean> {
  readonly required: Required;
  readonly many: boolean;
  /** @returns null when a text is not acceptable */
  read(texts: readonly string[]): Value | null;
  write(value: Value): readonly string[];
  /** What is accepted, for messages: `an integer of at least 0`. */
  readonly expected: string;
}

export type QueryDefinition = Readonly<Record<string, QueryParameter<unknown>>>;

/** The values of a definition: required ones stand, the others may be missing. */
export type QueryValues<Definition extends QueryDefinition> = {
  readonly [Name in RequiredName<Definition>]: ValueOf<Definition[Name]>;
} & {
  readonly [Name in Exclude<keyof Definition, RequiredName<Definition>>]?:
    ValueOf<Definition[Name]> | undefined;
};
type ValueOf<Parameter> = Parameter extends QueryParameter<infer Value> ? Value : never;
type RequiredName<Definition extends QueryDefinition> = {
  [Name in keyof Definition]: Definition[Name] extends QueryParameter<unknown, true> ? Name : never;
}[keyof Definition];

export type QueryReading<Definition extends QueryDefinition> =
  | { readonly ok: true; readonly values: QueryValues<Definition> }
  | { readonly ok: false; readonly fields: FieldProblems };

/** Reads the named parameters; others are ignored. Each field that is missing, doubled or unreadable is reported. */
export function readQuery<Definition extends QueryDefinition>(
  definition: Definition,
  pairs: readonly Pair[],
): QueryReading<Definition> {
  const values: Record<string, unknown> = {};
  const fields: Record<string, readonly string[]> = {};
  for (const [name, parameter] of Object.entries(definition)) {
    const texts = pairs.filter(([found]) => found === name).map(([, text]) => text);
    const reading = readParameter(parameter, texts);
    if (reading.problem !== null) fields[name] = [reading.problem];
    else if (reading.value !== undefined) values[name] = reading.value;
  }
  return Object.keys(fields).length > 0
    ? { ok: false, fields }
    : { ok: true, values: values as QueryValues<Definition> };
}

/** Name and text of every value given, in the order of the definition. */
export function writeQuery<Definition extends QueryDefinition>(
  definition: Definition,
  values: QueryValues<Definition>,
): readonly Pair[] {
  const given: Readonly<Record<string, unknown>> = values;
  return Object.entries(definition).flatMap(([name, parameter]) =>
    given[name] === undefined ? [] : parameter.write(given[name]).map((text): Pair => [name, text]),
  );
}

function readParameter(
  parameter: QueryParameter<unknown>,
  texts: readonly string[],
): { readonly value?: unknown; readonly problem: string | null } {
  if (texts.length === 0) return { problem: parameter.required ? 'is required' : null };
  if (texts.length > 1 && !parameter.many) return { problem: 'is given more than once' };
  const value = parameter.read(texts);
  return value === null ? { problem: `must be ${parameter.expected}` } : { value, problem: null };
}

interface Single<Value> {
  readonly expected: string;
  readonly read: (text: string) => Value | null;
  readonly write: (value: Value) => string;
}

const single = <Value>({ expected, read, write }: Single<Value>): QueryParameter<Value, false> => ({
  required: false,
  many: false,
  expected,
  read: ([text = '']) => read(text),
  write: (value) => [write(value)],
});

const several = <Value>({
  expected,
  read,
  write,
}: Single<Value>): QueryParameter<readonly Value[], false> => ({
  required: false,
  many: true,
  expected: `${expected}, repeated for several`,
  read: (texts) => {
    const values = texts.map(read).filter((value) => value !== null);
    return values.length === texts.length ? values : null;
  },
  write: (values) => values.map(write),
});

const TEXT = (longest: number): Single<string> => ({
  expected: `text of at most ${longest} characters`,
  read: (value) => (Array.from(value).length <= longest ? value : null),
  write: (value) => value,
});

const INTEGER: Single<number> = {
  expected: 'an integer of at least 0',
  read: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : null),
  write: String,
};

/** Python clients write `True`, browsers `true`. */
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

export const text = (longest: number) => single(TEXT(longest));
export const texts = (longest: number) => several(TEXT(longest));
export const integer = () => single(INTEGER);
export const integers = () => several(INTEGER);
export const flag = () =>
  single<boolean>({
    expected: 'true or false',
    read: (value) => FLAGS[value.toLowerCase()] ?? null,
    write: String,
  });
export const choice = <Word extends string>(words: readonly Word[]) =>
  single<Word>({
    expected: `one of ${words.map((word) => (word === '' ? 'an empty text' : word)).join(', ')}`,
    read: (value) => words.find((word) => word === value) ?? null,
    write: (word) => word,
  });
export const required = <Value>(parameter: QueryParameter<Value>): QueryParameter<Value, true> => ({
  ...parameter,
  required: true,
});
