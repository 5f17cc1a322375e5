/** An agreeable venue behind the wire, without a socket in between. */
import { AgreeableVenue } from '../../../src/app/rehearsal/agreeable-venue.js';
import type { HttpRequest, HttpResult, Transport } from '../../../src/venue/rest/transport.js';

/** Told of every batch of orders. @param readyAt performance.now() when its bytes would have gone to the socket */
export type OnBatch = (items: number, readyAt: number) => void;

export class AgreeableTransport implements Transport {
  readonly venue = new AgreeableVenue();

  constructor(private readonly onBatch: OnBatch) {}

  /** Signed, looked at for the last time and in the journal before it counts as ready. */
  send(request: HttpRequest): Promise<HttpResult> {
    request.headers();
    try {
      request.beforeFirstByte();
    } catch (error) {
      return Promise.resolve({ kind: 'not-sent', reason: (error as Error).message });
    }
    const readyAt = performance.now();
    const told = this.venue.told.length;
    const body = this.venue.answer(request);
    const items = this.venue.told.length - told;
    if (items > 0) this.onBatch(items, readyAt);
    return Promise.resolve({ kind: 'answered', status: 200, headers: JSON_TYPE, body });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };
