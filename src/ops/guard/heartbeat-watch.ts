import { type Heartbeat, parseHeartbeat } from '../../storage/state/heartbeat-file.js';

/** State of a bot by its heartbeat. */
export type BotState =
  /** No bot runs. The last one ended clean, or a person accepted its end. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'beating'; readonly heartbeat: Heartbeat }
  /** Not silent for long enough yet. */
  | { readonly kind: 'doubtful' }
  | { readonly kind: 'silent'; readonly reason: string };

export interface HeartbeatWatchOptions {
  readonly silenceMs: number;
  /** How often {@link HeartbeatWatch.look} is called. */
  readonly lookMs: number;
  /** Tells whether the process of a heartbeat is certainly gone. */
  readonly isGone: (heartbeat: Heartbeat) => boolean;
}

/**
 * Measures how long a heartbeat has not changed, by the guard's monotonic clock. Setting the wall clock counts as no
 * silence. Time in which the guard itself stood still does not count either.
 */
export class HeartbeatWatch {
  #text: string | null = null;
  #silentMs = 0;
  #lookedAtMs: number | null = null;

  constructor(private readonly options: HeartbeatWatchOptions) {}

  /**
   * @param text     present heartbeat; null: none
   * @param accepted a heartbeat that a person accepted as ended
   * @param atMs     monotonic
   */
  look(text: string | null, accepted: string | null, atMs: number): BotState {
    const elapsedMs = this.#lookedAtMs === null ? 0 : atMs - this.#lookedAtMs;
    this.#lookedAtMs = atMs;
    const isNew = text !== this.#text;
    this.#text = text;
    if (text === null || text === accepted) return this.#absent();
    const heartbeat = parseHeartbeat(text);
    const ended = heartbeat?.ended ?? null;
    if (ended === 'clean') return this.#absent();
    if (ended !== null) return { kind: 'silent', reason: `the run ended with ${ended}, not clean` };
    const { silenceMs, lookMs } = this.options;
    this.#silentMs = isNew ? 0 : this.#silentMs + Math.min(elapsedMs, 2 * lookMs);
    if (this.#silentMs >= silenceMs) return { kind: 'silent', reason: this.#describe(heartbeat) };
    return isNew && heartbeat !== null ? { kind: 'beating', heartbeat } : { kind: 'doubtful' };
  }

  #absent(): BotState {
    this.#silentMs = 0;
    return { kind: 'absent' };
  }

  #describe(heartbeat: Heartbeat | null): string {
    const { silenceMs, isGone } = this.options;
    const pid = heartbeat === null ? '' : ` ${heartbeat.pid}`;
    const what = heartbeat !== null && isGone(heartbeat) ? 'is gone' : 'fell silent';
    return `process${pid} ${what}: no heartbeat for ${silenceMs / 1_000} s`;
  }
}
