import type { RefusalMeaning, RequestFailure } from '../../domain/answers.js';

/** What a refusal asks for, besides not trying the same at once. */
export type ReactionKind =
  /** Our picture of the market's orders is wrong: list them, then plan again. */
  | 'list-orders'
  /**
   * Our picture of cash or shares is wrong: read it, then plan with what there is. If it was just read, plan with less.
   */
  | 'read-balances'
  /** The market takes no orders: read its event and quote again only when its status allows it. */
  | 'read-event'
  /** The order breaks a rule of the market: it is not asked for again for a while, others are. */
  | 'drop-intent'
  /** The account may not trade: creates stop until a person resumes. */
  | 'stop-trading'
  /** The keys are not accepted: nothing can be done, cancels included; a person is needed now. */
  | 'keys-refused'
  /** The clocks differ too much. The answer tells by how much: plan and sign again after the pause. */
  | 'measure-clock'
  /** Nothing is wrong with the order: plan again after the pause. */
  | 'wait';

/** The defined reaction to a refusal. */
export interface Reaction {
  readonly kind: ReactionKind;
  /** Whether it concerns the market of the order or everything we do. */
  readonly reach: 'market' | 'account';
  /** Quotes pause at least this long. */
  readonly pauseMs: number;
  readonly notice: 'info' | 'warning' | 'error';
}

const market = (kind: ReactionKind, pauseMs: number, notice: Reaction['notice'] = 'warning'): Reaction => ({
  kind,
  reach: 'market',
  pauseMs,
  notice,
});
const account = (kind: ReactionKind, pauseMs: number, notice: Reaction['notice'] = 'error'): Reaction => ({
  kind,
  reach: 'account',
  pauseMs,
  notice,
});

const REACTIONS: Readonly<Record<RefusalMeaning, Reaction>> = {
  'keys-refused': account('keys-refused', 60_000),
  'time-missing': account('measure-clock', 1_000),
  'too-late': account('measure-clock', 1_000, 'warning'),
  'account-barred': account('stop-trading', 60_000),
  'no-funds': market('read-balances', 1_000),
  'bad-shares': market('drop-intent', 5_000),
  'bad-amount': market('drop-intent', 5_000),
  invalid: market('drop-intent', 5_000, 'error'),
  unsupported: market('drop-intent', 60_000, 'error'),
  'market-closed': market('read-event', 5_000),
  'conflicting-orders': market('list-orders', 500),
  // The book has moved: the order is planned again from the newest one.
  'would-take': market('wait', 0, 'info'),
  'not-cancelable': market('list-orders', 0, 'info'),
  'not-found': market('list-orders', 500),
  // For a while the venue takes the same create for a copy of the last one.
  copy: market('wait', 1_100, 'info'),
  throttled: account('wait', 1_000, 'warning'),
  'venue-failed': market('list-orders', 1_000),
  // Batch items fail with sentences too: a listing tells what became of the order.
  unstated: market('list-orders', 500, 'info'),
};

/** The part of an order that broke a rule of the venue; null where it does not say. */
export function refusedPartOf({ means, fields = [] }: PlacedRefusal): 'amount' | 'shares' | 'price' | null {
  if (means === 'bad-amount') return 'amount';
  if (means === 'bad-shares') return 'shares';
  if (means !== 'invalid') return null;
  return fields.includes('price') ? 'price' : fields.includes('shares') ? 'shares' : null;
}

interface PlacedRefusal {
  readonly means: RefusalMeaning;
  readonly fields?: readonly string[] | undefined;
}

/** A longer pause is an alarm: quotes stand and nobody minds them. */
const LONG_PAUSE_MS = 600_000;

/** To the refusal of one item of a batch. */
export const reactionTo = (means: RefusalMeaning): Reaction => REACTIONS[means];

/** To a wholly refused request, which may say how long to wait. */
export function reactionToRefusal({ means, retryAfterMs }: Refusal): Reaction {
  if (means !== 'throttled') return REACTIONS[means];
  const pauseMs = retryAfterMs ?? REACTIONS.throttled.pauseMs;
  return account('wait', pauseMs, pauseMs >= LONG_PAUSE_MS ? 'error' : 'warning');
}

type Refusal = Pick<Extract<RequestFailure, { readonly kind: 'refused' }>, 'means' | 'retryAfterMs'>;
