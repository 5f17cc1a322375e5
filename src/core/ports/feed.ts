import type { Observable } from 'rxjs';
import type { FeedInput } from '../../domain/inputs.js';

/** One typed observable per thing the venue's realtime service can say (specification 6.2 and the connection itself). */
export type FeedStreams = {
  readonly [K in FeedInput['kind']]: Observable<Extract<FeedInput, { readonly kind: K }>>;
};

/** The realtime feed. Streams are hot; nothing is replayed to late subscribers. */
export interface Feed {
  readonly streams: FeedStreams;
  /** Begins connecting; subscribe to the streams first. */
  connect(): void;
  /**
   * Called before each input is taken in: a connection that the process slept through (SIGSTOP, a laptop, garbage) is
   * given up here, before anything that waited meanwhile is believed. A feed that cannot sleep leaves it out.
   */
  look?(): void;
  /** Gives up a connection that stands and makes it anew. A feed that loses nothing leaves it out. */
  reconnect?(reason: string): void;
  /** Ends for good; no stream emits afterwards. */
  close(): void;
}
