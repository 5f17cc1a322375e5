import type { OrderId } from '../../../../src/exchange/contract/ids.js';
import type { VenueEntry } from '../venue-record.js';

/** Which orders the running bot was told of, by frames and answers, and when first. */
export class Knowledge {
  readonly #toldAt = new Map<number, number>();
  #now = 0;

  note(entry: VenueEntry): void {
    if (entry.kind === 'run-started') this.#toldAt.clear();
    else if (entry.kind === 'left') this.#now = entry.letter.leftAt ?? this.#now;
    else if (entry.kind === 'told' && entry.event === 'order-update')
      this.#read(entry.text, /"order_id":(\d+)/g);
    else if (entry.kind === 'answered' && entry.answer !== null) this.#read(entry.answer.text, /"id":(\d+)/g);
  }

  /** Whether the run had been told of the order by then. */
  isOf(at: number, order: OrderId): boolean {
    return (this.#toldAt.get(order) ?? Infinity) <= at;
  }

  #read(text: string, pattern: RegExp): void {
    for (const [, id] of text.matchAll(pattern))
      if (!this.#toldAt.has(Number(id))) this.#toldAt.set(Number(id), this.#now);
  }
}
