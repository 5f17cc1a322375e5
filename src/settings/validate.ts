import { z } from 'zod';
import { nearest } from '../domain/nearest.js';
import { type Problem, SettingsError } from './problems.js';
import type { SettingsSource } from './source.js';

/**
 * Checks a source against a schema.
 * @returns the schema's output
 * @throws SettingsError with every problem, each at its place
 */
export function validate<S extends z.ZodType>(schema: S, source: SettingsSource): z.output<S> {
  const result = schema.safeParse(source.value);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => toProblems(issue, schema, source));
  throw new SettingsError(source.file, problems);
}

function toProblems(issue: z.core.$ZodIssue, schema: z.ZodType, source: SettingsSource): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => source.problem(issue.path, unknownKey(key, known), key));
  }
  return [source.problem(issue.path, issue.message)];
}

function unknownKey(key: string, known: readonly string[]): string {
  const guess = nearest(key, known);
  const rest = guess === null ? `known here: ${known.join(', ')}` : `did you mean ${guess}?`;
  return `unknown key; ${rest}`;
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
