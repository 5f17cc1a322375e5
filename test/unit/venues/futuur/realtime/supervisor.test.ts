import { describe, expect, it } from 'vitest';
import { micros, type Micros } from '../../../../../src/domain/units.js';
import type { Clock } from '../../../../../src/core/ports/clock.js';
import type { Random } from '../../../../../src/core/ports/random.js';
import { VirtualClock } from '../../../../support/clocks/virtual-clock.js';
import { seededRandom } from '../../../../../src/storage/clocks/seeded-random.js';
import { PACE, Supervisor } from '../../../../../src/venues/futuur/realtime/supervisor.js';

const START = 1_000_000_000;
/** Always the upper end of the jitter, so that delays can be read off. */
const upperEnd: Random = { uniform: () => 1 - Number.EPSILON, below: (n) => n - 1, fork: () => upperEnd };

/** How a fake link fares: silent until told, or up at once and broken after a while. */
type Fate = 'silent' | { readonly upMs: number };

function supervised({ random = upperEnd, fate = 'silent' }: { random?: Random; fate?: Fate } = {}) {
  const clock = new SleepyClock();
  const log: string[] = [];
  const note = (what: string): void => void log.push(`${Math.round((clock.now() - START) / 1_000)} ${what}`);
  const connect = (): void => {
    note('connect');
    if (fate === 'silent') return;
    clock.at(clock.now(), () => supervisor.established());
    clock.at(micros(clock.now() + fate.upMs * 1_000), () => supervisor.lost('closed'));
  };
  const supervisor = new Supervisor({
    clock,
    random,
    pace: PACE,
    link: { connect, disconnect: () => note('disconnect') },
    onChange: ({ state, reason }) => {
      supervisor.look();
      note(`${state}${reason === '' ? '' : `: ${reason}`}`);
    },
  });
  /** When the link was asked to connect, in milliseconds. */
  const attempts = (): number[] =>
    log.filter((line) => line.endsWith(' connect')).map((line) => Number.parseInt(line, 10));
  return { supervisor, clock, log, attempts };
}

/** A virtual clock whose process can stand still: time goes on, and timers that were due run late. */
class SleepyClock implements Clock {
  readonly #awake = new VirtualClock(micros(START));
  #slept = 0;
  leaps = 0;

  now = (): Micros => micros(this.#awake.now() + this.#slept);
  monotonic = (): number => this.#awake.monotonic() + this.#slept;
  at = (time: Micros, callback: () => void): (() => void) =>
    this.#awake.at(micros(time - this.#slept), callback);

  pass(ms: number): void {
    this.#awake.advanceTo(micros(this.#awake.now() + ms * 1_000));
  }

  sleep(ms: number): void {
    this.#slept += ms * 1_000;
  }

  get isIdle(): boolean {
    return this.#awake.nextAt === null;
  }
}

describe('the supervisor of a connection', () => {
  it('connects, and tells once that it did', () => {
    const { supervisor, log } = supervised();
    supervisor.start();
    supervisor.start();
    supervisor.established();
    supervisor.established();
    expect(log).toEqual(['0 connect', '0 connected']);
  });

  it('tells of a loss at once, gives the link up, and comes back after a moment', () => {
    const { supervisor, log, clock } = supervised();
    supervisor.start();
    supervisor.established();
    clock.pass(20_000);
    supervisor.lost('closed');
    supervisor.lost('closed, again');
    clock.pass(250);
    supervisor.established();
    expect(log.slice(2)).toEqual([
      '20000 lost: closed',
      '20000 disconnect',
      '20250 connect',
      '20250 connected',
    ]);
  });

  it('gives up an attempt that leads nowhere, and waits longer each time', () => {
    const { supervisor, clock, attempts } = supervised();
    supervisor.start();
    clock.pass(60_000);
    expect(attempts()).toEqual([0, 1_250, 3_750, 8_750, 18_750, 37_750]);
  });

  it('tells of a connection that cannot be made, once', () => {
    const { supervisor, log, clock } = supervised();
    supervisor.start();
    clock.pass(20_000);
    expect(log.filter((line) => line.includes('lost'))).toEqual(['1000 lost: no connection within 1000 ms']);
  });

  it('backs off ever longer while the connection flaps', () => {
    const { supervisor, clock, attempts } = supervised({ fate: { upMs: 100 } });
    supervisor.start();
    clock.pass(12_000);
    expect(attempts()).toEqual([0, 350, 950, 2_050, 4_150, 8_250]);
  });

  it('starts from the shortest delay after a connection that was good', () => {
    const { supervisor, clock, attempts } = supervised({ fate: { upMs: PACE.stableMs } });
    supervisor.start();
    clock.pass(31_000);
    expect(attempts()).toEqual([0, 10_250, 20_500, 30_750]);
  });

  it('spreads its delays between half and the whole back-off', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
      const { supervisor, clock, attempts } = supervised({ random: seededRandom(seed) });
      supervisor.start();
      supervisor.lost('closed');
      clock.pass(PACE.firstDelayMs);
      return attempts()[1] ?? 0;
    });
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(125);
    expect(Math.max(...delays)).toBeLessThanOrEqual(250);
    expect(new Set(delays).size).toBeGreaterThan(5);
  });

  it('stops for good when the venue refuses it, and says why', () => {
    const { supervisor, log, clock } = supervised();
    supervisor.start();
    supervisor.refused('code 4001');
    supervisor.refused('code 4001');
    supervisor.lost('closed');
    supervisor.established();
    clock.pass(600_000);
    expect(log).toEqual(['0 connect', '0 refused: code 4001', '0 disconnect']);
  });

  it('does nothing any more once stopped', () => {
    const { supervisor, log, clock } = supervised();
    supervisor.start();
    supervisor.lost('closed');
    supervisor.stop();
    clock.pass(600_000);
    expect(log.at(-1)).toBe('0 disconnect');
    expect(clock.isIdle).toBe(true);
  });

  it('gives up a link that stands when it is told to, and leaves one alone that is being made', () => {
    const { supervisor, clock, log, attempts } = supervised();
    supervisor.start();
    supervisor.renew('silent');
    expect(log).toEqual(['0 connect']);
    supervisor.established();
    supervisor.renew('silent');
    clock.pass(PACE.firstDelayMs);
    expect(log.slice(1, 4)).toEqual(['0 connected', '0 lost: silent', '0 disconnect']);
    expect(attempts()).toHaveLength(2);
  });

  it('ignores news of a link that it gave up already', () => {
    const { supervisor, log, clock } = supervised();
    supervisor.start();
    supervisor.established();
    supervisor.lost('closed');
    supervisor.established();
    supervisor.lost('closed again');
    expect(log).toEqual(['0 connect', '0 connected', '0 lost: closed', '0 disconnect']);
    clock.pass(250);
    expect(log.at(-1)).toBe('250 connect');
  });
});

describe('a process that stood still', () => {
  it('for more than a second has lost its connection, whatever the socket says', () => {
    const { supervisor, clock, log } = supervised();
    supervisor.start();
    supervisor.established();
    clock.pass(100);
    clock.sleep(5_000);
    clock.pass(150);
    expect(log.slice(2)).toEqual(['5250 lost: the process stood still for 5000 ms', '5250 disconnect']);
  });

  it('has lost it before anything that waited meanwhile is looked at', () => {
    const { supervisor, clock, log } = supervised();
    supervisor.start();
    supervisor.established();
    clock.sleep(1_300);
    supervisor.look();
    supervisor.look();
    expect(log.slice(2)).toEqual(['1300 lost: the process stood still for 1050 ms', '1300 disconnect']);
  });

  it('is another one than a process whose beat is late because it is busy with its inputs', () => {
    const { supervisor, clock, log } = supervised();
    supervisor.start();
    supervisor.established();
    for (let input = 0; input < 5; input++) {
      clock.sleep(400);
      supervisor.look();
    }
    clock.pass(10_000);
    expect(log).toEqual(['0 connect', '0 connected']);
    clock.sleep(1_300);
    supervisor.look();
    expect(log).toHaveLength(4);
  });

  it('is not held against the next connection', () => {
    const { supervisor, clock, log } = supervised({ fate: { upMs: 60_000 } });
    supervisor.start();
    clock.pass(10);
    clock.sleep(5_000);
    clock.pass(20_000);
    expect(log.filter((line) => line.includes('lost'))).toHaveLength(1);
  });

  it('may have done so unnoticed when the wall clock leaps ahead', () => {
    const { supervisor, clock, log } = supervised();
    supervisor.start();
    clock.leaps += 1;
    supervisor.established();
    clock.pass(5_000);
    clock.leaps += 1;
    clock.pass(250);
    expect(log.slice(2)).toEqual([
      '5250 lost: the wall clock leapt ahead: the machine may have stood still',
      '5250 disconnect',
    ]);
    clock.pass(250);
    supervisor.established();
    clock.pass(5_000);
    expect(log.filter((line) => line.includes('lost'))).toHaveLength(1);
  });

  it('for less than that has not', () => {
    const { supervisor, clock, log } = supervised();
    supervisor.start();
    supervisor.established();
    clock.sleep(900);
    clock.pass(10_000);
    expect(log).toEqual(['0 connect', '0 connected']);
  });
});
