import { expect, it } from 'vitest';
import { InvariantError } from '../../../../../../src/domain/errors.js';
import { expected, TextScan } from '../../../../../../src/venues/futuur/protocol/read/text-scan.js';

it('refuses to expect more than it has room for, and reads on as before', () => {
  const known = expected('{"id":');
  expect(() => expected('x'.repeat(5_000))).toThrow(InvariantError);
  const scan = new TextScan('{"id":17');
  expect(scan.pass(known).whole()).toBe(17);
  expect(scan.isThrough).toBe(true);
});
