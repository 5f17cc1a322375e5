import { z } from 'zod';
import { UsageError } from '../domain/errors.js';
import { nearest } from '../domain/nearest.js';

/** One problem in a configuration: where it is, what was found, what was expected. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  /** Dotted path of the field, such as `instances[0].params.halfSpread`. */
  readonly path: string;
  readonly message: string;
}

/** A configuration that cannot be used; the message lists every problem, one per line, as file:line:column. */
export class SettingsError extends UsageError {
  constructor(
    readonly file: string,
    readonly problems: readonly Problem[],
  ) {
    super(problems.map((problem) => describeProblem(file, problem)).join('\n'));
  }
}

export function describeProblem(file: string, problem: Problem): string {
  const subject = problem.path === '' ? '' : ` ${problem.path}:`;
  return `${file}:${problem.line}:${problem.column}${subject} ${problem.message}`;
}

/** `['instances', 0, 'params']` to `instances[0].params`. */
export function dotted(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path)
    text += typeof part === 'number' ? `[${part}]` : text === '' ? String(part) : `.${String(part)}`;
  return text;
}

/** Turns the issues of a schema into messages that say what was expected. */

/** One problem with a value. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** For an unknown key: that key, below the path. */
  readonly unknownKey?: string;
}

/** Result of a check: the parsed value, or one problem for each wrong field and each unknown key. */
export type Checked<Output> =
  { readonly ok: true; readonly value: Output } | { readonly ok: false; readonly issues: readonly Issue[] };

export function checked<S extends z.ZodType>(schema: S, input: unknown): Checked<z.output<S>> {
  const result = schema.safeParse(input, { error: unfitting });
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, issues: issuesOf(schema, input, result.error) };
}

const issuesOf = (schema: z.ZodType, input: unknown, error: z.ZodError): readonly Issue[] =>
  error.issues.flatMap((issue): readonly Issue[] => {
    if (issue.code !== 'unrecognized_keys') return [issue];
    const known = keysAt(schema, input, issue.path);
    return issue.keys.map((key) => ({
      path: issue.path,
      message: unknownKey(key, known),
      unknownKey: key,
    }));
  });

function unknownKey(key: string, known: readonly string[]): string {
  const guess = nearest(key, known);
  const rest = guess === null ? `known here: ${known.join(', ')}` : `did you mean ${guess}?`;
  return `unknown key; ${rest}`;
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list (items in [ ], or lines below that begin with "- ")',
  object: 'keys with values',
  record: 'keys with values',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
};

/** Message for a wrong value whose schema has no message of its own. */
function unfitting(issue: z.core.$ZodRawIssue): string | undefined {
  const expected = expectedOf(issue);
  return expected === null ? undefined : `expected ${expected}, found ${kindOf(foundIn(issue))}`;
}

/** The issue of a union is reported at the key that tells its options apart. Its input is the whole object. */
const foundIn = ({ code, input, ...issue }: z.core.$ZodRawIssue): unknown =>
  code === 'invalid_union' && typeof input === 'object'
    ? (input as Record<string, unknown> | null)?.[String(issue['discriminator'])]
    : input;

function expectedOf(issue: z.core.$ZodRawIssue): string | null {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return oneOf(issue.values);
  if (issue.code === 'too_small')
    return bounded(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
  if (issue.code === 'too_big')
    return bounded(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
  return issue.code === 'invalid_union' && Array.isArray(issue['options']) ? oneOf(issue['options']) : null;
}

const oneOf = (values: readonly unknown[]): string =>
  `${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}`;

/** @param origin what was measured: a number, or the length of a list or text */
function bounded(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string') return limit === 1 ? 'text' : `${bound} ${limit} characters`;
  return origin === 'array' ? `${bound} ${limit} item${limit === 1 ? '' : 's'}` : `${bound} ${limit}`;
}

function kindOf(found: unknown): string {
  if (found === undefined || found === null || found === '') return 'nothing';
  if (Array.isArray(found)) return found.length === 0 ? 'an empty list' : 'a list';
  return typeof found === 'object' ? 'keys with values' : JSON.stringify(found);
}

/** Which keys a schema has at a place of a file. */

/** A part of the schema, and what the file has there. */
interface Place {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
}

/** The keys the schema knows at a path of the input; empty where it has no fixed keys. */
function keysAt(schema: z.ZodType, input: unknown, path: readonly PropertyKey[]): readonly string[] {
  const places = path.reduce<readonly Place[]>(
    (at, part) => at.flatMap((one) => below(one, part)),
    [{ schema, value: input }],
  );
  return [...new Set(places.flatMap(forms).flatMap(keysOf))];
}

/** Looks through the wrappers of a schema: default, optional, nullable, pipe; and chooses from a union by the value. */
function forms({ schema, value }: Place): readonly z.core.$ZodType[] {
  const { def } = schema._zod as {
    def: {
      innerType?: z.core.$ZodType;
      in?: z.core.$ZodType;
      options?: readonly z.core.$ZodType[];
      discriminator?: string;
    };
  };
  const within = (inner: z.core.$ZodType) => forms({ schema: inner, value });
  if (def.innerType !== undefined) return within(def.innerType);
  if (def.in !== undefined) return within(def.in);
  if (def.options === undefined) return [schema];
  const { options, discriminator } = def;
  return (discriminator === undefined ? options : named(options, discriminator, value)).flatMap(within);
}

/** The options that the value names by the key which tells them apart. */
function named(options: readonly z.core.$ZodType[], key: string, value: unknown): readonly z.core.$ZodType[] {
  const name = memberOf(value, key) as z.core.util.Primitive;
  return options.filter((option) => option._zod.propValues?.[key]?.has(name));
}

const memberOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' ? (value as Record<PropertyKey, unknown> | null)?.[key] : undefined;

function below(place: Place, part: PropertyKey): readonly Place[] {
  const value = memberOf(place.value, part);
  return forms(place).flatMap((form) => {
    const schema = childOf(form, part);
    return schema === undefined ? [] : [{ schema, value }];
  });
}

function childOf(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (!(schema instanceof z.ZodObject)) return undefined;
  return (schema.shape as Record<string, z.core.$ZodType>)[String(part)];
}

function keysOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  const names = schema instanceof z.ZodRecord ? schema.keyType._zod.values : undefined;
  return [...(names ?? [])].map(String);
}
