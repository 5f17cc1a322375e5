import TinyQueue from 'tinyqueue';
import { invariant } from '../../domain/errors.js';

interface Arrival<Item> {
  readonly at: number;
  readonly seq: number;
  readonly item: Item;
}

const earlier = (a: Arrival<unknown>, b: Arrival<unknown>): number => a.at - b.at || a.seq - b.seq;

/** What is under way and may overtake what left before it; of the same time, what left first arrives first. */
export class Arrivals<Item> {
  private readonly queue = new TinyQueue<Arrival<Item>>([], earlier);
  private seq = 0;

  /** When the next one arrives; infinite when none is under way. */
  nextAt = Infinity;

  push(at: number, item: Item): void {
    this.queue.push({ at, seq: this.seq++, item });
    if (at < this.nextAt) this.nextAt = at;
  }

  /** Takes the one that arrives next. */
  take(): Item {
    const next = this.queue.pop();
    invariant(next !== undefined, 'nothing is under way');
    this.nextAt = this.queue.peek()?.at ?? Infinity;
    return next.item;
  }
}
