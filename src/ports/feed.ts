import type { Observable } from 'rxjs';
import type { FeedInput } from '../domain/inputs.js';

/** One typed observable per thing the venue's realtime service can say (specification 6.2 and the connection itself). */
export type FeedStreams = {
  readonly [K in FeedInput['kind']]: Observable<Extract<FeedInput, { readonly kind: K }>>;
};

/** The realtime feed. Streams are hot; nothing is replayed to late subscribers. */
export interface Feed {
  readonly streams: FeedStreams;
  /** Begins connecting; subscribe to the streams first. */
  connect(): void;
  /** Ends for good; no stream emits afterwards. */
  close(): void;
}
