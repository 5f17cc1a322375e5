/** How patient a realtime connection is with the venue. Delays and attempts double from the first to the longest. */
export interface Pace {
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** A refused TCP connection is silent in pusher-js, so an attempt must end by itself. */
  readonly firstAttemptMs: number;
  readonly longestAttemptMs: number;
  /** A connection that held this long was a good one: the next loss starts from the first delay. */
  readonly stableMs: number;
  /** The event loop is looked at this often, and one that stood still for longer than `gapMs` has lost frames. */
  readonly beatMs: number;
  readonly gapMs: number;
  /** Silence after which the connection is tested, and how long the venue may take to answer. */
  readonly silenceMs: number;
  readonly pongMs: number;
  /** After a refused subscription. */
  readonly firstRejoinMs: number;
  readonly longestRejoinMs: number;
}

export const PACE: Pace = {
  firstDelayMs: 250,
  longestDelayMs: 10_000,
  firstAttemptMs: 1_000,
  longestAttemptMs: 15_000,
  stableMs: 10_000,
  beatMs: 250,
  gapMs: 1_000,
  silenceMs: 10_000,
  pongMs: 5_000,
  firstRejoinMs: 1_000,
  longestRejoinMs: 60_000,
};
