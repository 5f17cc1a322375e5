import type { Micros } from '../../domain/units.js';

/** `resync`: nothing can be quoted without it. `witness`: a comparison that can wait. */
export type Urgency = 'resync' | 'witness';

const NONE = -1;
const URGENCIES = ['resync', 'witness'] as const satisfies readonly Urgency[];

/** One chain of subjects, in the order in which they were wanted. */
interface Chain {
  first: number;
  last: number;
}

/**
 * Which subjects are wanted, how urgently and since when, each urgency in the order of its wishes. After a reconnection
 * every market is wanted, so that these are chains through typed arrays: 17 bytes a subject, where a map takes 60.
 */
export class Wishes {
  #since: Float64Array;
  /** Neighbours in the subject's chain. */
  #before: Int32Array;
  #after: Int32Array;
  /** Place of the urgency; -1 while the subject is not wanted. */
  #urgencies: Int8Array;
  #count = 0;
  readonly #chains: readonly Chain[] = URGENCIES.map(() => ({ first: NONE, last: NONE }));

  /** @param expected subjects there will be; more than that cost a copy of all */
  constructor(expected: number) {
    this.#since = new Float64Array(expected);
    this.#before = new Int32Array(expected);
    this.#after = new Int32Array(expected);
    this.#urgencies = new Int8Array(expected).fill(NONE);
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Null while the subject is not wanted. @param subject dense: 0, 1, 2 and so on */
  urgency(subject: number): Urgency | null {
    const urgency = this.#urgencies[subject] ?? NONE;
    return urgency === NONE ? null : URGENCIES[urgency]!;
  }

  /** Since when the subject is wanted; null while it is not. */
  since(subject: number): Micros | null {
    return this.urgency(subject) === null ? null : (this.#since[subject]! as Micros);
  }

  /** Wants the subject: one wanted as urgently keeps its turn, any other becomes the last. */
  want(subject: number, since: Micros, urgency: Urgency): void {
    if (subject >= this.#since.length) this.#grow(subject);
    if (this.urgency(subject) !== urgency) {
      this.drop(subject);
      this.#append(subject, URGENCIES.indexOf(urgency));
    }
    this.#since[subject] = since;
  }

  /** Not wanted any more. */
  drop(subject: number): void {
    const urgency = this.#urgencies[subject] ?? NONE;
    if (urgency === NONE) return;
    const chain = this.#chains[urgency]!;
    const [before, after] = [this.#before[subject]!, this.#after[subject]!];
    if (before === NONE) chain.first = after;
    else this.#after[before] = after;
    if (after === NONE) chain.last = before;
    else this.#before[after] = before;
    this.#urgencies[subject] = NONE;
    this.#count -= 1;
  }

  clear(): void {
    this.#count = 0;
    for (const chain of this.#chains) chain.first = chain.last = NONE;
    this.#urgencies.fill(NONE);
  }

  /** Wanted subjects of which this holds, urgent ones first, at most `limit`. */
  pick(limit: number, holds: (subject: number) => boolean): number[] {
    const picked: number[] = [];
    for (const { first } of this.#chains)
      for (let subject = first; subject !== NONE; subject = this.#after[subject]!) {
        if (picked.length >= limit) return picked;
        if (holds(subject)) picked.push(subject);
      }
    return picked;
  }

  /** Lets a subject that is not wanted be the last of a chain. */
  #append(subject: number, urgency: number): void {
    const chain = this.#chains[urgency]!;
    this.#before[subject] = chain.last;
    this.#after[subject] = NONE;
    if (chain.last === NONE) chain.first = subject;
    else this.#after[chain.last] = subject;
    chain.last = subject;
    this.#urgencies[subject] = urgency;
    this.#count += 1;
  }

  #grow(subject: number): void {
    const length = Math.max(2 * this.#since.length, subject + 1);
    const urgencies = new Int8Array(length).fill(NONE);
    urgencies.set(this.#urgencies);
    this.#urgencies = urgencies;
    [this.#before, this.#after] = [longer(this.#before, length), longer(this.#after, length)];
    const since = new Float64Array(length);
    since.set(this.#since);
    this.#since = since;
  }
}

function longer(row: Int32Array, length: number): Int32Array {
  const copy = new Int32Array(length);
  copy.set(row);
  return copy;
}
