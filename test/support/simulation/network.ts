/** The way between bot and venue in virtual time: how long each message takes, and what becomes of it, by seed. */
import type { Micros } from '../../../src/domain/units.js';
import type { Random } from '../../../src/ports/random.js';
import type { VirtualClock } from '../../../src/runtime/virtual-clock.js';

/** Probabilities from 0 to 1. */
export interface Weather {
  /** Milliseconds one way, drawn evenly between the two. */
  readonly latencyMs: readonly [number, number];
  /** A request that never arrives, or whose answer is lost: nobody can tell which. */
  readonly requestLost: number;
  readonly answerLost: number;
  readonly frameLost: number;
  readonly frameTwice: number;
  /** A frame that takes up to this much longer, so that others overtake it. */
  readonly frameLate: number;
  readonly frameLateMs: number;
}

export const CALM: Weather = {
  latencyMs: [2, 2],
  requestLost: 0,
  answerLost: 0,
  frameLost: 0,
  frameTwice: 0,
  frameLate: 0,
  frameLateMs: 0,
};

/** Everything goes wrong now and then. */
export const STORM: Weather = {
  latencyMs: [1, 60],
  requestLost: 0.03,
  answerLost: 0.03,
  frameLost: 0.02,
  frameTwice: 0.05,
  frameLate: 0.2,
  frameLateMs: 300,
};

export class Network {
  weather: Weather = CALM;
  readonly #clock: VirtualClock;
  readonly #random: Random;

  constructor(clock: VirtualClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Whether it happens this time. Nothing is drawn for what never happens, so calm runs do not depend on it. */
  happens(probability: number): boolean {
    return probability > 0 && this.#random.uniform() < probability;
  }

  /** Carries something one way. */
  carry(arrive: () => void, extraMs = 0): void {
    const [least, most] = this.weather.latencyMs;
    const ms = most === least ? least : least + this.#random.uniform() * (most - least);
    this.after(ms + extraMs, arrive);
  }

  /** Carries a frame: lost, twice or late as the weather is. */
  frame(arrive: () => void): void {
    const { frameLost, frameTwice, frameLate, frameLateMs } = this.weather;
    if (this.happens(frameLost)) return;
    const copies = this.happens(frameTwice) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++)
      this.carry(arrive, this.happens(frameLate) ? this.#random.uniform() * frameLateMs : 0);
  }

  after(ms: number, run: () => void): () => void {
    return this.#clock.at((this.#clock.now() + Math.round(ms * 1_000)) as Micros, run);
  }
}
