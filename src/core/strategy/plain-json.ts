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
 * @returns a frozen copy that shares nothing with the original, or where and why it is none
 */
export function copyPlain(value: unknown): PlainCopy {
  const copier = new Copier();
  const copy = copier.copy(value);
  return copier.problem === null ? { ok: true, copy } : { ok: false, why: copier.problem };
}

class Copier {
  problem: string | null = null;
  private values = 0;
  private readonly path: (string | number)[] = [];

  copy(value: unknown): PlainJson {
    this.values += 1;
    if (this.values > MOST_VALUES) return this.refuse(`has more than ${MOST_VALUES} values`);
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    // JSON knows no negative zero.
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : this.refuse(`is ${value}`);
    if (typeof value !== 'object') return this.refuse(`is a ${typeof value}`);
    if (this.path.length === MOST_DEPTH) return this.refuse(`is nested deeper than ${MOST_DEPTH} levels`);
    return Array.isArray(value) ? this.copyList(value) : this.copyRecord(value);
  }

  private copyList(list: readonly unknown[]): PlainJson {
    const copy: PlainJson[] = [];
    for (let index = 0; index < list.length && this.problem === null; index++)
      copy.push(this.copyAt(index, list[index]));
    return Object.freeze(copy);
  }

  private copyRecord(record: object): PlainJson {
    const prototype: unknown = Object.getPrototypeOf(record);
    if (prototype !== Object.prototype && prototype !== null) return this.refuse('is an object of a class');
    const entries: [string, PlainJson][] = [];
    for (const [key, value] of Object.entries(record)) {
      if (this.problem !== null) break;
      entries.push([key, this.copyAt(key, value)]);
    }
    return Object.freeze(Object.fromEntries(entries));
  }

  private copyAt(key: string | number, value: unknown): PlainJson {
    this.path.push(key);
    const copy = this.copy(value);
    this.path.pop();
    return copy;
  }

  /** The first problem stays. */
  private refuse(why: string): null {
    this.problem ??= `${['state', ...this.path].join('.')} ${why}`;
    return null;
  }
}
