/** `name=value&name=value`: query strings, form bodies and the signed string share this spelling. */
import { Type, type TSchema, type Static } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { quotePlus } from './signed-values.js';
import { CURRENCIES, CURRENCY_MODES, ORDER_STATUSES, SIDES } from '../../../domain/vocabulary.js';
import type { FieldProblems } from './errors.js';

/** Decoded name and value; a name may occur several times. */
export type Pair = readonly [name: string, value: string];

/** Python's `urlencode`, in the given order. */
export const writeForm = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${quotePlus(name)}=${quotePlus(value)}`).join('&');

/** @returns the pairs in order of appearance, or null when a percent escape is broken or not UTF-8 */
export function readForm(text: string): readonly Pair[] | null {
  if (text === '') return [];
  try {
    return text
      .split('&')
      .filter((part) => part !== '')
      .map(readPair);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function readPair(part: string): Pair {
  const equals = part.indexOf('=');
  return equals < 0
    ? [unquotePlus(part), '']
    : [unquotePlus(part.slice(0, equals)), unquotePlus(part.slice(equals + 1))];
}

const unquotePlus = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** Schema parts that several resources share. */

/** An integer id; beyond safe integers two ids would look the same. */
export const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** How many, or the how-manieth. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** An id written as text, as in the batch order (specification 2.3, second table). */
export const IdText = Type.String({ pattern: '^[0-9]{1,16}$' });
/** A decimal as text: `12.5`. Digits and range are checked where it is read. */
export const DecimalText = Type.String({ maxLength: 64 });
/** A decimal in a request: number, or text where a client wants exactness (specification 2.4). */
export const Decimal = Type.Union([Type.Number(), DecimalText]);
/** ISO 8601; the calendar is checked where it is read. */
export const Time = Type.String({ maxLength: 40 });
/** A probability or price, 0 to 1. */
export const Probability = Type.Number({ minimum: 0, maximum: 1 });

/** `ErrorBody` of `errors.ts`. */
export const ErrorAnswer = Type.Object({
  error: Type.String(),
  detail: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});

export const Currency = Type.Enum(CURRENCIES);
export const CurrencyMode = Type.Enum(CURRENCY_MODES);
export const Side = Type.Enum(SIDES);
export const OrderStatus = Type.Enum(ORDER_STATUSES);
/** Both spellings are accepted everywhere (facts, "Events and markets"). */
export const PositionWord = Type.Enum(['long', 'short', 'l', 's'] as const);

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
/** A member that may be missing or null. */
export const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(nullable(schema));

/** A wire schema as a check and as a list of what is wrong; the check is compiled at its first use. */

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
