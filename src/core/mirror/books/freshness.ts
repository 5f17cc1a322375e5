import { CONDITION, type Condition } from './book-levels.js';

/** How far the mirror's book of a market may be relied on. Quoting needs `live` or `hidden`. */
export interface Freshness {
  /**
   * `live`: it is the venue's book. `hidden`: it is, but on a side nothing foreign is visible behind our own orders.
   * `resyncing`: answers are awaited. `stale`: something is wrong with it.
   */
  readonly state: 'live' | 'hidden' | 'resyncing' | 'stale';
  /** Stable, kebab-case. */
  readonly reason: string;
}

const as = (state: Freshness['state'], reason: string): Freshness => Object.freeze({ state, reason });

export const FRESHNESS = {
  live: as('live', 'live'),
  hidden: as('hidden', 'own-orders-cover-the-visible-levels'),
  connectionLost: as('resyncing', 'connection-lost'),
  channelNotJoined: as('resyncing', 'channel-not-joined'),
  channelRefused: as('stale', 'channel-refused'),
  privateNotJoined: as('resyncing', 'private-channel-not-joined'),
  privateRefused: as('stale', 'private-channel-refused'),
  ordersNotRead: as('resyncing', 'orders-not-read'),
  holdingsNotRead: as('resyncing', 'holdings-not-read'),
  balancesNotRead: as('resyncing', 'balances-not-read'),
  bookNotRead: as('resyncing', 'book-not-read'),
  tooOld: as('stale', 'book-too-old'),
  witnessesDisagree: as('stale', 'witnesses-disagree'),
} as const;

const BY_CONDITION: Readonly<Record<Condition, Freshness>> = {
  [CONDITION.unread]: FRESHNESS.bookNotRead,
  [CONDITION.sound]: FRESHNESS.live,
  [CONDITION.offGrid]: as('stale', 'price-off-grid'),
  [CONDITION.malformed]: as('stale', 'levels-malformed'),
  [CONDITION.crossed]: as('stale', 'book-crossed'),
  [CONDITION.locked]: as('stale', 'book-locked'),
};

/** What the levels themselves permit. */
export const freshnessOf = (condition: Condition): Freshness => BY_CONDITION[condition];
