/** An agreeable venue behind the wire, without a socket in between. */
import type { HttpRequest, HttpResult, Transport } from '../../../src/venues/futuur/rest/transport.js';
import { AgreeableVenue } from './agreeable-venue.js';

/** Told of every batch of orders. @param readyAt performance.now() when its bytes would have gone to the socket */
export type OnBatch = (items: number, readyAt: number) => void;

export class AgreeableTransport implements Transport {
  readonly venue = new AgreeableVenue();

  constructor(private readonly onBatch: OnBatch) {}

  /** Signed, looked at for the last time and in the journal before it counts as ready. */
  send(request: HttpRequest): Promise<HttpResult> {
    const withheld = heldBack(request);
    if (withheld !== null) return Promise.resolve(withheld);
    const readyAt = performance.now();
    const told = this.venue.told.length;
    const result = answered(this.venue, request);
    const items = this.venue.told.length - told;
    if (items > 0) this.onBatch(items, readyAt);
    return Promise.resolve(result);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Everything up to the first byte: signature, last look, journal. @returns null when it would be written now */
function heldBack(request: HttpRequest): HttpResult | null {
  request.headers();
  try {
    request.beforeFirstByte();
    return null;
  } catch (error) {
    return { kind: 'not-sent', reason: (error as Error).message };
  }
}

const answered = (venue: AgreeableVenue, request: HttpRequest): HttpResult => ({
  kind: 'answered',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: venue.answer(request),
});
