import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalBody } from '../../../src/protocol/canonical-body.js';
import { JsonTextError, readJson, type JsonObject } from '../../../src/protocol/json-spelling.js';
import { bodyParameters } from '../../../src/protocol/signing.js';

/** Objects as JSON.parse yields them: what a client can send. */
const json = fc.jsonValue({ maxDepth: 5, noNumber: false }) as fc.Arbitrary<never>;
const bodies = fc.dictionary(fc.string(), json, {
  maxKeys: 6,
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;

it('reads what JSON.stringify writes, whatever the white space', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 1, '\t', '\n '), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(readJson(text).value).toEqual(JSON.parse(text));
      expect(readJson(text).spellings.size).toBe(0);
    }),
  );
});

it('accepts or refuses any text, never anything else, and accepts nothing that JSON.parse refuses', () => {
  const nearJson = fc.stringMatching(/^[[\]{}",:\\ \-+.eE0-9truefalsn\ud800ué]{0,40}$/);
  fc.assert(
    fc.property(fc.oneof(nearJson, fc.string({ unit: 'binary' })), (text) => {
      try {
        expect(readJson(text).value).toEqual(JSON.parse(text));
      } catch (error) {
        expect(error).toBeInstanceOf(JsonTextError);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('a mutilated body is refused or read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(bodies, fc.nat(), fc.nat(3), fc.string({ maxLength: 2 }), (body, at, cut, insert) => {
      const text = JSON.stringify(body);
      const place = at % (text.length + 1);
      const mutilated = text.slice(0, place) + insert + text.slice(place + cut);
      try {
        expect(readJson(mutilated).value).toEqual(JSON.parse(mutilated));
      } catch (error) {
        expect(error).toBeInstanceOf(JsonTextError);
      }
    }),
    { numRuns: 1_000 },
  );
});

it('client and server derive the same parameters from a body and from its text', () => {
  fc.assert(
    fc.property(bodies, fc.constantFrom('python', 'json', 'omit'), (body, style) => {
      const received = readJson(JSON.stringify(body));
      expect(bodyParameters(received.value as JsonObject, style, received.spellings)).toEqual(
        bodyParameters(body, style),
      );
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
