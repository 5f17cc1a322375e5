/**
 * JSON without functions, dates, NaN or cycles: what a strategy may remember from one call to the next, so that its
 * memory can be written down, restored and compared.
 */
export type PlainJson =
  null | boolean | number | string | readonly PlainJson[] | { readonly [key: string]: PlainJson };

export type PlainCopy =
  { readonly ok: true; readonly copy: PlainJson } | { readonly ok: false; readonly why: string };

/** A value in a circle is endlessly deep. */
const MOST_DEPTH = 64;
/** A state is copied on every call: it is a memory, not a database. */
const MOST_VALUES = 100_000;

/**
 * Copies a value if it is plain JSON.
 * @param known a copy made before: what stands at its place unchanged is taken over from it
 * @returns a frozen copy that shares nothing else with the original, or where and why it is none
 */
export function copyPlain(value: unknown, known?: PlainJson): PlainCopy {
  const copier = new Copier();
  const copy = copier.copy(value, known);
  return copier.problem === null ? { ok: true, copy } : { ok: false, why: `state${copier.problem}` };
}

/** The path to what is wrong is put together on the way back: a good value pays nothing for it. */
class Copier {
  problem: string | null = null;
  private values = 0;
  private depth = 0;

  copy(value: unknown, known: unknown): PlainJson {
    this.values += 1;
    if (this.values > MOST_VALUES) return this.refuse(`has more than ${MOST_VALUES} values`);
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    // JSON knows no negative zero.
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : this.refuse(`is ${value}`);
    if (typeof value !== 'object') return this.refuse(`is a ${typeof value}`);
    if (value === known) return value as PlainJson;
    if (this.depth === MOST_DEPTH) return this.refuse(`is nested deeper than ${MOST_DEPTH} levels`);
    this.depth += 1;
    const before = (known ?? {}) as Readonly<Record<string | number, unknown>>;
    const copy = Array.isArray(value) ? this.copyList(value, before) : this.copyRecord(value, before);
    this.depth -= 1;
    return copy;
  }

  private copyList(list: readonly unknown[], before: Readonly<Record<number, unknown>>): PlainJson {
    const copy: PlainJson[] = [];
    for (let index = 0; index < list.length; index++) {
      copy.push(this.copy(list[index], before[index]));
      if (this.problem !== null) return this.within(index);
    }
    return Object.freeze(copy);
  }

  private copyRecord(record: object, before: Readonly<Record<string, unknown>>): PlainJson {
    const prototype: unknown = Object.getPrototypeOf(record);
    if (prototype !== Object.prototype && prototype !== null) return this.refuse('is an object of a class');
    const copy: Record<string, PlainJson> = {};
    for (const key of Object.keys(record)) {
      const value = this.copy((record as Record<string, unknown>)[key], before[key]);
      if (this.problem !== null) return this.within(key);
      // An assignment would change the prototype of the copy.
      if (key === '__proto__') Object.defineProperty(copy, key, { value, enumerable: true });
      else copy[key] = value;
    }
    return Object.freeze(copy);
  }

  private refuse(why: string): null {
    this.problem = ` ${why}`;
    return null;
  }

  private within(key: string | number): null {
    this.problem = `.${key}${this.problem}`;
    return null;
  }
}
