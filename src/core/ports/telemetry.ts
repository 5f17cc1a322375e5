/** How one request to the venue went; told once its outcome is known. */
export interface RequestReport {
  /** The endpoint's name, such as `batchCreate`. */
  readonly endpoint: string;
  readonly outcome: 'ok' | 'refused' | 'not-sent' | 'unknown';
  /** The venue's error code, `unknown` or `not-sent`'s reason class; null when all went well. */
  readonly code: string | null;
  /** From the first byte sent to the outcome; null when no byte was sent. */
  readonly durationMs: number | null;
}

/** Told of every request. Must be fast and must not throw. */
export type RequestObserver = (report: RequestReport) => void;
