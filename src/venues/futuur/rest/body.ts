import { writeForm } from '../protocol/form.js';
import type { JsonObject } from '../protocol/json-spelling.js';
import type { NestedStyle } from '../protocol/signed-values.js';
import { bodyParameters, pairParameters, type SignedParameter } from '../protocol/signing.js';
import type { Call } from './call.js';

/** What of a call is sent as its body, and what of it is signed: the query of a call without one. */
export interface WrittenBody {
  readonly text: string | null;
  readonly parameters: readonly SignedParameter[];
}

/** @throws InvariantError when a call of the hot path cannot be written as what it is */
export function writeBody({ query, body }: Call<unknown>, nested: NestedStyle): WrittenBody {
  if (body === null) return { text: null, parameters: pairParameters(query) };
  if ('form' in body) return { text: writeForm(body.form), parameters: pairParameters(body.form) };
  return { text: JSON.stringify(body.json), parameters: bodyParameters(body.json as JsonObject, nested) };
}
