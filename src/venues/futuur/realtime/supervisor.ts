import { type Micros, micros } from '../../../domain/units.js';
import type { Clock } from '../../../core/ports/clock.js';
import type { LinkInput } from '../../../domain/inputs.js';
import type { Random } from '../../../core/ports/random.js';

export interface StandstillOptions {
  readonly clock: Clock;
  readonly pace: Pick<Pace, 'beatMs' | 'gapMs'>;
  /** The process stood still while it was watched; it is watched no more. */
  readonly onFound: (reason: string) => void;
}

const LEAPT = 'the wall clock leapt ahead: the machine may have stood still';

/**
 * Finds that a process stood still (SIGSTOP, a laptop, garbage): nothing was done for too long, or the wall clock leapt, for a
 * machine that stood still, as a virtual one does, may learn of it in no other way. A process that is busy with its inputs
 * looks before each of them: its beat is late, but it does not stand still.
 */
export class Standstill {
  readonly #options: StandstillOptions;
  /** When the next beat is due; null while nobody watches. */
  #due: Micros | null = null;
  /** When it did something last: a beat or a look. */
  #aliveAt = 0 as Micros;
  /** How often the wall clock had leapt at the last beat. */
  #leaps = 0;
  #cancelBeat = (): void => undefined;

  constructor(options: StandstillOptions) {
    this.#options = options;
  }

  /** From now on. */
  watch(): void {
    const { clock, pace } = this.#options;
    this.end();
    const due = micros(clock.now() + pace.beatMs * 1_000);
    this.#due = due;
    this.#aliveAt = clock.now();
    this.#leaps = clock.leaps ?? 0;
    this.#cancelBeat = clock.at(due, () => {
      this.look();
      if (this.#due === due) this.watch();
    });
  }

  end(): void {
    this.#due = null;
    this.#cancelBeat();
  }

  /** Reads the clock: a process that stood still and has not had its beat since finds it here. */
  look(): void {
    const { clock, pace } = this.#options;
    if (this.#due === null) return;
    const now = clock.now();
    const stillMs = Math.round((now - this.#aliveAt) / 1_000) - pace.beatMs;
    this.#aliveAt = now;
    if (stillMs > pace.gapMs) this.#found(`the process stood still for ${stillMs} ms`);
    else if ((clock.leaps ?? 0) !== this.#leaps) this.#found(LEAPT);
  }

  #found(reason: string): void {
    this.end();
    this.#options.onFound(reason);
  }
}

/** How patient a realtime connection is with the venue. Delays and attempts double from the first to the longest. */
export interface Pace {
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** A refused TCP connection is silent in pusher-js, so an attempt must end by itself. */
  readonly firstAttemptMs: number;
  readonly longestAttemptMs: number;
  /** A connection that held this long was a good one: the next loss starts from the first delay. */
  readonly stableMs: number;
  /** A beat comes this often. A process that does nothing for `gapMs` longer counts as one that has lost frames. */
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

/** A connection that is made and given up on demand, and never by itself. Neither call reports back at once. */
export interface Link {
  connect(): void;
  disconnect(): void;
}

export interface SupervisorOptions {
  readonly link: Link;
  readonly clock: Clock;
  readonly random: Random;
  readonly pace: Pace;
  /** Each state once, however often it is confirmed. */
  readonly onChange: (change: LinkInput) => void;
}

type Phase = 'idle' | 'attempting' | 'up' | 'waiting' | 'ended';

/**
 * Keeps a connection up: reconnects with jittered back-off, so that a venue that comes back is not met by all its
 * clients at once, and treats a process that stood still (a laptop that slept) like a loss, because nothing is replayed.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #phase: Phase = 'idle';
  #told: LinkInput['state'] | null = null;
  #failures = 0;
  #upSince: Micros | null = null;
  /** Watches while the link stands. */
  readonly #standstill: Standstill;
  #cancelTimer: (() => void) | null = null;

  constructor(options: SupervisorOptions) {
    const { clock, pace } = options;
    this.#options = options;
    this.#standstill = new Standstill({ clock, pace, onFound: (reason) => this.lost(reason) });
  }

  start(): void {
    if (this.#phase === 'idle') this.#attempt();
  }

  /** For good. */
  stop(): void {
    this.#enter('ended');
    this.#options.link.disconnect();
  }

  /** The link stands. */
  established(): void {
    if (this.#phase !== 'attempting') return;
    this.#enter('up');
    this.#upSince = this.#options.clock.now();
    this.#tell('connected', '');
    // Whoever is told may have given it up.
    if (this.#isUp) this.#standstill.watch();
  }

  /** The link broke, or could not be made. Late news of a link already given up is ignored. */
  lost(reason: string): void {
    if (this.#phase !== 'attempting' && this.#phase !== 'up') return;
    if (this.#wasStable()) this.#failures = 0;
    this.#upSince = null;
    // First of all: whoever is told may look again.
    this.#enter('waiting');
    this.#tell('lost', reason);
    this.#options.link.disconnect();
    this.#after(this.#delayMs(), () => this.#attempt());
    this.#failures += 1;
  }

  /** Gives up a link that stands, for a reason of ours; one that does not is being made anew already. */
  renew(reason: string): void {
    if (this.#isUp) this.lost(reason);
  }

  /** Gives a link up that the process, or its machine, stood still under. */
  look(): void {
    this.#standstill.look();
  }

  /** The venue will not have this client, now or later. */
  refused(reason: string): void {
    if (this.#phase === 'ended') return;
    this.#tell('refused', reason);
    this.stop();
  }

  #attempt(): void {
    if (this.#phase === 'ended') return;
    const { link, pace } = this.#options;
    const patienceMs = this.#grown(pace.firstAttemptMs, pace.longestAttemptMs);
    this.#enter('attempting');
    this.#after(patienceMs, () => this.lost(`no connection within ${patienceMs} ms`));
    link.connect();
  }

  get #isUp(): boolean {
    return this.#phase === 'up';
  }

  #wasStable(): boolean {
    const { clock, pace } = this.#options;
    return this.#upSince !== null && clock.now() - this.#upSince >= pace.stableMs * 1_000;
  }

  /** Between half and the whole of the back-off. */
  #delayMs(): number {
    const { random, pace } = this.#options;
    return this.#grown(pace.firstDelayMs, pace.longestDelayMs) * (0.5 + random.uniform() / 2);
  }

  #grown(firstMs: number, longestMs: number): number {
    return Math.min(firstMs * 2 ** this.#failures, longestMs);
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#standstill.end();
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #after(delayMs: number, action: () => void): void {
    const { clock } = this.#options;
    this.#cancelTimer = clock.at(micros(clock.now() + Math.round(delayMs * 1_000)), action);
  }

  #tell(state: LinkInput['state'], reason: string): void {
    if (this.#told === state) return;
    this.#told = state;
    this.#options.onChange({ kind: 'link', state, reason });
  }
}
