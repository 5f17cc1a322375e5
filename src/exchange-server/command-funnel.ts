import type { Micros } from '../domain/units.js';
import type { Command, ExchangeEvent, OutcomeOf } from '../exchange/contract.js';
import type { ExchangeCore } from '../exchange/exchange.js';
import type { Clock } from '../core/ports/clock.js';
import type { CommandLog } from '../core/ports/command-log.js';
import { JournalError } from '../core/ports/journal.js';

const LOG_RETRY_MICROS = 1_000_000;

/** Told of what a command did, before its sender is answered. */
export type EventObserver = (events: readonly ExchangeEvent[]) => void;

export interface FunnelParts {
  readonly exchange: ExchangeCore;
  /** One that is not behind what the exchange has lived: its time would stand still until then. */
  readonly clock: Clock;
  /** null: the exchange forgets everything when it ends. */
  readonly log: CommandLog<Command> | null;
}

/**
 * The one way into the core: requests, administrators, participants and the passing of time. Each command gets
 * its time, is logged, executed and made known, in that order and without interruption, so the log replayed
 * gives the same exchange.
 */
export class CommandFunnel {
  private readonly observers: EventObserver[] = [];
  private sequence: number;
  private alarm: { readonly at: Micros; readonly cancel: () => void } | null = null;
  private closed = false;

  constructor(private readonly parts: FunnelParts) {
    this.sequence = parts.log?.lastSequence ?? 0;
  }

  /** Observers are called in the order they came. */
  observe(observer: EventObserver): void {
    this.observers.push(observer);
  }

  /** @throws JournalError when the command could not be logged; it has no effect then */
  execute<C extends Command>(command: C): OutcomeOf[C['kind']] {
    const { exchange, log } = this.parts;
    const at = this.time();
    log?.append({ sequence: this.sequence + 1, at, command });
    this.sequence += 1;
    const { outcome, events } = exchange.execute(command, at);
    if (events.length > 0) this.tell(events);
    this.setAlarm();
    return outcome;
  }

  /** Begins to watch the time. @throws JournalError when what is due by now could not be logged */
  start(): void {
    this.doDue();
    this.setAlarm();
  }

  /** Stops watching the time; later commands still execute. */
  stop(): void {
    this.closed = true;
    this.alarm?.cancel();
    this.alarm = null;
  }

  private tell(events: readonly ExchangeEvent[]): void {
    for (const observe of this.observers) observe(events);
  }

  private time(): Micros {
    const { clock, exchange } = this.parts;
    return Math.max(clock.now(), exchange.now()) as Micros;
  }

  private setAlarm(): void {
    const due = this.closed ? null : this.parts.exchange.nextDue();
    if (due === (this.alarm?.at ?? null)) return;
    this.alarm?.cancel();
    this.alarm = due === null ? null : { at: due, cancel: this.parts.clock.at(due, () => this.onAlarm()) };
  }

  private onAlarm(): void {
    this.alarm = null;
    if (this.settle()) this.setAlarm();
    else this.retryLater();
  }

  /**
   * Does what has fallen due, so that reads show this moment; where that cannot be logged they show what is kept.
   * @returns whether the log took it; else it stays due
   */
  settle(): boolean {
    try {
      this.doDue();
      return true;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      return false;
    }
  }

  private doDue(): void {
    const due = this.parts.exchange.nextDue();
    if (due !== null && due <= this.time()) this.execute({ kind: 'advance-time' });
  }

  /** What is due stays due; the log may take it once there is room again. */
  private retryLater(): void {
    const at = (this.parts.clock.now() + LOG_RETRY_MICROS) as Micros;
    this.alarm = { at, cancel: this.parts.clock.at(at, () => this.onAlarm()) };
  }
}
