import type { Condition } from './book.js';

/** How far the mirror's book of a market may be relied on. Quoting needs `live` or `hidden`. */
export interface Freshness {
  /**
   * `live`: it is the venue's book. `hidden`: it is, but on one side our own orders cover every visible level.
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
  witnessesDisagree: as('stale', 'witnesses-disagree'),
} as const;

const BY_CONDITION: Readonly<Record<Condition, Freshness>> = {
  unread: FRESHNESS.bookNotRead,
  sound: FRESHNESS.live,
  'off-grid': as('stale', 'price-off-grid'),
  malformed: as('stale', 'levels-malformed'),
  crossed: as('stale', 'book-crossed'),
  locked: as('stale', 'book-locked'),
};

/** What the levels themselves permit. */
export const freshnessOf = (condition: Condition): Freshness => BY_CONDITION[condition];
