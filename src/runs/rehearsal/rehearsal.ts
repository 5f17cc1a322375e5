/**
 * A frame seldom finds what it runs through where the last one left it: within milliseconds others have used the processor's
 * caches. So a bot that never sleeps plays, while nothing is to do, the same way from a book to a signed request with an
 * engine of its own, one that shares nothing with the bot but its code and what that remembers of texts.
 */
import { accountId, eventId } from '../../domain/ids.js';
import { type Micros, micros } from '../../domain/units.js';
import type { EngineLoop } from '../../core/engine/loop.js';
import { eventChannel, GLOBAL_CHANNEL, userChannel } from '../../venues/futuur/protocol/realtime/channels.js';
import type { NestedStyle } from '../../venues/futuur/protocol/signed-values.js';
import { VirtualClock } from '../../storage/clocks/virtual-clock.js';
import { Wire } from '../../venues/futuur/rest/wire.js';
import { assemble } from '../live/assembly.js';
import { AgreeableVenue } from './agreeable-venue.js';
import { bookText } from './frames.js';
import { ForgetfulJournal, RehearsedFeed, RehearsedTransport } from './rehearsed-doors.js';
import { EVENT, KEYS, MARKET, NOWHERE, type RehearsedEngine, rehearsedEngine } from './rehearsed-engine.js';

export interface RehearsalOptions {
  /** As the bot signs. */
  readonly nested: NestedStyle;
  /** A folder on the disk of the bot's journal. */
  readonly dir: string;
  /** Microseconds; where its own time begins. */
  readonly startedAt: Micros;
  /** Told once if it cannot go on; it is over then. */
  readonly onBroken: (error: unknown) => void;
}

/** From one frame to the next: by then others have used much of the second cache. */
const EVERY_MS = 1;
/** What passes of its own time between two frames: orders that ended two minutes ago are forgotten, so few are kept. */
const STEP = 8_000_000;
/** All twenty quotes follow the book from one to the other. */
const MIDS = [45, 55] as const;
/** Private frames told in one turn: a frame that has come meanwhile waits for no more. */
const TOLD_A_TURN = 10;
const ACCOUNT = accountId(1);

/** Plays one frame a millisecond, in short pieces; see {@link Rehearsal.turn}. */
export class Rehearsal {
  readonly #onBroken: (error: unknown) => void;
  readonly #clock: VirtualClock;
  readonly #venue: AgreeableVenue;
  readonly #transport: RehearsedTransport;
  readonly #journal: ForgetfulJournal;
  readonly #feed: RehearsedFeed;
  readonly #loop: EngineLoop;
  #scene: Iterator<void> | null = null;
  #nextAtMs = 0;
  #frames = 0;
  #isOver = false;

  /** Loads the bundled strategy that it plays with. @throws an error of the file system */
  static async open(options: RehearsalOptions): Promise<Rehearsal> {
    return new Rehearsal(await rehearsedEngine(), options);
  }

  private constructor(rehearsed: RehearsedEngine, { nested, dir, startedAt, onBroken }: RehearsalOptions) {
    this.#onBroken = onBroken;
    this.#clock = new VirtualClock(startedAt);
    this.#venue = new AgreeableVenue(() => this.#clock.now() / 1_000);
    this.#journal = new ForgetfulJournal(dir);
    this.#transport = new RehearsedTransport(this.#venue);
    this.#feed = new RehearsedFeed([GLOBAL_CHANNEL, eventChannel(eventId(EVENT)), userChannel(ACCOUNT)]);
    this.#loop = assemble({
      ...rehearsed,
      clock: this.#clock,
      feed: this.#feed,
      wire: this.#wire(nested),
      journal: this.#journal,
      startedAt,
      observers: [],
      latched: () => null,
      onFault: (error) => this.#break(error),
      onNotice: () => undefined,
      onEnd: ({ text }) => this.#break(new Error(text)),
      onBroken: (error) => this.#break(error),
    }).loop;
    this.#loop.start();
  }

  /** Requests that were signed and went nowhere. */
  get requests(): number {
    return this.#transport.sent;
  }

  /**
   * To be called whenever nothing else is to do: plays on for some tens of microseconds if it is time to, and never throws.
   * @param nowMs monotonic
   */
  turn(nowMs: number): void {
    if (this.#isOver || nowMs < this.#nextAtMs) return;
    try {
      this.#scene ??= this.#play();
      if (this.#scene.next().done !== true) return;
      this.#scene = null;
      this.#nextAtMs = nowMs + EVERY_MS;
    } catch (error) {
      this.#break(error);
    }
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#loop.close();
    void this.#journal.close();
  }

  /** The frame comes last: what it ran through is to lie there when the next one comes. */
  *#play(): Generator<void> {
    this.#transport.answer();
    yield;
    const told = this.#venue.told.splice(0);
    for (let first = 0; first < told.length; first += TOLD_A_TURN) {
      for (const order of told.slice(first, first + TOLD_A_TURN)) this.#feed.order(order, this.#clock.now());
      yield;
    }
    this.#clock.advanceTo(micros(this.#clock.now() + STEP));
    yield;
    this.#hearBook();
  }

  #hearBook(): void {
    const mid = MIDS[this.#frames++ % MIDS.length]!;
    this.#venue.shows(MARKET, mid);
    this.#feed.book(bookText(EVENT, MARKET, mid, this.#clock.now() / 1_000));
  }

  #wire(nested: NestedStyle): Wire {
    return new Wire({
      baseUrl: NOWHERE,
      credentials: KEYS,
      nested,
      timeoutMs: 5_000,
      clock: this.#clock,
      observe: () => undefined,
      transport: this.#transport,
    });
  }

  #break(error: unknown): void {
    if (this.#isOver) return;
    this.close();
    this.#onBroken(error);
  }
}
