import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { parseDuration, parseSilence } from '../../../src/cli/option-values.js';

describe('a duration of the command line', () => {
  it.each([
    ['500ms', 500],
    ['20s', 20_000],
    ['1.5h', 5_400_000],
    ['720h', 2_592_000_000],
    ['87600h', 315_360_000_000],
  ])('%s is read', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['20', '5w', '-5s', '1e3s', ''])('%j is none', (text) => {
    expect(() => parseDuration(text)).toThrow('Expected a duration such as 20s, 5m or 1h.');
  });

  it.each(['87601h', '99999999999999999999h', `${'9'.repeat(400)}s`])(
    '%s is too long for anything',
    (text) => {
      expect(() => parseDuration(text)).toThrow(InvalidArgumentError);
      expect(() => parseDuration(text)).toThrow('Expected a duration of at most 87600h (ten years).');
    },
  );

  it('of silence after which work is given to another is from a second to a day', () => {
    expect(parseSilence('30s')).toBe(30_000);
    for (const text of ['999ms', '25h', '720h'])
      expect(() => parseSilence(text)).toThrow('Expected a duration from 1s to 24h.');
  });
});
