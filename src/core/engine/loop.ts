import { Subject, type Subscription } from 'rxjs';
import type { EndEffect, NoticeEffect } from '../../domain/effects.js';
import type { FairValueUpdate, OperatorCommand, Stamped, TimerFired } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../ports/clock.js';
import type { Feed } from '../ports/feed.js';
import type { Gateway } from '../ports/gateway.js';
import { EngineDriver } from './driver.js';
import type { Engine } from './engine.js';
import { openInbox } from './inbox.js';

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
  readonly #fairValues = new Subject<FairValueUpdate>();
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
    const [timers, commands, fairValues] = [this.#timers, this.#commands, this.#fairValues];
    const look = (): void => feed.look?.();
    const sources = { feed: feed.streams, answers: gateway.answers, timers, commands, fairValues, look };
    this.#inputs = openInbox(sources, clock, (input) => this.#step(input));
    feed.connect();
    this.#timers.next({ kind: 'timer' });
  }

  command(command: OperatorCommand): void {
    this.#commands.next(command);
  }

  fairValue(value: FairValueUpdate): void {
    this.#fairValues.next(value);
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
