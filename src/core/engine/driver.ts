import type { Effect, EndEffect, NoticeEffect, SendEffect } from '../../domain/effects.js';
import type { Stamped } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { Engine } from './engine.js';

/** Where the effects of an engine go. */
export interface EffectOutlets {
  send(effect: SendEffect): void;
  /** Gives the engine a timer input at this time; replaces an earlier wish. */
  wakeAt(at: Micros): void;
  notice(notice: NoticeEffect): void;
  reconnect(reason: string): void;
  /** Called once. Inputs behind it are ignored. */
  end(effect: EndEffect): void;
}

/**
 * Drives one engine: inputs go in, effects come out at the outlets. Every run is a driver: live, backtest and replay
 * differ in where inputs come from, which clock they carry, and where effects go.
 */
export class EngineDriver {
  private ended = false;

  constructor(
    readonly engine: Engine,
    private readonly outlets: EffectOutlets,
  ) {}

  get hasEnded(): boolean {
    return this.ended;
  }

  /** Takes in an input that is decided together with the next one. */
  take(stamped: Stamped): void {
    if (!this.ended) this.engine.take(stamped);
  }

  /** Takes in an input and does what the engine decides. @throws what the engine throws */
  step(stamped: Stamped): void {
    if (this.ended) return;
    for (const effect of this.engine.step(stamped)) this.perform(effect);
  }

  private perform(effect: Effect): void {
    switch (effect.kind) {
      case 'send':
        return this.outlets.send(effect);
      case 'wake':
        return this.outlets.wakeAt(effect.at);
      case 'notice':
        return this.outlets.notice(effect);
      case 'reconnect':
        return this.outlets.reconnect(effect.reason);
      case 'end':
        this.ended = true;
        return this.outlets.end(effect);
    }
  }
}
