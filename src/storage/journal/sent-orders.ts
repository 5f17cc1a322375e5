import type { Micros } from '../../domain/units.js';
import type { JournalRecord, SentOrders } from '../../core/ports/journal.js';

const MINUTE = 60_000_000;
/** Entries that are over are cut off when there are this many, for cutting moves all the others. */
const CUT = 256;

/** Creates and updates that a journal tells of within the last minute of its records. */
export class LastSentOrders {
  #noted: SentOrders[] = [];
  /** Entries before this one are over. */
  #first = 0;

  /** Takes the records in the order in which they were written. */
  note(record: JournalRecord): void {
    if (record.kind === 'sent') this.#begin(record.sent);
    if (record.kind !== 'request') return;
    const { request, at } = record;
    if (request.kind === 'create-orders') this.#add({ at, orders: request.orders.length });
    if (request.kind === 'replace-orders') this.#add({ at, orders: request.replacements.length });
  }

  /** The oldest first. */
  get sent(): readonly SentOrders[] {
    return this.#noted.slice(this.#first);
  }

  /** The same knowledge as a record, which counts for all before it; none when there is nothing. */
  records(): readonly JournalRecord[] {
    const { sent } = this;
    return sent.length === 0 ? [] : [{ kind: 'sent', sent }];
  }

  #begin(sent: readonly SentOrders[]): void {
    this.#noted = [...sent];
    this.#first = 0;
  }

  #add(one: SentOrders): void {
    if (one.orders === 0) return;
    if ((this.#noted.at(-1)?.at ?? 0) > one.at) this.#setBack(one.at);
    this.#noted.push(one);
    while (this.#noted[this.#first]!.at <= one.at - MINUTE) this.#first += 1;
    if (this.#first >= CUT) this.#begin(this.sent);
  }

  /** What was written before cannot have been sent later: the clock was set back in between. */
  #setBack(now: Micros): void {
    this.#begin(this.sent.map((sent) => (sent.at > now ? { ...sent, at: now } : sent)));
  }
}
