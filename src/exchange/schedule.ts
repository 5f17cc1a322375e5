import TinyQueue from 'tinyqueue';
import type { Micros } from '../domain/units.js';

/** What can fall due: an order's expiry or the end of its processing, an edge of a bet window, a comment. */
export interface DueItem {
  readonly at: Micros;
  readonly kind: 'expire-order' | 'open-order' | 'event-window' | 'market-window' | 'comment';
  /** Id of the order, event, market or comment. */
  readonly id: number;
}

/** The first size at which the queue is searched for stale items; then whenever it has doubled. */
const FIRST_SWEEP = 1_024;

type Entry = DueItem & { readonly seq: number };

/** What falls due when, earliest first; of the same time, first scheduled first. */
export class Schedule {
  private seq = 0;
  private queue = new TinyQueue<Entry>([], earlier);
  private sweepAt = FIRST_SWEEP;

  add({ at, kind, id }: DueItem): void {
    this.seq += 1;
    this.queue.push({ at, kind, id, seq: this.seq });
  }

  /** @returns the time of the earliest item, null when there is none */
  next(): Micros | null {
    return this.queue.peek()?.at ?? null;
  }

  /** Takes out the earliest item that is due. @returns null when none is due by `now` */
  take(now: Micros): DueItem | null {
    const next = this.queue.peek();
    return next === undefined || next.at > now ? null : (this.queue.pop() ?? null);
  }

  /** Drops items that need not happen any more: from the front, and everywhere when the queue has grown. */
  drop(isStale: (item: DueItem) => boolean): void {
    if (this.queue.length >= this.sweepAt) this.sweep(isStale);
    for (let next = this.queue.peek(); next !== undefined && isStale(next); next = this.queue.peek())
      this.queue.pop();
  }

  private sweep(isStale: (item: DueItem) => boolean): void {
    this.queue = new TinyQueue(
      this.queue.data.filter((item) => !isStale(item)),
      earlier,
    );
    this.sweepAt = Math.max(FIRST_SWEEP, 2 * this.queue.length);
  }

  /** All items in the order in which they will happen. */
  items(): readonly DueItem[] {
    return [...this.queue.data].sort(earlier).map(({ at, kind, id }) => ({ at, kind, id }));
  }
}

const earlier = (a: Entry, b: Entry): number => a.at - b.at || a.seq - b.seq;
