import type { VenueRequest } from '../../../domain/effects.js';

interface SentCreate {
  readonly text: string;
  readonly at: number;
}

/**
 * Creates sent within the window in which the venue takes the same content for a copy and refuses it (facts,
 * "Limits"): a quote that is filled at once and wanted again looks like that.
 */
export class Repeats {
  readonly #window: number;
  readonly #sent: SentCreate[] = [];

  /** @param windowMs the venue's window, and what two requests may differ by on their way */
  constructor(windowMs: number) {
    this.#window = windowMs * 1_000;
  }

  /** A request leaves. */
  note(request: VenueRequest, at: number): void {
    if (request.kind !== 'create-orders') return;
    this.#forget(at);
    this.#sent.push({ text: textOf(request), at });
  }

  /** When a request may leave without being taken for a copy; in the past when it may now. */
  freeAt(request: VenueRequest, at: number): number {
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

const textOf = ({ orders }: Extract<VenueRequest, { readonly kind: 'create-orders' }>): string =>
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
