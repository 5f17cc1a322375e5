import type { EventId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';

/** When other hands than the bot's have last placed an order in an event, as far as was heard. */
export class OtherHands {
  private readonly placedAt = new Map<EventId, Micros>();

  placed(event: EventId, at: Micros): void {
    this.placedAt.set(event, at);
  }

  /** What was decided by then did not count with an order of theirs. */
  havePlacedSince(event: EventId, then: Micros): boolean {
    return (this.placedAt.get(event) ?? -1) >= then;
  }
}
