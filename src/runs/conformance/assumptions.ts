/** What the venue's documentation leaves open and this program assumes, and how each is tried. */

/** A way of trying it; null: it cannot be tried with an order of one's own. */
export type ProbeName =
  | 'nested-signature'
  | 'repeated-query'
  | 'empty-body'
  | 'clock-window'
  | 'error-form'
  | 'empty-batch'
  | 'bad-item'
  | 'foreign-event'
  | 'duplicate'
  | 'idempotency'
  | 'mirror'
  | 'grid'
  | 'share-grid'
  | 'conflict'
  | 'past-expiry'
  | 'expired'
  | 'update-size'
  | 'failed-update'
  | 'private-channel';

export interface Assumption {
  readonly number: number;
  readonly sentence: string;
  /** Whether money or orders would be at risk if it were wrong. */
  readonly isSafety: boolean;
  readonly probe: ProbeName | null;
}

const about = (sentence: string, probe: ProbeName | null, isSafety = false): Omit<Assumption, 'number'> => ({
  sentence,
  probe,
  isSafety,
});

/** Numbers never change: kept results refer to them. New ones go to the end. */
export const ASSUMPTIONS: readonly Assumption[] = [
  about('Nested values of a body are signed as signing.nested of the file says.', 'nested-signature', true),
  about('A query array repeats its name, and pairs are signed by name, then by value.', 'repeated-query'),
  about('A request without a body signs Key and Timestamp alone.', 'empty-body', true),
  about('A clock may differ by clockWindowS of the file, and not by more.', 'clock-window', true),
  about('An error is a code in `error` with a sentence in `detail`.', 'error-form', true),
  about('A batch with no item is refused with 400.', 'empty-batch'),
  about('A bad item never fails its batch.', 'bad-item', true),
  about('A market that its stated event does not own is refused by name: `event`.', 'foreign-event'),
  about(
    'The same batch twice within a second is refused with 400 and wager_action_duplicated.',
    'duplicate',
    true,
  ),
  about(
    'A create that is repeated under its idempotency key gives the first order again, and no second one.',
    'idempotency',
    true,
  ),
  about('A bid on short at q stands in the book as an ask at 1-q.', 'mirror', true),
  about('A price off the tick size is refused.', 'grid'),
  about('Shares are in steps of 0.01.', 'share-grid'),
  about(
    'An order that could trade with an own one is refused: OrderBookConflictingOrders.',
    'conflict',
    true,
  ),
  about('An expiry in the past is refused.', 'past-expiry'),
  about('An order that expired is not listed as active any more.', 'expired', true),
  about('The shares of an update are the whole size of the replacement.', 'update-size', true),
  about('An update that fails leaves the order as it was.', 'failed-update', true),
  about('The private channel is authorised with a signed form.', 'private-channel', true),
  about('Price, then time; the price of the resting order holds.', null),
  about('Long and short shares of a market are two holdings, never netted.', null, true),
  about('A resting bid locks price x shares plus the larger fee, an ask locks its shares.', null),
  about('A limit order by amount has floor(amount / price) shares.', null),
  about('Fees are per share, as venue.fees of the file says.', null, true),
  about('A pause leaves orders resting; a stop, a resolution and a cancellation cancel them.', null),
  about('A resolution pays 1 for each winning share; a void market gives back what it cost.', null, true),
  about('market-status-change says event, market, status and dates.', null),
  about('A message above 10 KB drops its last markets.', null),
].map((one, at) => ({ number: at + 1, ...one }));
