import type { EndpointName } from '../../../../src/venues/futuur/protocol/rest/endpoints.js';
import type { VenueEntry } from '../venue-record.js';

const MOVING: readonly EndpointName[] = ['batchCreate', 'batchUpdate', 'batchCancel', 'cancelAll'];

/**
 * Whether the balance that the run read last is of a time after everything that its orders locked and freed. Until it is, the
 * run may count less cash than there is, and never more.
 */
export class CashNews {
  #readAt = -1;
  #movedAt = 0;

  get isExact(): boolean {
    return this.#movedAt < this.#readAt;
  }

  note(entry: VenueEntry, at: number): void {
    if (entry.kind === 'run-started') this.#readAt = -1;
    else if (entry.kind === 'served' && MOVING.includes(entry.letter.endpoint)) this.#movedAt = at;
    else if (entry.kind === 'answered' && MOVING.includes(entry.letter.endpoint)) this.#movedAt = at;
    else if (
      entry.kind === 'answered' &&
      entry.letter.endpoint === 'balances' &&
      entry.answer?.status === 200
    )
      this.#readAt = entry.letter.handedAt;
  }
}
