/** What a schema finds wrong, in words that say what was expected. */
import type { z } from 'zod';
import { nearest } from '../domain/nearest.js';
import { keysAt } from './known-keys.js';

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
