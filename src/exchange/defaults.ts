/** Defaults of the configuration: only ids, names and titles must be given. */
import type { Money } from '../domain/units.js';
import {
  COMMENT_DELAY_MS,
  DUPLICATE_WINDOW_MS,
  IDEMPOTENCY_BYTES,
  IDEMPOTENCY_KEPT_MS,
  TOP_N_DEFAULT,
} from '../venues/futuur/protocol/profile.js';
import type { AccountConfig, EventConfig, ExchangeConfig, MarketConfig, Retention } from './contract.js';

type Given<Config, Required extends keyof Config> = Pick<Config, Required> & Partial<Config>;

/** Records kept unless the configuration says otherwise. */
export const RETENTION: Retention = { orders: 200_000, trades: 200_000, wagerActions: 200_000 };

/** A market with a tick of 0.01 and the labels Yes and No. */
export const marketConfig = (given: Given<MarketConfig, 'id' | 'title'>): MarketConfig => ({
  tickUnits: 100,
  longLabel: 'Yes',
  shortLabel: 'No',
  ...given,
});

/** An open event without a bet window. */
export const eventConfig = (given: Given<EventConfig, 'id' | 'title' | 'markets'>): EventConfig => ({
  slug: slugOf(given.title),
  description: '',
  resolutionMode: 'exclusive',
  category: { id: 1, name: 'General' },
  isBinary: given.markets.length === 1,
  betStart: null,
  betEnd: null,
  eventStart: null,
  eventEnd: null,
  tax: { play_money: null, real_money: null },
  minAmount: 10_000 as Money,
  maxAmount: 100_000_000_000 as Money,
  ...given,
});

/** An account that may trade everything and has nothing. */
export const accountConfig = (given: Given<AccountConfig, 'id' | 'username'>): AccountConfig => ({
  email: `${given.username}@example.org`,
  emailConfirmed: true,
  realCurrencyEnabled: true,
  kycStatus: 'approved',
  blocked: false,
  forbiddenCountry: false,
  following: [],
  publicWagers: true,
  walletUser: false,
  dateJoined: null,
  balances: {},
  ...given,
});

/** An exchange with the venue's public limits and fees. */
export const exchangeConfig = (given: Partial<ExchangeConfig>): ExchangeConfig => ({
  duplicateWindowMs: DUPLICATE_WINDOW_MS,
  processingDelayMs: 0,
  commentDelayMs: COMMENT_DELAY_MS,
  topN: TOP_N_DEFAULT,
  fees: {
    play_money: { taker: 0 as Money, maker: 0 as Money },
    real_money: { taker: 1_000 as Money, maker: 0 as Money },
  },
  idempotency: { keptMs: IDEMPOTENCY_KEPT_MS, bytes: IDEMPOTENCY_BYTES },
  accounts: [],
  events: [],
  ...given,
});

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/gu, '');
