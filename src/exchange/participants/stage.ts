import type { Micros } from '../../domain/units.js';
import type { Command, ExchangeEvent } from '../contract.js';
import type { ExchangeCore } from '../exchange.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Participant } from './participant.js';

export interface StageParts {
  /** Those due at the same time act in this order. */
  readonly participants: readonly Participant[];
  readonly exchange: ExchangeCore;
  readonly clock: Clock;
  /** Executes at once; what the exchange says about it is shown to {@link Stage.observe}. */
  readonly execute: (command: Command) => void;
}

/** Lets participants act when they are due. On a virtual clock a run is a function of seeds and configuration. */
export class Stage {
  private readonly alarms: readonly Alarm[];

  constructor({ participants, exchange, clock, execute }: StageParts) {
    this.alarms = participants.map(
      (participant) =>
        new Alarm(participant, clock, () => {
          for (const command of participant.act(clock.now(), exchange)) execute(command);
        }),
    );
  }

  start(): void {
    for (const alarm of this.alarms) alarm.set();
  }

  /** What the exchange said, for participants that react. */
  observe(events: readonly ExchangeEvent[]): void {
    for (const alarm of this.alarms) {
      for (const event of events) alarm.participant.observe?.(event);
      alarm.set();
    }
  }

  /** Nobody acts any more. */
  stop(): void {
    for (const alarm of this.alarms) alarm.stop();
  }
}

/** Wakes one participant. */
class Alarm {
  private due: Micros | null = null;
  private cancel: () => void = () => undefined;
  private state: 'waiting' | 'acting' | 'stopped' = 'waiting';

  constructor(
    readonly participant: Participant,
    private readonly clock: Clock,
    private readonly act: () => void,
  ) {}

  /** Sets the timer to the participant's next due time; while it acts, this happens afterwards. */
  set(): void {
    const due = this.participant.nextDue();
    if (this.state !== 'waiting' || due === this.due) return;
    this.cancel();
    this.due = due;
    if (due !== null) this.cancel = this.clock.at(due, () => this.ring());
  }

  stop(): void {
    this.state = 'stopped';
    this.cancel();
  }

  private ring(): void {
    if (this.state === 'stopped') return;
    this.due = null;
    this.state = 'acting';
    try {
      this.act();
    } finally {
      if (this.state === 'acting') this.state = 'waiting';
    }
    this.set();
  }
}
