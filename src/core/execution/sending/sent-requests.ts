import type { VenueRequest } from '../../../domain/effects.js';
import { InvariantError } from '../../../domain/errors.js';
import type { MarketId } from '../../../domain/ids.js';
import type { LimitOrder } from '../../../domain/orders.js';

interface Sent {
  readonly request: VenueRequest;
  readonly markets: readonly MarketId[];
}

/** Requests that have left and are not answered, and the markets that they keep busy. */
export class UnderWay {
  readonly #sent = new Map<number, Sent>();
  readonly #busy = new Map<MarketId, number>();

  /** @throws InvariantError when a request of this id is under way already */
  add(requestId: number, request: VenueRequest, markets: readonly MarketId[]): void {
    if (this.#sent.has(requestId)) throw new InvariantError(`request ${requestId} is under way already`);
    this.#sent.set(requestId, { request, markets });
    for (const market of markets) this.#busy.set(market, (this.#busy.get(market) ?? 0) + 1);
  }

  /** @returns the answered request; undefined for an id that is not under way */
  answered(requestId: number): Sent | undefined {
    const sent = this.#sent.get(requestId);
    if (sent === undefined) return undefined;
    this.#sent.delete(requestId);
    for (const market of sent.markets) {
      const left = (this.#busy.get(market) ?? 1) - 1;
      if (left === 0) this.#busy.delete(market);
      else this.#busy.set(market, left);
    }
    return sent;
  }

  /** The request of this id while it is not answered. */
  of(requestId: number): VenueRequest | undefined {
    return this.#sent.get(requestId)?.request;
  }

  isBusy(market: MarketId): boolean {
    return this.#busy.has(market);
  }

  /** Is any trading request under way? */
  get trades(): boolean {
    return this.#busy.size > 0;
  }

  /** Is a request of this kind under way? */
  has(kind: VenueRequest['kind']): boolean {
    if (this.#sent.size === 0) return false;
    for (const { request } of this.#sent.values()) if (request.kind === kind) return true;
    return false;
  }
}

interface SentCreate {
  readonly text: string;
  readonly at: number;
}

interface Creating {
  readonly kind: 'create-orders';
  readonly orders: readonly LimitOrder[];
}

/** A request, also one that nobody has approved yet. */
type Repeatable = Creating | Exclude<VenueRequest, { readonly kind: 'create-orders' }>;

/**
 * Remembers creates of the last second. The venue takes the same content for a copy and refuses it (facts, "Limits"),
 * for example a quote that is filled at once and wanted again.
 */
export class Repeats {
  readonly #window: number;
  readonly #sent: SentCreate[] = [];

  /** @param windowMs the venue's window and the difference of two requests on their way */
  constructor(windowMs: number) {
    this.#window = windowMs * 1_000;
  }

  /** A request leaves. */
  note(request: Repeatable, at: number): void {
    if (request.kind !== 'create-orders') return;
    this.#forget(at);
    this.#sent.push({ text: textOf(request), at });
  }

  /** When a request may leave without being taken for a copy; in the past if now. */
  freeAt(request: Repeatable, at: number): number {
    this.#forget(at);
    if (request.kind !== 'create-orders' || this.#sent.length === 0) return 0;
    const text = textOf(request);
    const same = this.#sent.findLast((sent) => sent.text === text);
    return same === undefined ? 0 : same.at + this.#window;
  }

  #forget(at: number): void {
    while (this.#sent.length > 0 && this.#sent[0]!.at + this.#window <= at) this.#sent.shift();
  }
}

const textOf = ({ orders }: Creating): string =>
  JSON.stringify(
    orders.map(({ marketId, side, position, currency, price, shares, expiresAt }) => [
      marketId,
      side,
      position,
      currency,
      price,
      shares,
      expiresAt,
    ]),
  );

/**
 * The idempotency key of a request. It derives from run and sequence alone, so a replay carries
 * the same key, and no key is ever used for two requests. @param runId unique per run, letters, digits and dashes
 */
export const idempotencyKey = (runId: string, requestId: number): string => `${runId}-${requestId}`;

/** Request ids of one run: 1, 2, 3 and so on. */
export class RequestIds {
  #last = 0;

  next(): number {
    return ++this.#last;
  }
}
