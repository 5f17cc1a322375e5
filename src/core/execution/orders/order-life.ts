/**
 * The life of one own order. In state `unknown` the order may or may not stand after a time-out, so it counts as
 * exposure until it is settled.
 */
export const ORDER_STATES = ['creating', 'live', 'updating', 'cancelling', 'unknown', 'done'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Which request with an unknown outcome makes an order `unknown`. */
export const DOUBTS = ['create', 'update', 'cancel'] as const;
export type Doubt = (typeof DOUBTS)[number];

/**
 * `ours`: named in our own answers, or found in an exclusive market. `foreign`: of our account but not ours to touch;
 * it counts as exposure and must not trade with ours. `ambiguous`: foreign or a lost order of ours, so nobody can say
 * that nothing of ours stands.
 */
export type Ownership = 'ours' | 'foreign' | 'ambiguous';

/** How far the venue has processed an order; stages never go back. */
export type Stage = 'unseen' | 'processing' | 'open' | 'partial' | 'ended';

/** Why an order is `done`. */
export type Ending =
  'filled' | 'canceled' | 'expired' | 'replaced' | 'rejected' | 'vanished' | 'never-executed';

export const LIFE_EVENTS = [
  /** The venue answered a create or an update with this order. */
  'accepted',
  /** It is proved that the create never had an effect. */
  'rejected',
  /** The request about this order has no usable answer. */
  'lost',
  /** The same create goes out again under its own key. */
  'create-sent',
  'update-sent',
  /** The venue answered the update: another order stands in this one's place. */
  'replaced',
  /** The update's item failed: the order may have been filled, cancelled or left alone. */
  'update-failed',
  /** It is proved that the update never had an effect. */
  'update-refused',
  'cancel-sent',
  /** The cancel's item failed: the order is filled, gone or being processed. */
  'cancel-failed',
  /** It is proved that the cancel never had an effect. */
  'cancel-refused',
  /** A frame or an answer, of whatever age, says that the order works. */
  'working',
  /** A listing begun after our last request about the order shows it working. */
  'listed',
  /** The venue says that the order has ended. */
  'finished',
  /** Two complete listings, begun late enough, did not show it. */
  'absent',
] as const;
export type LifeEvent = (typeof LIFE_EVENTS)[number];

/** What a transition may depend on besides the state. */
interface Life {
  readonly state: OrderState;
  readonly doubt: Doubt | null;
}

type Transition = (life: Life) => OrderState;

const stay: Transition = (life) => life.state;
const to =
  (state: OrderState): Transition =>
  () =>
    state;
/** Back to what it was before a request that provably changed nothing. */
const asBefore: Transition = (life) => (life.doubt === null ? 'live' : 'unknown');
/** Proof that the order exists settles a doubtful create, but not a doubtful update or cancel. */
const existing: Transition = (life) => (life.doubt === 'create' ? 'live' : 'unknown');

/** What every order does that the venue already knows. */
const KNOWN: Record<LifeEvent, Transition> = {
  accepted: stay,
  rejected: stay,
  lost: to('unknown'),
  'create-sent': stay,
  'update-sent': to('updating'),
  replaced: to('done'),
  'update-failed': to('unknown'),
  'update-refused': stay,
  'cancel-sent': to('cancelling'),
  'cancel-failed': to('unknown'),
  'cancel-refused': stay,
  working: stay,
  listed: stay,
  finished: to('done'),
  absent: to('done'),
};

const ended = Object.fromEntries(LIFE_EVENTS.map((event) => [event, stay])) as Record<LifeEvent, Transition>;

const TRANSITIONS: Record<OrderState, Record<LifeEvent, Transition>> = {
  creating: { ...KNOWN, accepted: to('live'), rejected: to('done'), absent: stay },
  live: KNOWN,
  updating: { ...KNOWN, 'update-refused': asBefore, absent: stay },
  cancelling: { ...KNOWN, 'cancel-refused': asBefore, absent: stay },
  unknown: {
    ...KNOWN,
    accepted: to('live'),
    rejected: to('done'),
    'create-sent': to('creating'),
    'update-sent': stay,
    working: existing,
    listed: to('live'),
  },
  done: ended,
};

const DOUBTS_BY_EVENT: Partial<Record<LifeEvent, Doubt>> = {
  'update-failed': 'update',
  'cancel-failed': 'cancel',
};

/** What a lost answer leaves in doubt, by what was under way. */
const LOST_IN: Record<OrderState, Doubt> = {
  creating: 'create',
  live: 'cancel',
  updating: 'update',
  cancelling: 'cancel',
  unknown: 'cancel',
  done: 'cancel',
};

/** @returns the state after the event. Every pair is defined, because messages come late, twice and in any order. */
export const nextState = (life: Life, event: LifeEvent): OrderState => TRANSITIONS[life.state][event](life);

/** @returns why the order is in doubt after the event. An older, graver doubt (create, update) is kept. */
export function nextDoubt(life: Life, event: LifeEvent, next: OrderState): Doubt | null {
  if (next === 'live' || next === 'done') return null;
  if (next !== 'unknown') return life.doubt;
  return life.doubt ?? DOUBTS_BY_EVENT[event] ?? LOST_IN[life.state];
}
