import type { Micros } from '../../../domain/units.js';
import type { BookHistory } from './book-history.js';
import { type BookMemory, SMALL } from './book-memory.js';
import { laterBy } from '../durations.js';
import type { MirrorSettings } from '../settings.js';

/** How a read compares with the mirror's book. */
export type Verdict =
  /** It shows what the book is now, or was within the time a read may lag behind. */
  | 'agrees'
  /** It shows what the book never was, so far: an update on its way may still explain it. */
  | 'waits'
  /** The past kept is too short to say. */
  | 'inconclusive';

interface Waiting {
  readonly hash: number;
  readonly until: Micros;
}

/**
 * Compares book reads with the mirror's book. A read may be seconds old (cached by the venue) and may also be newer
 * than the updates received, so it is compared with the past and, for the latency allowed, with the future.
 */
export class Witnesses {
  readonly #waiting = new Map<number, Waiting>();

  constructor(
    private readonly memory: BookMemory,
    private readonly history: BookHistory,
    private readonly settings: MirrorSettings,
  ) {}

  /** @param hash fingerprint of the read */
  judge(market: number, hash: number, sentAt: Micros, now: Micros): Verdict {
    const { bookCacheMs, latencyMs } = this.settings;
    const recollection = this.history.recall(market, hash, laterBy(sentAt, -(bookCacheMs + latencyMs)), now);
    if (recollection === 'forgotten') return 'inconclusive';
    if (recollection === 'unseen') this.#waiting.set(market, { hash, until: laterBy(now, latencyMs) });
    return recollection === 'seen' ? 'agrees' : 'waits';
  }

  /** An update gave the book this fingerprint. @returns whether it explains a read that was waiting for it */
  explains(market: number, hash: number): boolean {
    if (this.#waiting.size === 0 || this.#waiting.get(market)?.hash !== hash) return false;
    return this.#waiting.delete(market);
  }

  /** When the read of this market that still waits becomes a disagreement; null when none waits. */
  waitsUntil(market: number): Micros | null {
    return this.#waiting.get(market)?.until ?? null;
  }

  /** The read that waited was not explained in time. @returns how many in a row now disagreed */
  disagreed(market: number): number {
    this.#waiting.delete(market);
    const inARow = this.memory.small(market, SMALL.disagreements) + 1;
    this.memory.setSmall(market, SMALL.disagreements, inARow);
    return inARow;
  }

  agreed(market: number): void {
    this.memory.setSmall(market, SMALL.disagreements, 0);
  }

  /** The book begins anew. */
  forget(market: number): void {
    this.#waiting.delete(market);
    this.memory.setSmall(market, SMALL.disagreements, 0);
  }
}
