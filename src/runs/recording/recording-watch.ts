import type { RequestFailure } from '../../domain/answers.js';
import type { LinkInput, SubscriptionInput } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { Outcome } from '../../venues/outcome.js';

/** What a person should know of a recording while it goes on. */
export interface RecordingNews {
  readonly kind: 'lost' | 'back' | 'refused' | 'unreadable' | 'readable';
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
}

export interface RecordingWatchOptions {
  readonly now: () => Micros;
  readonly pollMs: number;
  readonly tell: (news: RecordingNews) => void;
}

/** Why something cannot be read; `of` is null where that may be everything. */
interface Problem {
  readonly text: string;
  readonly of: string | null;
}

/** Whether the venue told anything, and what kept it. */
export type Heard = 'something' | 'only refusals' | 'nothing';

/** Looks at what a recorder hears and misses: what is missing is told at once, and again when it is back. */
export class RecordingWatch {
  #wasConnected = false;
  #lostAt: Micros | null = null;
  readonly #refusedChannels = new Set<string>();
  /** Of what could not be read, why. */
  readonly #failing = new Map<string, string>();
  /** Since when each of these reasons stands, until what suffers from it can be read. */
  readonly #standing = new Map<string, Problem & { readonly since: Micros }>();
  readonly #startedAt: Micros;
  #frames = 0;
  #reads = 0;
  #refusals = 0;

  constructor(private readonly options: RecordingWatchOptions) {
    this.#startedAt = options.now();
  }

  get frames(): number {
    return this.#frames;
  }

  get heard(): Heard {
    if (this.#frames + this.#reads > 0) return 'something';
    return this.#refusals > 0 ? 'only refusals' : 'nothing';
  }

  frame(): void {
    this.#frames += 1;
  }

  connection({ state, reason }: LinkInput): void {
    if (state === 'connected') this.#connected();
    else if (state === 'refused') this.#tell('refused', 'error', `${reason}; no frame is recorded any more`);
    else this.#lost(reason);
  }

  subscription({ channel, state, reason }: SubscriptionInput): void {
    if (state === 'subscribed') {
      if (this.#refusedChannels.delete(channel)) this.#tell('back', 'info', `${channel} is joined now`);
    } else if (!this.#refusedChannels.has(channel)) {
      this.#refusedChannels.add(channel);
      this.#tell('lost', 'warn', `${channel} may not be joined (${reason}); it is tried again and again`);
    }
  }

  /** @param what was asked for, such as `event 874` */
  read(what: string, outcome: Outcome<unknown>): void {
    if (outcome.ok) this.#wasRead(what);
    else this.#wasNotRead(what, outcome.failure);
  }

  #connected(): void {
    const since = this.#lostAt;
    if (since !== null) {
      const text = this.#wasConnected
        ? `the realtime connection is back, ${this.#longSince(since)} after it was lost`
        : `the realtime connection stands, ${this.#longSince(since)} after the start`;
      this.#tell('back', 'info', text);
    }
    this.#wasConnected = true;
    this.#lostAt = null;
  }

  #lost(reason: string): void {
    this.#lostAt ??= this.#wasConnected ? this.options.now() : this.#startedAt;
    const text = this.#wasConnected
      ? `the realtime connection is lost (${reason}); no frame is recorded until it is back`
      : `the realtime service cannot be reached (${reason}); it is tried again and again`;
    this.#tell('lost', 'warn', text);
  }

  #wasRead(what: string): void {
    this.#reads += 1;
    this.#failing.delete(what);
    for (const { text, of, since } of this.#standing.values()) {
      if (of === null ? this.#isSuffered(text) : of !== what) continue;
      this.#standing.delete(text);
      this.#tell('readable', 'info', `over after ${this.#longSince(since)}: ${text}`);
    }
  }

  #isSuffered(problem: string): boolean {
    for (const text of this.#failing.values()) if (text === problem) return true;
    return false;
  }

  #wasNotRead(what: string, failure: RequestFailure): void {
    if (failure.kind === 'refused') this.#refusals += 1;
    const problem = problemOf(what, failure);
    this.#failing.set(what, problem.text);
    if (this.#standing.has(problem.text)) return;
    this.#standing.set(problem.text, { ...problem, since: this.options.now() });
    const again = `it is asked again every ${this.options.pollMs / 1_000} s`;
    this.#tell('unreadable', 'warn', `${problem.text}; ${again}`);
  }

  #longSince(since: Micros): string {
    return `${((this.options.now() - since) / 1_000_000).toFixed(1)} s`;
  }

  #tell(kind: RecordingNews['kind'], level: RecordingNews['level'], text: string): void {
    this.options.tell({ kind, level, text });
  }
}

/** A refusal is about what was asked for; anything else, silence asked for included, is about the venue, and told once. */
function problemOf(what: string, failure: RequestFailure): Problem {
  if (failure.kind !== 'refused') return { text: `the venue cannot be read (${failure.reason})`, of: null };
  const { status, code, detail } = failure;
  if (status === TOO_MANY_REQUESTS) return { text: `the venue turns requests away (${status})`, of: null };
  return { text: `${what} cannot be read (${status} ${code}: ${detail})`, of: what };
}

const TOO_MANY_REQUESTS = 429;
