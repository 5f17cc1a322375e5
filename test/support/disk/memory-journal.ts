import type { Journal, JournalRecord, SentOrders } from '../../../src/core/ports/journal.js';
import { JournalError } from '../../../src/core/ports/journal.js';
import { OpenWork } from '../../../src/storage/journal/open-work.js';
import { LastSentOrders } from '../../../src/storage/journal/open-work.js';

/** A journal that survives nothing but the bot: what a run left in it, the next one finds. */
export class MemoryJournal implements Journal {
  readonly records: JournalRecord[] = [];
  /** Takes no records, as a disk without room. */
  isFull = false;
  readonly #sent = new LastSentOrders();
  readonly #work = new OpenWork({ runs: 16, requests: 512, orders: 50_000 });

  append(record: JournalRecord): void {
    if (this.isFull) throw new JournalError('disk-full', 'no room');
    this.records.push(record);
    this.#work.note(record);
    this.#sent.note(record);
  }

  /** What the runs so far left open. */
  recovered(): readonly JournalRecord[] {
    return this.#work.records();
  }

  /** Creates and updates that left within the last minute. */
  get sent(): readonly SentOrders[] {
    return this.#sent.sent;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
