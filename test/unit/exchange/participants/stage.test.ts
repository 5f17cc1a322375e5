import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../../src/domain/units.js';
import type { Command } from '../../../../src/exchange/contract.js';
import { type Participant, Stage } from '../../../../src/exchange/participants/index.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import { marketsOf, SimulatedTrading } from '../../../support/exchange/simulated-trading.js';

const START = 1_000_000 as Micros;
const at = (micros: number): Micros => (START + micros) as Micros;
const COMMAND: Command = { kind: 'advance-time' };

/** A participant that is due at these times and notes when it acted. */
class Scripted implements Participant {
  readonly acted: number[] = [];
  observed = 0;

  constructor(
    private dues: (number | null)[],
    private readonly log: string[] = [],
    private readonly name = '',
  ) {}

  nextDue(): Micros | null {
    const due = this.dues[0] ?? null;
    return due === null ? null : at(due);
  }

  act(now: Micros): readonly Command[] {
    this.dues.shift();
    this.acted.push(now - START);
    this.log.push(this.name);
    return [COMMAND];
  }

  observe(): void {
    this.observed += 1;
  }

  wish(due: number | null): void {
    this.dues = [due];
  }
}

const staged = (...participants: Scripted[]) => {
  const clock = new VirtualClock(START);
  const { exchange } = new SimulatedTrading(marketsOf(1), 1);
  const commands: Command[] = [];
  const stage = new Stage({ participants, clock, exchange, execute: (command) => commands.push(command) });
  stage.start();
  return { stage, clock, commands };
};
const EVENT = { kind: 'test-event', at: START } as const;

describe('the stage', () => {
  it('lets everybody act when due and executes what they want', () => {
    const participant = new Scripted([10, 25, 25, null]);
    const { clock, commands } = staged(participant);
    clock.advanceTo(at(100));
    expect(participant.acted).toEqual([10, 25, 25]);
    expect(commands).toHaveLength(3);
  });

  it('keeps the order of its list for those who are due together', () => {
    const log: string[] = [];
    const { clock } = staged(new Scripted([5, 9], log, 'first'), new Scripted([5, 9], log, 'second'));
    clock.advanceTo(at(100));
    expect(log).toEqual(['first', 'second', 'first', 'second']);
  });

  it('wakes a participant earlier or not at all when what it sees changes its mind', () => {
    const [early, never] = [new Scripted([50]), new Scripted([50])];
    const { stage, clock } = staged(early, never);
    clock.advanceTo(at(10));
    early.wish(20);
    never.wish(null);
    stage.observe([EVENT, EVENT]);
    clock.advanceTo(at(100));
    expect([early.acted, never.acted]).toEqual([[20], []]);
    expect(early.observed).toBe(2);
  });

  it('lets a participant that is late act at once, as often as it was due', () => {
    const participant = new Scripted([-30, -20, 40]);
    const { clock } = staged(participant);
    clock.advanceTo(at(0));
    expect(participant.acted).toEqual([0, 0]);
  });

  it('is silent once it is stopped', () => {
    const participant = new Scripted([10, 20]);
    const { stage, clock } = staged(participant);
    clock.advanceTo(at(10));
    stage.stop();
    stage.observe([EVENT]);
    clock.advanceTo(at(100));
    expect(participant.acted).toEqual([10]);
  });
});
