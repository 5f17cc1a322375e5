import { merge, type Observable, type Subscription } from 'rxjs';
import type { Answer } from '../../domain/answers.js';
import type { FairValueUpdate, Input, OperatorCommand, Stamped, TimerFired } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../ports/clock.js';
import type { FeedStreams } from '../ports/feed.js';

/** Everything that can speak to the engine. */
export interface InboxSources {
  readonly feed: FeedStreams;
  readonly answers: Observable<Answer>;
  readonly timers: Observable<TimerFired>;
  readonly commands: Observable<OperatorCommand>;
  readonly fairValues: Observable<FairValueUpdate>;
  /** Called before each input; what it makes the feed say comes first. */
  readonly look: () => void;
}

/**
 * Merges all sources into one sequence, stamped 1, 2, 3, ... with a receive time that never decreases, and hands it over one
 * after the other: an input that arrives while another is being handled waits for its turn.
 * @param take is told of every input; must not throw
 */
export function openInbox(
  sources: InboxSources,
  clock: Clock,
  take: (stamped: Stamped) => void,
): Subscription {
  const streams: readonly Observable<Input>[] = [
    ...Object.values(sources.feed),
    sources.answers,
    sources.timers,
    sources.commands,
    sources.fairValues,
  ];
  const inbox = new Inbox(sources.look, clock, take);
  return merge(...streams).subscribe((input) => inbox.receive(input));
}

/** Two operators of RxJS would do the same, a stamping one and a scheduling one, through a dozen calls and objects an input. */
class Inbox {
  readonly #look: () => void;
  readonly #clock: Clock;
  readonly #take: (stamped: Stamped) => void;
  readonly #waiting: Stamped[] = [];
  #isBusy = false;
  #seq = 0;
  #latest = 0 as Micros;

  constructor(look: () => void, clock: Clock, take: (stamped: Stamped) => void) {
    this.#look = look;
    this.#clock = clock;
    this.#take = take;
  }

  receive(input: Input): void {
    this.#look();
    const now = this.#clock.now();
    if (now > this.#latest) this.#latest = now;
    const stamped = { seq: ++this.#seq, at: this.#latest, input };
    if (this.#isBusy) this.#waiting.push(stamped);
    else this.#handOver(stamped);
  }

  #handOver(first: Stamped): void {
    this.#isBusy = true;
    for (let next: Stamped | undefined = first; next !== undefined; next = this.#waiting.shift())
      this.#take(next);
    this.#isBusy = false;
  }
}
