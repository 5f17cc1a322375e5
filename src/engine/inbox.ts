import { map, merge, type Observable, observeOn, queueScheduler } from 'rxjs';
import type { Answer } from '../domain/answers.js';
import type { FairValueUpdate, Input, OperatorCommand, Stamped, TimerFired } from '../domain/inputs.js';
import type { Micros } from '../domain/units.js';
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
 * Merges all sources into one sequence, stamped 1, 2, 3, ... with a receive time that never decreases. An input
 * that arrives while another is being handled waits for its turn.
 */
export function openInbox(sources: InboxSources, clock: Clock): Observable<Stamped> {
  const streams: readonly Observable<Input>[] = [
    ...Object.values(sources.feed),
    sources.answers,
    sources.timers,
    sources.commands,
    sources.fairValues,
  ];
  let seq = 0;
  let latest = 0 as Micros;
  return merge(...streams).pipe(
    map((input): Stamped => {
      sources.look();
      const now = clock.now();
      latest = now > latest ? now : latest;
      seq += 1;
      return { seq, at: latest, input };
    }),
    observeOn(queueScheduler),
  );
}
