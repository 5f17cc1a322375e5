import { merge, type Observable, Subject, type Subscription } from 'rxjs';
import type { EndEffect, NoticeEffect } from '../../domain/effects.js';
import type {
  OutsideInput,
  OutsideValue,
  Input,
  OperatorCommand,
  Stamped,
  TimerFired,
} from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../ports/clock.js';
import type { Feed, FeedStreams, Gateway } from '../../venues/port.js';
import { EngineDriver } from './driver.js';
import type { Engine } from './engine.js';
import type { Answer } from '../../domain/answers.js';

/** What a running engine is connected to. */
export interface LoopParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly gateway: Gateway;
  /** Something a person should know. */
  readonly onNotice: (notice: NoticeEffect) => void;
  /** The engine has ended; the loop takes nothing in any more. Called once, unless {@link onBroken} was. */
  readonly onEnd: (end: EndEffect) => void;
  /** An input broke the engine: what it knows cannot be relied on any more, and the loop takes nothing in. Once. */
  readonly onBroken: (error: unknown) => void;
}

/** Runs an engine live: all its inputs come through one inbox, its effects go to feed, gateway and clock. */
export class EngineLoop {
  readonly #parts: LoopParts;
  readonly #driver: EngineDriver;
  readonly #timers = new Subject<TimerFired>();
  readonly #commands = new Subject<OperatorCommand>();
  readonly #outside = new Subject<OutsideInput>();
  #inputs: Subscription | null = null;
  #isOver = false;
  #cancelWake = (): void => undefined;

  constructor(parts: LoopParts) {
    const { engine, feed, gateway, onNotice, onEnd } = parts;
    this.#parts = parts;
    this.#driver = new EngineDriver(engine, {
      send: (effect) => gateway.submit(effect),
      wakeAt: (at) => this.#wakeAt(at),
      notice: onNotice,
      reconnect: (reason) => feed.reconnect?.(reason),
      end: (effect) => {
        this.close();
        onEnd(effect);
      },
    });
  }

  /** Listens to everything, connects the feed and gives the engine its first input. */
  start(): void {
    const { feed, gateway, clock } = this.#parts;
    const [timers, commands, fairValues] = [this.#timers, this.#commands, this.#outside];
    const look = (): void => feed.look?.();
    const sources = { feed: feed.streams, answers: gateway.answers, timers, commands, fairValues, look };
    this.#inputs = openInbox(sources, clock, (input) => this.#step(input));
    feed.connect();
    this.#timers.next({ kind: 'timer' });
  }

  command(command: OperatorCommand): void {
    this.#commands.next(command);
  }

  /** What a source outside the venue says at one time. */
  outside(...values: readonly OutsideValue[]): void {
    this.#outside.next({ kind: 'outside', values });
  }

  /** Takes nothing in any more. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#inputs?.unsubscribe();
    this.#cancelWake();
    this.#parts.feed.close();
  }

  #step(input: Stamped): void {
    if (this.#isOver) return;
    try {
      this.#driver.step(input);
    } catch (error) {
      this.close();
      this.#parts.onBroken(error);
    }
  }

  #wakeAt(at: Micros): void {
    this.#cancelWake();
    this.#cancelWake = this.#parts.clock.at(at, () => this.#timers.next({ kind: 'timer' }));
  }
}

/** Everything that can speak to the engine. */
export interface InboxSources {
  readonly feed: FeedStreams;
  readonly answers: Observable<Answer>;
  readonly timers: Observable<TimerFired>;
  readonly commands: Observable<OperatorCommand>;
  readonly fairValues: Observable<OutsideInput>;
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
