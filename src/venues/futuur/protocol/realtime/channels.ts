/** Channel names (specification 6.1). */
import { type AccountId, accountId, type EventId, eventId } from '../../../../domain/ids.js';
import type { ChannelSubject, SubscriptionInput } from '../../../../domain/inputs.js';

export const GLOBAL_CHANNEL = 'event';
export const TEST_CHANNEL = 'test-channel';
const EVENT_PREFIX = 'event-';
const USER_PREFIX = 'private-user-';
/** Pusher's rule: channels of these prefixes need authorisation. The venue authorises none of the second kind. */
const AUTHORISED_PREFIXES = ['private-', 'presence-'] as const;

export const eventChannel = (event: EventId | number): string => `${EVENT_PREFIX}${event}`;
export const userChannel = (user: AccountId | number): string => `${USER_PREFIX}${user}`;

/** What a name stands for. `unknown` private names are refused, `unknown` public ones carry nothing. */
export type Channel =
  | { readonly kind: 'global' }
  | { readonly kind: 'test' }
  | { readonly kind: 'event'; readonly eventId: EventId }
  | { readonly kind: 'user'; readonly userId: AccountId }
  | { readonly kind: 'unknown' };

/** Reads the name of a channel. Never throws: a name that the venue does not have is `unknown`. */
export function parseChannel(name: string): Channel {
  if (name === GLOBAL_CHANNEL) return { kind: 'global' };
  if (name === TEST_CHANNEL) return { kind: 'test' };
  const event = idAfter(EVENT_PREFIX, name);
  if (event !== null) return { kind: 'event', eventId: eventId(event) };
  const user = idAfter(USER_PREFIX, name);
  return user === null ? { kind: 'unknown' } : { kind: 'user', userId: accountId(user) };
}

export const isPrivateChannel = (name: string): boolean =>
  AUTHORISED_PREFIXES.some((prefix) => name.startsWith(prefix));

/** What the core is told of a channel that was joined, refused or left. */
export const subscriptionChange = (
  channel: string,
  state: SubscriptionInput['state'],
  reason = '',
): SubscriptionInput => ({ kind: 'subscription', channel, about: subjectOf(channel), state, reason });

function subjectOf(name: string): ChannelSubject {
  if (isPrivateChannel(name)) return { kind: 'account' };
  const channel = parseChannel(name);
  return channel.kind === 'event' ? channel : { kind: 'other' };
}

/** Pusher's characters for channel names. */
export const isChannelName = (name: string): boolean => /^[-a-zA-Z0-9_=@,.;]{1,164}$/.test(name);

/** One spelling per id: no leading zeros, at most 15 digits. */
function idAfter(prefix: string, name: string): string | null {
  if (!name.startsWith(prefix)) return null;
  const digits = name.slice(prefix.length);
  return /^(0|[1-9]\d{0,14})$/.test(digits) ? digits : null;
}
