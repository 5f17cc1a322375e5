/** A wire schema as a check and as a list of what is wrong; the check is compiled at its first use. */
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import type { FieldProblems } from './errors.js';

/** Enough for every field of some items in each of its forms, where the default names five; an answer stays small. */
const MOST_PROBLEMS = 100;
Settings.Set({ maxErrors: MOST_PROBLEMS });

/** What a value must look like to be taken from the wire. Members that are not named are let through. */
export interface Shape<Value> {
  accepts(value: unknown): value is Value;
  /** By field (`price`, `orders.3.shares`; the document itself is `body`); empty when the value is accepted. */
  problems(value: unknown): FieldProblems;
}

/** What a schema describes; it is compiled when first needed. */
export function shape<Schema extends TSchema>(schema: Schema): Shape<Static<Schema>> {
  let compiled: Validator | null = null;
  const validator = (): Validator => (compiled ??= Compile(schema as TSchema));
  return {
    accepts: (value): value is Static<Schema> => validator().Check(value),
    problems: (value) => collect(validator().Errors(value)),
  };
}

/** The first problem as one line, for logs: `orders.3.price must be number`. */
export function firstProblem(problems: FieldProblems): string {
  const [entry] = Object.entries(problems);
  return entry === undefined ? 'no problem' : `${entry[0]} ${entry[1].join(', ')}`;
}

type ValidationError = ReturnType<Validator['Errors']>[number];

/** A member that is missing or unknown is reported under its own name, not under its parent's. */
function collect(errors: readonly ValidationError[]): FieldProblems {
  const fields: Record<string, string[]> = {};
  const add = (field: string, problem: string): void => {
    (fields[field] ??= []).push(problem);
  };
  for (const error of errors) {
    if (error.keyword === 'additionalProperties') continue;
    const parent = error.instancePath.slice(1).replaceAll('/', '.');
    const field = parent === '' ? 'body' : parent;
    const missing = missingNames(error);
    for (const name of missing) add(parent === '' ? name : `${parent}.${name}`, 'is required');
    if (error.keyword === 'anyOf') fields[field] = alternatives(fields[field] ?? []);
    else if (missing.length === 0) add(field, problemText(error));
  }
  return fields;
}

/** What the branches of a union said, as one sentence: `must be number or string or null`. */
function alternatives(problems: readonly string[]): string[] {
  const [first, ...others] = problems;
  const rest = others.map((problem) => problem.replace(/^must be /, ''));
  return [[first ?? 'has no accepted form', ...rest].join(' or ')];
}

const missingNames = (error: ValidationError): readonly string[] =>
  'requiredProperties' in error.params ? error.params.requiredProperties : [];

function problemText(error: ValidationError): string {
  if (error.keyword === 'boolean') return 'is not known here';
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  return error.message;
}
