import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/domain/errors.js';
import { asStrategy } from '../../../../src/core/strategy/registry.js';
import { defineStrategy, NO_QUOTES, param } from '../../../../src/core/strategy/sdk.js';

const good = defineStrategy({
  name: 'my-strategy',
  params: { gap: param.probability({ default: 0.02, help: '' }) },
  quote: () => NO_QUOTES,
});
const problemWith = (changes: Readonly<Record<string, unknown>>): string => {
  try {
    asStrategy({ ...good, ...changes }, 'my.ts');
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'none';
};

describe('a value from a strategy file', () => {
  it('is taken as it is when it is a strategy', () => {
    expect(asStrategy(good, 'my.ts')).toBe(good);
  });

  it.each([undefined, null, 5, 'fixed-spread', () => NO_QUOTES])('is refused when it is %s', (value) => {
    expect(() => asStrategy(value, 'my.ts')).toThrow(
      'my.ts: expected a default export made by defineStrategy',
    );
  });

  it.each([undefined, '', 'My Strategy', 'a--b', '-a', 7])('needs a kebab-case name, not %j', (name) => {
    expect(problemWith({ name })).toMatch(/^my\.ts: expected a kebab-case name, found /);
  });

  it('needs a depth that is a function, where it has one', () => {
    expect(problemWith({ depth: 3 })).toBe(
      'my.ts: expected depth, where it is given, to be a function of the parameters',
    );
    expect(problemWith({ depth: () => 3 })).toBe('none');
  });

  it('needs parameters that are declarations with sensible defaults', () => {
    expect(problemWith({ params: null })).toMatch(/expected params/);
    expect(problemWith({ params: { gap: 0.02 } })).toMatch(
      /parameter gap: expected a declaration made by param/,
    );
    expect(problemWith({ params: { 'half-spread': param.ms({ default: 1, help: '' }) } })).toMatch(
      /camelCase/,
    );
    expect(problemWith({ params: { gap: param.probability({ default: 2, help: '' }) } })).toBe(
      'my.ts: parameter gap: its default 2 is not a number (probability) from 0 to 1',
    );
    expect(
      problemWith({
        params: { side: { ...param.choice({ values: ['a'], default: 'a', help: '' }), default: 'b' } },
      }),
    ).toMatch(/its default b is not one of a/);
  });

  it('has either quote or streams', () => {
    expect(problemWith({ quote: undefined })).toMatch(/expected either a function quote/);
    expect(problemWith({ streams: () => null })).toMatch(/expected either a function quote/);
    expect(problemWith({ quote: undefined, streams: () => null })).toBe('none');
  });

  it('has an initial state that is plain JSON', () => {
    expect(problemWith({ initialState: { seen: new Map() } })).toMatch(/state\.seen is an object of a class/);
    expect(problemWith({ initialState: { seen: [] } })).toBe('none');
  });
});
