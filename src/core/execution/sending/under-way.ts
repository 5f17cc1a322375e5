import type { VenueRequest } from '../../../domain/effects.js';
import { InvariantError } from '../../../domain/errors.js';
import type { MarketId } from '../../../domain/ids.js';

interface Sent {
  readonly request: VenueRequest;
  readonly markets: readonly MarketId[];
}

/** Requests that have left and are not answered, and the markets that are busy because of them. */
export class UnderWay {
  readonly #sent = new Map<number, Sent>();
  readonly #busy = new Map<MarketId, number>();

  /** @throws InvariantError when a request of this id is not answered yet */
  add(requestId: number, request: VenueRequest, markets: readonly MarketId[]): void {
    if (this.#sent.has(requestId)) throw new InvariantError(`request ${requestId} is under way already`);
    this.#sent.set(requestId, { request, markets });
    for (const market of markets) this.#busy.set(market, (this.#busy.get(market) ?? 0) + 1);
  }

  /** @returns what was answered; undefined for an id that is not under way */
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
