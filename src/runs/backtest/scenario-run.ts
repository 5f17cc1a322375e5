/** One scenario of a backtest: an engine and a simulated venue in virtual time. */
import { EngineDriver } from '../../core/engine/driver.js';
import { Engine } from '../../core/engine/engine.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { EngineOptions } from '../../core/engine/options.js';
import { idempotencyKey } from '../../core/execution/sending/sent-requests.js';
import type { EndEffect, NoticeEffect } from '../../domain/effects.js';
import type { Input } from '../../domain/inputs.js';
import type { ArrivedValue } from '../fair-values/source-judge.js';
import type { Micros } from '../../domain/units.js';
import { eventChannel, GLOBAL_CHANNEL, userChannel } from '../../venues/futuur/protocol/realtime/channels.js';
import { SimulatedVenue, type SimulatedVenueOptions } from '../../venues/simulated/simulated-venue.js';
import { MarketData, type MarketDataOptions } from './market-data.js';
import type { RowRange } from './merged-recordings.js';

/** Everything that a scenario is made of. Together with the rows it determines every decision. */
export interface ScenarioOptions
  extends
    Omit<SimulatedVenueOptions, 'mode' | 'now' | 'keyOf'>,
    Pick<MarketDataOptions, 'markets' | 'crossing' | 'onMid'> {
  readonly engine: EngineOptions;
  /** Time of the first row. */
  readonly start: Micros;
  /** Fair values from outside, in order of arrival; what came before the start arrives then. */
  readonly fairValues: readonly ArrivedValue[];
  /** Watches; changes nothing. */
  readonly observer?: EngineObserver;
  readonly onNotice?: (notice: NoticeEffect, at: Micros) => void;
}

/** How a scenario ended. */
export interface ScenarioEnd {
  readonly outcome: EndEffect['outcome'];
  readonly at: Micros;
  /** Inputs that the engine took in. */
  readonly inputs: number;
  readonly decisions: { readonly count: number; readonly hash: string };
}

/** After the last row the bot runs on for so long, microseconds. Then it is told to stop. */
const LINGER = 2_000_000;
const DEPARTURE_MOST = 120_000_000;
/** Steps between two pauses, some hundredths of a second. A silence of weeks has a hundred thousand steps. */
const STEPS_A_STRETCH = 1_024;

/** At equal times the market moves first, then requests arrive, then the engine hears: who races the market loses. */
export class ScenarioRun {
  readonly engine: Engine;
  readonly venue: SimulatedVenue;
  private readonly driver: EngineDriver;
  private readonly marketData: MarketData;
  private now: Micros;
  /** Time of the last row. */
  private rowAt: number;
  private wakeAt = Infinity;
  private readonly fairValues: readonly ArrivedValue[];
  /** How many of them have arrived. */
  private valued = 0;
  private seq = 0;
  private outcome: EndEffect['outcome'] = 'orders-may-remain';
  private stepsLeft = STEPS_A_STRETCH;

  constructor(options: ScenarioOptions) {
    const { engine, start, markets, crossing, onMid, account, observer = null, onNotice } = options;
    const { mode } = engine.terms;
    this.now = start;
    this.fairValues = options.fairValues;
    this.rowAt = start;
    this.engine = new Engine(engine, start, observer);
    this.venue = new SimulatedVenue({
      ...options,
      mode,
      now: () => this.now,
      keyOf: (requestId) => idempotencyKey(engine.runId, requestId),
    });
    this.marketData = new MarketData({ markets, mode, crossing, onMid, target: this.venue });
    this.driver = new EngineDriver(this.engine, {
      send: (effect) => this.venue.submit(effect),
      wakeAt: (at) => (this.wakeAt = at),
      notice: (notice) => onNotice?.(notice, this.now),
      // The simulated venue loses no frame.
      reconnect: () => undefined,
      end: (effect) => (this.outcome = effect.outcome),
    });
    const events = engine.events.map(({ id }) => eventChannel(id));
    this.venue.connect([GLOBAL_CHANNEL, ...events, userChannel(account)]);
    this.step({ kind: 'timer' });
    this.step({ kind: 'link', state: 'connected', reason: '' });
  }

  /**
   * Takes rows in; times never decrease. Yields now and then the number of rows taken since: others get a turn, also
   * within a long silence.
   */
  *take({ rows, from, to }: RowRange): Generator<number> {
    const { at } = rows.block;
    let done = from;
    for (let row = from; row < to; row++) {
      const time = at[row]!;
      if (time > this.rowAt) {
        this.closeTime();
        while (!this.runUntil(time)) {
          yield row - done;
          done = row;
        }
        this.rowAt = time;
        this.now = time as Micros;
      }
      this.marketData.row(rows, row);
    }
    yield to - done;
  }

  /** No more rows: the bot hears of the last ones, and withdraws its quotes. */
  finish(): ScenarioEnd {
    this.closeTime();
    this.rowAt += LINGER;
    while (!this.runUntil(this.rowAt));
    this.now = this.rowAt as Micros;
    this.step({ kind: 'command', command: 'stop', reason: 'the recording is over' });
    while (!this.runUntil(this.rowAt + DEPARTURE_MOST));
    const { outcome, now, seq, engine } = this;
    const decisions = { count: engine.view().counts.decisions, hash: engine.decisionHash };
    return { outcome, at: now, inputs: seq, decisions };
  }

  /** All rows of one time are taken in: the venue publishes what they changed. */
  private closeTime(): void {
    this.now = this.rowAt as Micros;
    this.marketData.close();
    this.venue.publish();
  }

  /** Everything that happens before a time, in order. @returns false: there is more, after a pause */
  private runUntil(time: number): boolean {
    while (!this.driver.hasEnded) {
      const { nextAt } = this.venue;
      const valueAt = this.fairValues[this.valued]?.arrivedAt ?? Infinity;
      const next = Math.min(nextAt, valueAt, this.wakeAt);
      if (next >= time) return true;
      if (this.stepsLeft === 0) return this.pause();
      this.stepsLeft -= 1;
      if (next > this.now) this.now = next as Micros;
      if (next === nextAt) this.hear(this.venue.advance());
      else if (next === valueAt) this.hearValues();
      else this.wake();
    }
    return true;
  }

  /** Values of one time are one observation. */
  private hearValues(): void {
    const from = this.valued;
    while ((this.fairValues[this.valued]?.arrivedAt ?? Infinity) <= this.now) this.valued += 1;
    const values = this.fairValues.slice(from, this.valued).map(({ value }) => value);
    this.step({ kind: 'outside', values });
  }

  private pause(): false {
    this.stepsLeft = STEPS_A_STRETCH;
    return false;
  }

  private wake(): void {
    this.wakeAt = Infinity;
    this.step({ kind: 'timer' });
  }

  /** Inputs of one time are one observation: nothing is decided before the last of them. */
  private hear(input: Input | null): void {
    if (input === null) return;
    if (this.venue.isQuiet) return this.step(input);
    this.seq += 1;
    this.driver.take({ seq: this.seq, at: this.now, input });
  }

  private step(input: Input): void {
    if (this.driver.hasEnded) return;
    this.seq += 1;
    this.driver.step({ seq: this.seq, at: this.now, input });
  }
}
