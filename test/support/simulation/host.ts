/** The machine that one bot runs on: its clock, and whether the process runs, stands still or is gone. */
import { SystemClock, type TimeSource } from '../../../src/storage/clocks/system-clock.js';
import type { VirtualClock } from '../clocks/virtual-clock.js';
import type { Micros } from '../../../src/domain/units.js';
import type { Clock } from '../../../src/core/ports/clock.js';

export class Host {
  readonly clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #state: 'running' | 'frozen' | 'dead' = 'running';

  constructor(clock: Clock | ((host: Host) => Clock)) {
    this.clock = typeof clock === 'function' ? clock(this) : clock;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  get isFrozen(): boolean {
    return this.#state === 'frozen';
  }

  /** Something reaches the process: now, when it runs again, or never. */
  deliver(arrive: () => void): void {
    if (this.#state === 'running') arrive();
    else if (this.#state === 'frozen') this.#waiting.push(arrive);
  }

  /** As by SIGSTOP, or by the lid of a laptop. */
  freeze(): void {
    if (this.#state === 'running') this.#state = 'frozen';
  }

  /** Runs again; what reached the machine meanwhile is there at once. */
  thaw(): void {
    if (this.#state !== 'frozen') return;
    this.#state = 'running';
    for (const arrive of this.#waiting.splice(0)) this.deliver(arrive);
  }

  /** As by SIGKILL. */
  kill(): void {
    this.#state = 'dead';
    this.#waiting.length = 0;
  }
}

/** A machine whose wall clock is wrong, by so much more every second. Its processes come and go. */
export class Machine {
  readonly #world: VirtualClock;
  readonly #start: Micros;
  readonly #driftPpm: number;
  #aheadMs: number;

  constructor(world: VirtualClock, { aheadMs, driftPpm }: { aheadMs: number; driftPpm: number }) {
    this.#world = world;
    this.#start = world.now();
    this.#aheadMs = aheadMs;
    this.#driftPpm = driftPpm;
  }

  /** A process with the production clock. */
  host(): Host {
    return new Host((host) => new SystemClock(this.#timeOf(host)));
  }

  /** Somebody sets the wall clock. @param byMs forward; negative is back */
  jump(byMs: number): void {
    this.#aheadMs += byMs;
  }

  #timeOf(host: Host): TimeSource {
    return {
      wallMs: () => this.#start / 1_000 + this.#elapsedMs() + this.#aheadMs,
      monotonicMs: () => this.#elapsedMs(),
      sinceBootMs: () => this.#elapsedMs(),
      after: (delayMs, callback) => {
        const at = (this.#world.now() + Math.max(0, Math.ceil(delayMs * 1_000))) as Micros;
        return this.#world.at(at, () => host.deliver(callback));
      },
    };
  }

  #elapsedMs(): number {
    return ((this.#world.now() - this.#start) * (1 + this.#driftPpm / 1e6)) / 1_000;
  }
}
