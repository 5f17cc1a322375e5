/** Checks a received request as the venue would (specification 5.3), from its bytes alone. */
import { readForm } from '../../../src/venues/futuur/protocol/shape.js';
import { readJson, type JsonObject } from '../../../src/venues/futuur/protocol/json-spelling.js';
import {
  RequestKey,
  bodyParameters,
  pairParameters,
  signedText,
  verifySignature,
  type SignedParameter,
} from '../../../src/venues/futuur/protocol/signing.js';
import type { Received } from './venue-double.js';

/** Whether the signature fits the request under this private key. */
export function isSigned({ method, path, headers, body }: Received, privateKey: string): boolean {
  const [publicKey, timestamp, hmac] = [headers['key'], headers['timestamp'], headers['hmac']].map(String);
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const parameters = method === 'GET' || isForm ? pairs(isForm ? body : path.split('?')[1]) : members(body);
  const text = signedText({ publicKey: publicKey ?? '', timestamp: timestamp ?? '' }, parameters);
  return verifySignature(new RequestKey(privateKey), text, hmac ?? '');
}

const pairs = (form: string | undefined): readonly SignedParameter[] =>
  pairParameters(readForm(form ?? '') ?? []);

function members(body: string): readonly SignedParameter[] {
  if (body === '') return [];
  const document = readJson(body);
  return bodyParameters(document.value as JsonObject, 'python', document.spellings);
}
