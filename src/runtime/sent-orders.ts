import type { JournalRecord, SentOrders } from '../ports/journal.js';

const MINUTE = 60_000_000;

/** Creates and updates that a journal tells of within the last minute of its records. */
export class LastSentOrders {
  #sent: SentOrders[] = [];

  /** Takes the records in the order in which they were written. */
  note(record: JournalRecord): void {
    if (record.kind === 'sent') this.#sent = [...record.sent];
    if (record.kind !== 'request') return;
    const { request, at } = record;
    if (request.kind === 'create-orders') this.#add({ at, orders: request.orders.length });
    if (request.kind === 'replace-orders') this.#add({ at, orders: request.replacements.length });
  }

  /** The oldest first. */
  get sent(): readonly SentOrders[] {
    return this.#sent;
  }

  /** The same knowledge as a record, which counts for all before it; none when there is nothing. */
  records(): readonly JournalRecord[] {
    return this.#sent.length === 0 ? [] : [{ kind: 'sent', sent: [...this.#sent] }];
  }

  #add(one: SentOrders): void {
    if (one.orders === 0) return;
    const first = this.#sent.findIndex(({ at }) => at > one.at - MINUTE);
    if (first !== 0) this.#sent.splice(0, first < 0 ? this.#sent.length : first);
    this.#sent.push(one);
  }
}
