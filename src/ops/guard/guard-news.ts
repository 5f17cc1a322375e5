import type { RequestFailure } from '../../domain/answers.js';
import type { OrderId } from '../../domain/ids.js';
import { ENDING } from './guard-venue.js';
import type { WithdrawalNews } from './withdrawal.js';

/** News of a guard for a person. */
export type GuardNews =
  /** No bot runs that has to be watched. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'watching'; readonly pid: number; readonly runId: string }
  /** The account's folder. It may be in another state folder, where the account had its state first. */
  | { readonly kind: 'guarding'; readonly path: string }
  /** The venue was asked whether it knows the keys. */
  | { readonly kind: 'keys-work'; readonly account: string }
  | { readonly kind: 'keys-fail'; readonly failure: RequestFailure }
  | { readonly kind: 'other-account'; readonly account: string; readonly bot: string }
  | { readonly kind: 'alarm'; readonly reason: string }
  | { readonly kind: 'kill-latched'; readonly path: string }
  /** A bot runs: it sees the kill switch and cancels its own orders. */
  | { readonly kind: 'bot-withdraws'; readonly pid: number; readonly runId: string }
  /** Variables of the keys are not set, so no request can be signed. */
  | { readonly kind: 'keys-unset'; readonly names: readonly string[] }
  /** Only one of its two files could be written. */
  | { readonly kind: 'kill-half'; readonly path: string; readonly error: Error }
  | { readonly kind: 'fence-raised'; readonly path: string }
  /** The fence existed when the guard started. */
  | { readonly kind: 'fence-found'; readonly reason: string; readonly at: string }
  /** A person cleared the fence. */
  | { readonly kind: 'fence-cleared' }
  /** A file could not be read or written. It is tried again. */
  | { readonly kind: 'disk'; readonly error: Error }
  | { readonly kind: 'proved'; readonly leavesDoubt: boolean }
  | WithdrawalNews;

export type NewsLevel = 'info' | 'warning' | 'error';

/** Log level of each. */
export const NEWS_LEVELS: Readonly<Record<GuardNews['kind'], NewsLevel>> = {
  waiting: 'info',
  watching: 'info',
  guarding: 'info',
  'keys-work': 'info',
  'keys-fail': 'error',
  'other-account': 'error',
  alarm: 'error',
  'kill-latched': 'warning',
  'bot-withdraws': 'info',
  'keys-unset': 'error',
  'kill-half': 'error',
  'fence-raised': 'warning',
  'fence-found': 'warning',
  'fence-cleared': 'info',
  disk: 'error',
  proved: 'info',
  swept: 'info',
  cancelled: 'info',
  failed: 'warning',
  held: 'warning',
  'journal-unreadable': 'error',
  ambiguous: 'error',
  unseen: 'warning',
  empty: 'info',
};

type Describers = {
  readonly [Kind in GuardNews['kind']]: (
    news: Extract<GuardNews, { readonly kind: Kind }>,
    address: string,
  ) => string;
};

const DESCRIBERS: Describers = {
  waiting: () => 'no bot runs; waiting for one',
  watching: ({ pid, runId }) => `watching process ${pid}, run ${runId}`,
  guarding: ({ path }) => `looks after the state in ${path}`,
  'keys-work': ({ account }) => `the venue knows the keys: account ${account}`,
  'keys-fail': ({ failure }, address) =>
    `no order could be cancelled now: ${describeFailure(failure, address)}`,
  'other-account': ({ account, bot }) =>
    `the keys belong to account ${account}, the bot trades account ${bot}: no order could be cancelled`,
  alarm: ({ reason }) => `alarm: ${reason}`,
  'kill-latched': ({ path }) => `the kill switch is latched: ${path}`,
  'bot-withdraws': ({ pid, runId }) =>
    `process ${pid}, run ${runId}, cancels its orders itself; this command cancels the others and proves that none is left`,
  'keys-unset': ({ names }) =>
    `no order could be cancelled at the venue: ${names.join(' and ')} not set in the environment. A running bot cancels ` +
    'its orders itself. Without one, its orders stay open: set the keys and call oddsmith kill again',
  'kill-half': ({ path, error }) =>
    `only one of the two files of the kill switch was written, ${path}: ${error.message}`,
  'fence-raised': ({ path }) => `the fence is up: ${path}`,
  'fence-found': ({ reason, at }) => `a fence is up since ${at}: ${reason}`,
  'fence-cleared': () => 'a person cleared the fence',
  disk: ({ error }) => `the disk: ${error.message}`,
  proved: ({ leavesDoubt }) =>
    leavesDoubt
      ? 'no order that is certainly ours is open or under way; check the ambiguous orders'
      : 'proved: no order of the bot is open, and no request under way can still open one',
  swept: ({ marketId, orders }) =>
    orders === 0
      ? `market ${marketId}: no order was left to cancel`
      : `market ${marketId}: ${orders} orders cancelled`,
  cancelled: ({ orderIds }) => `cancelled ${listOf(orderIds)}`,
  failed: ({ failure }, address) =>
    isOver(failure)
      ? 'it ended before every request was sent'
      : `trying again: ${describeFailure(failure, address)}`,
  held: ({ orderIds, reason }) =>
    `trying again: the venue does not cancel ${listOf(orderIds)} now: ${reason}`,
  'journal-unreadable': ({ error }) => `the journal cannot be read: ${error.message}`,
  ambiguous: ({ orderIds }) => `orders ${listOf(orderIds)} may be ours or somebody else's: check them`,
  unseen: ({ orderIds }) => `no listing shows ${listOf(orderIds)}, which the journal names: cancelling by id`,
  empty: () => 'two complete listings show no order of ours',
};

/** One line for a person. @param address of the venue */
export const describeNews = <Kind extends GuardNews['kind']>(
  news: Extract<GuardNews, { readonly kind: Kind }>,
  address: string,
): string => DESCRIBERS[news.kind](news, address);

/** Further ids are only counted. */
const NAMED_MOST = 20;

function listOf(orderIds: readonly OrderId[]): string {
  const more = orderIds.length - NAMED_MOST;
  return `${orderIds.slice(0, NAMED_MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The request was ended by the time limit or by a signal, not by the venue. */
const isOver = (failure: RequestFailure): boolean => failure.kind === 'not-sent' && failure.reason === ENDING;

function describeFailure(failure: RequestFailure, address: string): string {
  if (failure.kind === 'not-sent') return `the venue cannot be reached at ${address}: ${failure.reason}`;
  if (failure.kind === 'unknown') return `no answer from the venue at ${address}: ${failure.reason}`;
  const { code, detail, retryAfterMs } = failure;
  const when = retryAfterMs === null ? '' : `, again in ${retryAfterMs / 1_000} s`;
  return `the venue answered ${code} (${detail})${when}`;
}
