/** The one place from which the whole account is cancelled, whoever placed the orders: `oddsmith kill --all`. */
import type { OrderId } from '../../domain/ids.js';
import type { RequestFailure } from '../../domain/answers.js';
import { EMPTY_LISTINGS } from '../../core/execution/proof-of-emptiness.js';
import type { Clock } from '../../core/ports/clock.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { pauseFor, WAITING_MS } from './clearance.js';
import type { GuardNews } from './guard-news.js';

export interface AccountWideOptions {
  readonly rest: Pick<RestClient, 'activeOrders' | 'cancelWholeAccount'>;
  /** Nothing counts as proof before this monotonic time: a signed request may take effect until then. */
  readonly lookUntil: () => number;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
  readonly signal: AbortSignal;
}

const ROUND_MS = 500;

/**
 * Cancels every order of the account and lists until it is empty twice and nothing that a bot of ours signed can still
 * come. @returns false when the signal came before
 */
export async function proveAccountEmpty(options: AccountWideOptions): Promise<boolean> {
  const { clock, tell, signal } = options;
  let proofs = 0;
  while (!signal.aborted) {
    const startedAt = clock.monotonic();
    const found = proofs === 0 ? await cancelAndList(options) : await list(options);
    proofs = found === 'empty' ? proofs + 1 : 0;
    if (proofs === EMPTY_LISTINGS) tell({ kind: 'empty' });
    if (proofs >= EMPTY_LISTINGS && startedAt >= options.lookUntil()) return true;
    await pauseFor(clock, pauseMs(found, proofs), signal);
  }
  return false;
}

function pauseMs(found: Found, proofs: number): number {
  if (proofs >= EMPTY_LISTINGS) return WAITING_MS;
  return typeof found === 'number' ? Math.max(found, ROUND_MS) : ROUND_MS;
}

/** What a round found, or the milliseconds that the venue asks to wait. */
type Found = 'empty' | 'orders' | number;

async function cancelAndList(options: AccountWideOptions): Promise<Found> {
  const outcome = await options.rest.cancelWholeAccount({ kind: 'account-wide', confirmedBy: 'operator' });
  if (!outcome.ok) return failed(outcome.failure, options);
  tellCancelled(outcome.value.canceledIds, options);
  return list(options);
}

async function list(options: AccountWideOptions): Promise<Found> {
  const outcome = await options.rest.activeOrders();
  if (!outcome.ok) return failed(outcome.failure, options);
  return outcome.value.length === 0 ? 'empty' : 'orders';
}

function failed(failure: RequestFailure, { tell }: AccountWideOptions): number {
  tell({ kind: 'failed', failure });
  return failure.kind === 'refused' ? (failure.retryAfterMs ?? 0) : 0;
}

function tellCancelled(orderIds: readonly OrderId[], { tell }: AccountWideOptions): void {
  if (orderIds.length > 0) tell({ kind: 'cancelled', orderIds });
}
