import { parseHeartbeat, type Heartbeat } from '../../storage/state/heartbeat-file.js';

/** What the heartbeat of a bot says. */
export type VigilState =
  /** No bot runs, or none that ran ended in disorder. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'beating'; readonly heartbeat: Heartbeat }
  /** Not silent for long enough yet. */
  | { readonly kind: 'doubtful' }
  | { readonly kind: 'silent'; readonly reason: string };

export interface VigilOptions {
  readonly silenceMs: number;
  /** How often {@link Vigil.look} is called. */
  readonly lookMs: number;
  /** Whether the process that wrote a heartbeat is surely gone. */
  readonly isGone: (heartbeat: Heartbeat) => boolean;
}

const CLEAN = 'clean';

/**
 * Watches a heartbeat. Only its change counts, measured by the guard's own monotonic clock: no clock that is set, on
 * whichever side, is taken for silence, nor is the time in which the guard itself stood still.
 */
export class Vigil {
  private text: string | null = null;
  private silentMs = 0;
  private lookedAtMs: number | null = null;

  constructor(private readonly options: VigilOptions) {}

  /**
   * @param text     the heartbeat as it stands; null: there is none
   * @param accepted a heartbeat that a person knows to be over
   * @param atMs     monotonic
   */
  look(text: string | null, accepted: string | null, atMs: number): VigilState {
    const elapsedMs = this.lookedAtMs === null ? 0 : atMs - this.lookedAtMs;
    this.lookedAtMs = atMs;
    const isNew = text !== this.text;
    this.text = text;
    if (text === null || text === accepted) return this.absent();
    const heartbeat = parseHeartbeat(text);
    if (heartbeat !== null && heartbeat.ended !== null) return this.ended(heartbeat.ended);
    this.silentMs = isNew ? 0 : this.silentMs + Math.min(elapsedMs, 2 * this.options.lookMs);
    if (this.silentMs >= this.options.silenceMs) return this.silent(heartbeat);
    return isNew && heartbeat !== null ? { kind: 'beating', heartbeat } : { kind: 'doubtful' };
  }

  private absent(): VigilState {
    this.silentMs = 0;
    return { kind: 'absent' };
  }

  private ended(outcome: string): VigilState {
    return outcome === CLEAN
      ? this.absent()
      : { kind: 'silent', reason: `the run ended with ${outcome}, not clean` };
  }

  private silent(heartbeat: Heartbeat | null): VigilState {
    const { silenceMs, isGone } = this.options;
    const pid = heartbeat === null ? '' : ` ${heartbeat.pid}`;
    const what = heartbeat !== null && isGone(heartbeat) ? 'is gone' : 'fell silent';
    return { kind: 'silent', reason: `process${pid} ${what}: no heartbeat for ${silenceMs / 1_000} s` };
  }
}
