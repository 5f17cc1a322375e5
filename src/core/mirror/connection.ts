import type { EventId } from '../../domain/ids.js';
import type { LinkInput, SubscriptionInput } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';

type Membership = { readonly state: 'subscribed' | 'refused'; readonly at: Micros };

/** The realtime connection and the channels joined on it; both are gone with every loss. */
export class Connection {
  #up = false;
  readonly #events = new Map<EventId, Membership>();
  #private: Membership | null = null;
  #latest: { readonly state: LinkInput['state'] | 'connecting'; readonly reason: string } = {
    state: 'connecting',
    reason: '',
  };

  get latest(): { readonly state: string; readonly reason: string } {
    return this.#latest;
  }

  get up(): boolean {
    return this.#up;
  }

  /** Since when the private channel is joined; null when it is not. */
  get privateSince(): Micros | null {
    return this.#private?.state === 'subscribed' ? this.#private.at : null;
  }

  get privateRefused(): boolean {
    return this.#private?.state === 'refused';
  }

  /** A connection begins without channels, and nothing of an older one counts: nothing is replayed (facts, Limits). */
  change(input: LinkInput): void {
    this.#up = input.state === 'connected';
    this.#latest = { state: input.state, reason: input.reason };
    this.#events.clear();
    this.#private = null;
  }

  join({ about, state }: SubscriptionInput, at: Micros): void {
    if (about.kind === 'event') this.#events.set(about.eventId, { state, at });
    if (about.kind === 'account') this.#private = { state, at };
  }

  /** Since when the event's channel is joined; null when it is not. */
  joinedSince(event: EventId): Micros | null {
    const membership = this.#events.get(event);
    return membership?.state === 'subscribed' ? membership.at : null;
  }

  refused(event: EventId): boolean {
    return this.#events.get(event)?.state === 'refused';
  }
}
