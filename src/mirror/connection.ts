import type { EventId } from '../domain/ids.js';
import type { ConnectionChange, SubscriptionChange } from '../domain/inputs.js';
import type { Micros } from '../domain/units.js';

type Membership = { readonly state: 'subscribed' | 'refused'; readonly at: Micros };

/** Which channel carries what (specification 6.1). */
export type ChannelMeaning =
  | { readonly kind: 'event'; readonly eventId: EventId }
  | { readonly kind: 'private' }
  | { readonly kind: 'other' };

/** The realtime connection and the channels joined on it; both are gone with every loss. */
export class Connection {
  #up = false;
  readonly #events = new Map<EventId, Membership>();
  #private: Membership | null = null;

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
  change(input: ConnectionChange): void {
    this.#up = input.state === 'connected';
    this.#events.clear();
    this.#private = null;
  }

  /** @returns what the channel carries */
  join(input: SubscriptionChange, at: Micros): ChannelMeaning {
    const meaning = channelMeaning(input.channel);
    if (meaning.kind === 'event') this.#events.set(meaning.eventId, { state: input.state, at });
    if (meaning.kind === 'private') this.#private = { state: input.state, at };
    return meaning;
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

const EVENT_CHANNEL = /^event-(\d+)$/;

function channelMeaning(channel: string): ChannelMeaning {
  const event = EVENT_CHANNEL.exec(channel);
  if (event !== null) return { kind: 'event', eventId: Number(event[1]) as EventId };
  return { kind: channel.startsWith('private-user-') ? 'private' : 'other' };
}
