import type { EventId } from '../domain/ids.js';
import type { AdminOutcome } from './contract.js';
import type { Floor } from './floor.js';
import type { VenueEvent } from './markets/markets.js';

export type Refused = Extract<AdminOutcome, { readonly ok: false }>;

/** Answers to an administrator's commands. */
export const DONE: AdminOutcome = { ok: true };
export const invalid = (field: string, detail: string): Refused => ({
  ok: false,
  why: 'invalid',
  field,
  detail,
});
export const unknown = (what: string): Refused => ({
  ok: false,
  why: 'not-found',
  detail: `no such ${what}`,
});

/** Acts on an event, or says that there is none. */
export function withEvent(
  floor: Floor,
  id: EventId,
  action: (event: VenueEvent) => AdminOutcome,
): AdminOutcome {
  const event = floor.markets.event(id);
  return event === null ? unknown('event') : action(event);
}
