import { describe, expect, it } from 'vitest';
import { copyPlain } from '../../../../src/core/strategy/plain-json.js';

const whyNot = (value: unknown): string => {
  const copied = copyPlain(value);
  return copied.ok ? 'plain' : copied.why;
};
const deep = (levels: number): unknown => (levels === 0 ? 0 : [deep(levels - 1)]);

describe('a copy of plain JSON', () => {
  it('is equal and shares nothing', () => {
    const original = { a: [1, 'two', null, { three: true }] };
    const copied = copyPlain(original);
    original.a.push(4);
    expect(copied).toEqual({ ok: true, copy: { a: [1, 'two', null, { three: true }] } });
  });

  it('takes over what stands unchanged in the copy before, and nothing else', () => {
    const before = copyPlain({ kept: [1, 2], moved: [3] });
    if (!before.ok) throw new Error(before.why);
    const { kept, moved } = before.copy as { kept: readonly number[]; moved: readonly number[] };
    const after = copyPlain({ kept, moved: [...moved], other: moved }, before.copy);
    if (!after.ok) throw new Error(after.why);
    const copy = after.copy as { kept: unknown; moved: unknown; other: unknown };
    expect(after.copy).toEqual({ kept: [1, 2], moved: [3], other: [3] });
    expect([copy.kept === kept, copy.moved === moved, copy.other === moved]).toEqual([true, false, false]);
  });

  it('is frozen to the last level', () => {
    const copied = copyPlain({ a: [{ b: 1 }] });
    if (!copied.ok) throw new Error(copied.why);
    const outer = copied.copy as { a: readonly object[] };
    expect([outer, outer.a, outer.a[0]].every(Object.isFrozen)).toBe(true);
  });

  it('accepts an object without prototype and one twice in different places', () => {
    const shared = Object.assign(Object.create(null) as object, { x: 1 });
    expect(copyPlain([shared, shared])).toEqual({ ok: true, copy: [{ x: 1 }, { x: 1 }] });
  });

  it('keeps a key that looks like a prototype a plain key', () => {
    const copied = copyPlain(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(JSON.stringify((copied as { copy: unknown }).copy)).toBe('{"__proto__":{"polluted":true}}');
  });

  it('knows no negative zero, as JSON does', () => {
    expect(copyPlain(-0)).toEqual({ ok: true, copy: 0 });
  });

  it.each([
    ['a function', { a: { b: [() => 0] } }, 'state.a.b.0 is a function'],
    ['a date', { at: new Date(0) }, 'state.at is an object of a class'],
    ['a map', new Map(), 'state is an object of a class'],
    ['NaN', [NaN], 'state.0 is NaN'],
    ['an infinity', { p: -Infinity }, 'state.p is -Infinity'],
    ['undefined', { p: undefined }, 'state.p is a undefined'],
    ['a hole', Array.from({ length: 1 }), 'state.0 is a undefined'],
    ['a big integer', [1n], 'state.0 is a bigint'],
    ['a symbol', [Symbol('x')], 'state.0 is a symbol'],
  ])('is refused for %s, naming the place', (_what, value, why) => {
    expect(whyNot(value)).toBe(why);
  });

  it('is refused for a circle', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = { circle };
    expect(whyNot(circle)).toMatch(/nested deeper than 64 levels$/);
  });

  it('goes 64 levels deep', () => {
    expect(whyNot(deep(64))).toBe('plain');
    expect(whyNot(deep(65))).toMatch(/nested deeper/);
  });

  it('is refused for more than a memory, even when nothing is stored twice', () => {
    const doubled = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner, inner], 0);
    expect(whyNot(doubled)).toMatch(/more than 100000 values/);
    expect(whyNot(Array.from({ length: 100_000 }, () => 0))).toMatch(/more than 100000 values/);
  });
});
