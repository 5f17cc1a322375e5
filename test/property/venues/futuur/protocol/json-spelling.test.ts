import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  canonicalBody,
  JsonTextError,
  readJson,
  NO_SPELLINGS,
  type JsonObject,
} from '../../../../../src/venues/futuur/protocol/json-spelling.js';
import { bodyParameters } from '../../../../../src/venues/futuur/protocol/signing.js';

const json = fc.jsonValue({ maxDepth: 5 });
const bodies = fc.dictionary(fc.string(), json, {
  maxKeys: 6,
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;

const REFUSED = Symbol('refused');

/** What our reader makes of a text; any error but its own is a failure of the test. */
function outcome(text: string): unknown {
  try {
    return readJson(text).value;
  } catch (error) {
    if (error instanceof JsonTextError) return REFUSED;
    throw error;
  }
}

/** What is accepted must be exactly what JSON.parse reads. */
const isNoLaxerThanJsonParse = (text: string): boolean => {
  const ours = outcome(text);
  return ours === REFUSED || isDeepStrictEqual(ours, JSON.parse(text));
};

it('reads what JSON.stringify writes, whatever the white space', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 1, '\t', '\n '), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(readJson(text).value).toEqual(JSON.parse(text));
      expect(readJson(text).spellings).toEqual(NO_SPELLINGS);
    }),
  );
});

it('accepts no text that JSON.parse refuses', () => {
  const nearJson = fc.stringMatching(/^[[\]{}",:\\ \-+.eE0-9truefalsn\ud800ué]{0,40}$/);
  fc.assert(
    fc.property(fc.oneof(nearJson, fc.string({ unit: 'binary' })), (text) => {
      expect(isNoLaxerThanJsonParse(text)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect(outcome('{"a":1,}')).toBe(REFUSED);
});

it('refuses a mutilated body, or reads it as JSON.parse does', () => {
  fc.assert(
    fc.property(bodies, fc.nat(), fc.nat(3), fc.string({ maxLength: 2 }), (body, at, cut, insert) => {
      const text = JSON.stringify(body);
      const place = at % (text.length + 1);
      expect(isNoLaxerThanJsonParse(text.slice(0, place) + insert + text.slice(place + cut))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  expect(outcome('{"a":1')).toBe(REFUSED);
});

it('client and server derive the same parameters from a body and from its text', () => {
  fc.assert(
    fc.property(bodies, fc.constantFrom('python', 'json', 'omit'), (body, style) => {
      const received = readJson(JSON.stringify(body));
      const parameters = bodyParameters(received.value as JsonObject, style, received.spellings);
      expect(parameters).toEqual(bodyParameters(body, style));
    }),
  );
});

it('the canonical text does not depend on member order and reads back as the same value', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const reversed = Object.fromEntries(Object.entries(body).toReversed());
      const canonical = canonicalBody(readJson(JSON.stringify(body)));
      expect(canonicalBody(readJson(JSON.stringify(reversed)))).toBe(canonical);
      expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(body)));
    }),
  );
});
