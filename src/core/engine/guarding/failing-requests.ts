import type { Answer, RequestFailure } from '../../../domain/answers.js';
import type { VenueRequest } from '../../../domain/effects.js';
import type { CancelScope } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { Notices } from './notices.js';

/** A kind of request whose last answer was no use. */
export interface FailingRequest {
  /** Failures in a row. */
  readonly times: number;
  /** Names the request, the answer, and what is done. */
  readonly text: string;
}

/** What fails without end is said again after this long, in microseconds. */
const SAID_AGAIN = 60_000_000;
/** The answer to a request may be a page of text. */
const ANSWER_LENGTH = 200;

/** Tells a person of requests that get no usable answer, and knows which kinds get none now. */
export class FailingRequests {
  readonly #failing = new Map<VenueRequest['kind'], FailingRequest & { readonly saidAt: Micros }>();

  constructor(
    private readonly notices: Notices,
    private readonly mirror: Mirror,
  ) {}

  get standing(): readonly FailingRequest[] {
    return [...this.#failing.values()];
  }

  answered(request: VenueRequest, { outcome }: Answer, at: Micros): void {
    const { kind } = request;
    if (outcome.ok) return void this.#failing.delete(kind);
    if (!isNews(request, outcome.failure)) return;
    const before = this.#failing.get(kind);
    const times = (before?.times ?? 0) + 1;
    const again = times > 1 ? `, ${times} times in a row` : '';
    const text = `${nameOf(request)} failed${again} (${answerText(outcome.failure)}): ${this.#whatIsDone(request)}`;
    const isSaid = before !== undefined && at - before.saidAt < SAID_AGAIN;
    this.#failing.set(kind, { times, text, saidAt: isSaid ? before.saidAt : at });
    if (!isSaid) this.notices.warn(`failed-${kind}`, text, null, at);
  }

  #whatIsDone(request: VenueRequest): string {
    const { mirror } = this;
    switch (request.kind) {
      case 'read-orders':
        return mirror.isRead('orders') ? STILL_COUNTS : NOTHING_QUOTED;
      case 'read-holdings':
        return mirror.isRead('holdings') ? STILL_COUNTS : NOTHING_QUOTED;
      case 'read-balances':
        return mirror.isRead('balances') ? STILL_COUNTS : NOTHING_QUOTED;
      case 'read-book':
        return mirror.freshness(request.marketId).state === 'live' ? STILL_COUNTS : MARKET_NOT_QUOTED;
      case 'read-event':
        return 'it is asked again, and until then what frames say counts';
      case 'create-orders':
      case 'replace-orders':
        return 'the orders are in doubt and count as open until the venue shows what became of them';
      case 'cancel-orders':
      case 'cancel-scope':
        return 'the orders count as open, and are cancelled again';
    }
  }
}

const STILL_COUNTS = 'it is asked again, and what was known before counts';
const NOTHING_QUOTED = 'it is asked again, and nothing is quoted until it is answered';
const MARKET_NOT_QUOTED = 'it is asked again, and the market is not quoted until it is answered';

/**
 * What never left, refused orders, refused keys, a venue that asks to wait and an event that it does not show have notices of
 * their own.
 */
function isNews({ kind }: VenueRequest, failure: RequestFailure): boolean {
  if (failure.kind !== 'refused') return failure.kind === 'unknown';
  if (kind === 'read-event' && failure.means === 'not-found') return false;
  return kind.startsWith('read-') && failure.means !== 'keys-refused' && failure.means !== 'throttled';
}

function nameOf(request: VenueRequest): string {
  switch (request.kind) {
    case 'read-orders':
      return 'the listing of open orders';
    case 'read-holdings':
      return 'the read of holdings';
    case 'read-balances':
      return 'the read of balances';
    case 'read-book':
      return `the read of the book of market ${request.marketId}`;
    case 'read-event':
      return `the read of event ${request.eventId}`;
    case 'create-orders':
      return `the creation of ${request.orders.length} orders`;
    case 'replace-orders':
      return `the change of ${request.replacements.length} orders`;
    case 'cancel-orders':
      return `the cancel of ${request.orderIds.length} orders`;
    case 'cancel-scope':
      return `the cancel of all orders of ${scopeText(request.scope)}`;
  }
}

const scopeText = (scope: CancelScope): string =>
  scope.kind === 'market' ? `market ${scope.marketId}` : `event ${scope.eventId}`;

function answerText(failure: RequestFailure): string {
  if (failure.kind !== 'refused') return failure.reason.slice(0, ANSWER_LENGTH);
  const { status, code, detail } = failure;
  return `the venue answered ${status} ${code}${detail === '' ? '' : `: ${detail}`}`.slice(0, ANSWER_LENGTH);
}
