/** Every REST endpoint: method, path, authentication, success code and query parameters (specification 4, 7.3). */
import type { QueryDefinition } from '../query.js';
import {
  BALANCES_QUERY,
  BOOK_QUERY,
  EVENT_WAGERS_QUERY,
  EVENTS_QUERY,
  ORDERS_QUERY,
  PRICE_HISTORY_QUERY,
  REBATES_QUERY,
  WAGERS_QUERY,
} from './queries.js';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** `:id` stands for an integer. */
  readonly path: `/${string}/`;
  /** `signed` refuses unsigned requests, `optional` answers both, `none` needs no key. */
  readonly auth: 'signed' | 'optional' | 'none';
  readonly body: 'none' | 'json' | 'form';
  readonly success: 200 | 201 | 204;
  /** Whether an `Idempotency-Key` counts (specification 5.5; facts, "Limits"). */
  readonly idempotent: boolean;
  /** Whether the same body twice within a second is refused (facts, "Limits"). */
  readonly refusesRepeats: boolean;
  readonly query: QueryDefinition;
}

const NO_QUERY = {} as const;
const reading = {
  method: 'GET',
  body: 'none',
  success: 200,
  idempotent: false,
  refusesRepeats: false,
} as const;
const posting = {
  method: 'POST',
  auth: 'signed',
  body: 'json',
  success: 200,
  idempotent: false,
  refusesRepeats: false,
  query: NO_QUERY,
} as const;

export const ENDPOINTS = {
  /** 4.1 */
  me: { ...reading, path: '/me/', auth: 'signed', query: NO_QUERY },
  /** 4.2 */
  registerWallet: { ...posting, path: '/me/safe/' },
  /** 4.3 */
  balances: { ...reading, path: '/me/balances/', auth: 'signed', query: BALANCES_QUERY },
  /** 4.4 */
  createOrder: { ...posting, path: '/orders/', success: 201, idempotent: true, refusesRepeats: true },
  /** 4.5 */
  orders: { ...reading, path: '/orders/', auth: 'signed', query: ORDERS_QUERY },
  /** 4.6 */
  cancelOrder: { ...posting, method: 'PATCH', path: '/orders/:id/cancel/', body: 'none', success: 204 },
  /** 4.7 */
  batchCreate: { ...posting, path: '/orders/batch/', idempotent: true, refusesRepeats: true },
  /** 4.8 */
  batchUpdate: { ...posting, path: '/orders/batch-update/', idempotent: true },
  /** 4.9 */
  batchCancel: { ...posting, path: '/orders/batch-cancel/' },
  /** 4.10 */
  cancelAll: { ...posting, path: '/orders/cancel-all/' },
  /** 4.11 */
  wagers: { ...reading, path: '/wagers/', auth: 'optional', query: WAGERS_QUERY },
  /** 4.12 */
  wager: { ...reading, path: '/wagers/:id/', auth: 'optional', query: NO_QUERY },
  /** What the `actions` of 4.12 refer to; the specification names the resource only. */
  wagerActions: { ...reading, path: '/wagers/:id/actions/', auth: 'optional', query: NO_QUERY },
  /** 4.13 */
  eventWagers: { ...reading, path: '/events/:id/wagers/', auth: 'signed', query: EVENT_WAGERS_QUERY },
  /** 4.14 */
  book: { ...reading, path: '/markets/:id/book/', auth: 'optional', query: BOOK_QUERY },
  /** 4.15 */
  priceHistory: { ...reading, path: '/events/:id/price_history/', auth: 'none', query: PRICE_HISTORY_QUERY },
  /** 4.16 */
  tax: { ...reading, path: '/events/:id/get_tax/', auth: 'none', query: NO_QUERY },
  /** 4.17 */
  authorizeChannel: { ...posting, path: '/pusher/auth/', body: 'form' },
  /** facts, "Events and markets" */
  events: { ...reading, path: '/events/', auth: 'none', query: EVENTS_QUERY },
  event: { ...reading, path: '/events/:id/', auth: 'none', query: NO_QUERY },
  /** What the `market` and `user` of a wager refer to; the specification names the resources only. */
  market: { ...reading, path: '/markets/:id/', auth: 'none', query: NO_QUERY },
  user: { ...reading, path: '/users/:id/', auth: 'none', query: NO_QUERY },
  rebates: { ...reading, path: '/wagers/rebates/', auth: 'signed', query: REBATES_QUERY },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** The documentation writes every path bare and under this prefix; both are answered (facts, "Addresses"). */
export const VERSION_PREFIX = '/v2.0';

/** The one endpoint that the specification names under the prefix only. */
export const AUTHORIZE_CHANNEL_PATH = `${VERSION_PREFIX}${ENDPOINTS.authorizeChannel.path}` as const;

type Path = (typeof ENDPOINTS)[EndpointName]['path'];
type WithId = Extract<Path, `${string}:id${string}`>;

/** A path as it is requested. @throws RangeError when the id is no safe integer of at least 0 */
export function pathOf(path: Exclude<Path, WithId>): string;
export function pathOf(path: WithId, id: number | string): string;
export function pathOf(path: Path, id?: number | string): string {
  if (id === undefined) return path;
  if (!/^\d+$/.test(String(id)) || !Number.isSafeInteger(Number(id)))
    throw new RangeError(`not an id: ${id}`);
  return path.replace(':id', String(id));
}
