import { anything, assert, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../../src/ops/telemetry/redaction.js';

const KEY = 'sk_live_4f"9b/a2+c';

describe('a redacted copy', () => {
  it('contains a known secret nowhere, whatever it was made of', () => {
    const redactor = createRedactor([KEY]);
    const values = anything({ withMap: true, withSet: true, withNullPrototype: true, maxDepth: 4 });
    const withSecret = values.map((value) => [value, { x: { y: KEY } }, `before ${KEY} after`]);
    assert(
      property(withSecret, (value) => {
        expect(JSON.stringify(redactor.value(value))).not.toMatch(/4f.{0,4}9b/);
      }),
    );
  });
});
