/** What a schema finds wrong, in words that say what was expected. */
import { z } from 'zod';
import { nearest } from '../domain/nearest.js';

/** One thing wrong with a value. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The key that the schema does not know, where that is what is wrong; it stands below the path. */
  readonly unknownKey?: string;
}

/** What a schema makes of a value, or what it finds wrong: one for each field, and for each key that it does not know. */
export type Checked<Output> =
  { readonly ok: true; readonly value: Output } | { readonly ok: false; readonly issues: readonly Issue[] };

export function checked<S extends z.ZodType>(schema: S, input: unknown): Checked<z.output<S>> {
  const result = schema.safeParse(input, { error: unfitting });
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, issues: issuesOf(schema, result.error) };
}

const issuesOf = (schema: z.ZodType, error: z.ZodError): readonly Issue[] =>
  error.issues.flatMap((issue): readonly Issue[] => {
    if (issue.code !== 'unrecognized_keys') return [issue];
    const known = keysAt(schema, issue.path);
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

/** What is said of a value that its key does not take, where the schema has no words of its own. */
function unfitting(issue: z.core.$ZodRawIssue): string | undefined {
  const expected = expectedOf(issue);
  return expected === null ? undefined : `expected ${expected}, found ${kindOf(foundIn(issue))}`;
}

/** The issue of what is told apart by a key stands at that key, with the whole as its input. */
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

/** @param origin of what was measured: a number, or the length of a list or of a text */
function bounded(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string') return limit === 1 ? 'text' : `${bound} ${limit} characters`;
  return origin === 'array' ? `${bound} ${limit} item${limit === 1 ? '' : 's'}` : `${bound} ${limit}`;
}

function kindOf(found: unknown): string {
  if (found === undefined || found === null || found === '') return 'nothing';
  if (Array.isArray(found)) return found.length === 0 ? 'an empty list' : 'a list';
  return typeof found === 'object' ? 'keys with values' : JSON.stringify(found);
}

/** The keys the schema knows at a path; empty where it has no fixed keys. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const shapes = path.reduce<readonly z.core.$ZodType[]>(
    (at, part) => at.flatMap((one) => step(one, part)),
    [schema],
  );
  return [...new Set(shapes.flatMap((one) => Object.keys(shapeOf(one) ?? {})))];
}

/** Looks through the wrappers of a schema: default, optional, nullable, pipe, union. */
function unwrap(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { def } = schema._zod as {
    def: { innerType?: z.core.$ZodType; in?: z.core.$ZodType; options?: z.core.$ZodType[] };
  };
  if (def.innerType !== undefined) return unwrap(def.innerType);
  if (def.in !== undefined) return unwrap(def.in);
  if (def.options !== undefined) return def.options.flatMap(unwrap);
  return [schema];
}

function shapeOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType> | null {
  const [only] = unwrap(schema);
  return only instanceof z.ZodObject ? only.shape : null;
}

function step(schema: z.core.$ZodType, part: PropertyKey): readonly z.core.$ZodType[] {
  return unwrap(schema).flatMap((one) => {
    if (one instanceof z.ZodArray) return [one.element];
    if (one instanceof z.ZodObject) {
      const child = (one.shape as Record<string, z.core.$ZodType>)[String(part)];
      return child === undefined ? [] : [child];
    }
    return [];
  });
}
