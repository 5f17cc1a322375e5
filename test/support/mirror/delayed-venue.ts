/** A venue with one book, as a mirror sees it: every message late, reads cached, connections lost. */
import type { AnswerBody } from '../../../src/domain/answers.js';
import type { Input } from '../../../src/domain/inputs.js';
import type { Levels } from '../../../src/domain/levels.js';
import type { ReadRequest } from '../../../src/domain/effects.js';
import { type Micros, micros, priceUnits, shares } from '../../../src/domain/units.js';
import { NO_OWN_LEVELS } from '../../../src/core/mirror/books/foreign-book.js';
import { EVENT, MARKET, MirrorDriver, START, bookBody } from './mirror-driver.js';

/** One state of the book: best bid in cents, its shares; the ask stands two cents above. */
export interface BookState {
  readonly cents: number;
  readonly whole: number;
}

interface Delivery {
  readonly kind: 'frame' | 'answer';
  readonly at: Micros;
  readonly deliver: () => void;
}

export interface VenueDelays {
  readonly latencyMs: number;
  readonly bookCacheMs: number;
  readonly witnessEveryMs: number;
}

const side = (cents: number, whole: number): Levels => ({
  prices: [priceUnits(cents * 100)],
  shares: [shares(whole * 100)],
});

const bookOf = ({ cents, whole }: BookState) => ({ bids: side(cents, whole), asks: side(cents + 2, 50) });

export class DelayedVenue {
  readonly driver: MirrorDriver;
  readonly #states: { readonly from: Micros; readonly state: BookState }[] = [
    { from: START, state: { cents: 10, whole: 10 } },
  ];
  #deliveries: Delivery[] = [];
  #lastFrameAt: Micros = START;
  #joined = false;
  /** Reads fail while this is set. */
  failing = false;

  /** @param chance the next of a fixed sequence of numbers in [0, 1) */
  constructor(
    private readonly delays: VenueDelays,
    private readonly chance: () => number,
  ) {
    this.driver = new MirrorDriver({ ...delays, depth: 1 });
  }

  get now(): Micros {
    return this.driver.now;
  }

  /** The best bid and its shares that the mirror relies on now; null while it does not. */
  relied(): BookState | null {
    const { bids, freshness } = this.driver.mirror.view(MARKET, NO_OWN_LEVELS, this.now);
    if (freshness.state !== 'live') return null;
    return { cents: bids[0]!.price / 100, whole: bids[0]!.shares / 100 };
  }

  /** Whether the book was in this state at some time of the last so many milliseconds. */
  wasLately(state: BookState, ms: number): boolean {
    const from = this.now - ms * 1_000;
    return this.#states.some((past, index) => {
      const until = this.#states[index + 1]?.from ?? Infinity;
      return until >= from && past.state.cents === state.cents && past.state.whole === state.whole;
    });
  }

  connect(): void {
    this.driver.join();
    this.#joined = true;
  }

  /** The realtime connection breaks: frames on their way are lost, answers are not. */
  lose(): void {
    this.driver.connection('lost');
    this.#joined = false;
    this.#deliveries = this.#deliveries.filter(({ kind }) => kind === 'answer');
  }

  /** @param silently the update never leaves the venue */
  change(state: BookState, silently: boolean): void {
    this.#states.push({ from: this.now, state });
    if (!this.#joined || silently) return;
    const input: Input = {
      kind: 'book',
      eventId: EVENT,
      marketId: MARKET,
      mode: 'play_money',
      topN: 1,
      ...bookOf(state),
      venueTime: this.now,
    };
    // One channel delivers in order.
    this.#lastFrameAt = Math.max(this.#lastFrameAt, this.#delayed()) as Micros;
    this.#deliveries.push({
      kind: 'frame',
      at: this.#lastFrameAt,
      deliver: () => void this.driver.apply(input),
    });
  }

  /** Time passes; reads the mirror wants are sent and answered, frames delivered. */
  pass(ms: number): void {
    const end = this.now + ms * 1_000;
    while (this.now < end) {
      this.driver.wait(Math.min(50, (end - this.now) / 1_000));
      this.#deliver();
      for (const sent of this.driver.send()) this.#answer(sent);
    }
  }

  #answer(sent: {
    readonly requestId: number;
    readonly request: ReadRequest;
    readonly sentAt: Micros;
  }): void {
    if (this.failing) {
      this.driver.fail(sent, { kind: 'unknown', reason: 'time-out' });
      return;
    }
    const body: AnswerBody =
      sent.request.kind === 'read-book'
        ? bookBody(bookOf(this.#cached(sent.sentAt)))
        : this.driver.usualAnswer(sent.request);
    this.#deliveries.push({
      kind: 'answer',
      at: this.#delayed(),
      deliver: () => void this.driver.answer(sent, body),
    });
  }

  #cached(sentAt: Micros): BookState {
    const sampled = sentAt - Math.floor(this.chance() * this.delays.bookCacheMs) * 1_000;
    return this.#states.findLast((past) => past.from <= sampled)?.state ?? this.#states[0]!.state;
  }

  #delayed(): Micros {
    // The driver looks every 50 ms, so a message may be that much later than its due time.
    return micros(this.now + Math.floor(this.chance() * (this.delays.latencyMs - 50)) * 1_000);
  }

  #deliver(): void {
    const due = this.#deliveries.filter(({ at }) => at <= this.now);
    this.#deliveries = this.#deliveries.filter(({ at }) => at > this.now);
    for (const { deliver } of due) deliver();
  }
}
