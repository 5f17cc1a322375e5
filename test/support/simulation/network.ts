/** The way between bot and venue in virtual time: how long each message takes, and what becomes of it, by seed. */
import type { Micros } from '../../../src/domain/units.js';
import type { Random } from '../../../src/core/ports/random.js';
import type { VirtualClock } from '../clocks/virtual-clock.js';

/** Probabilities from 0 to 1. */
export interface Weather {
  /** Milliseconds one way, drawn evenly between the two. */
  readonly latencyMs: readonly [number, number];
  /** A request that never arrives, or whose answer is lost: nobody can tell which. */
  readonly requestLost: number;
  readonly answerLost: number;
  /** The connection breaks before the request arrives, or after it took effect: the bot hears of it at once. */
  readonly requestReset: number;
  readonly answerReset: number;
  /** A request that arrives once more, as after a proxy that tries again. */
  readonly requestTwice: number;
  /** A request or an answer that takes up to this much longer, so that others overtake it. */
  readonly requestLate: number;
  readonly requestLateMs: number;
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
  requestReset: 0,
  answerReset: 0,
  requestTwice: 0,
  requestLate: 0,
  requestLateMs: 0,
  frameLost: 0,
  frameTwice: 0,
  frameLate: 0,
  frameLateMs: 0,
};

/** Everything goes wrong now and then. */
export const STORM: Weather = {
  ...CALM,
  latencyMs: [1, 60],
  requestLost: 0.03,
  answerLost: 0.03,
  frameLost: 0.02,
  frameTwice: 0.05,
  frameLate: 0.2,
  frameLateMs: 300,
};

/** What of the weather can happen to a message. */
export type Mishap = Exclude<keyof Weather, 'latencyMs' | 'requestLateMs' | 'frameLateMs'>;

export class Network {
  weather: Weather = CALM;
  /** How often each mishap happened. */
  readonly mishaps = new Map<Mishap, number>();
  readonly #clock: VirtualClock;
  readonly #random: Random;

  constructor(clock: VirtualClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Whether it happens this time. Nothing is drawn for what never happens, so calm runs do not depend on it. */
  strikes(mishap: Mishap): boolean {
    const probability = this.weather[mishap];
    if (probability === 0 || this.#random.uniform() >= probability) return false;
    this.mishaps.set(mishap, (this.mishaps.get(mishap) ?? 0) + 1);
    return true;
  }

  /** Carries something one way. */
  carry(arrive: () => void, extraMs = 0): void {
    const [least, most] = this.weather.latencyMs;
    const ms = most === least ? least : least + this.#random.uniform() * (most - least);
    this.after(ms + extraMs, arrive);
  }

  /** Carries a request or an answer: in time or late as the weather is. */
  letter(arrive: () => void, extraMs = 0): void {
    const lateMs = this.strikes('requestLate') ? this.#random.uniform() * this.weather.requestLateMs : 0;
    this.carry(arrive, extraMs + lateMs);
  }

  /** Carries a frame: lost, twice or late as the weather is. */
  frame(arrive: () => void): void {
    if (this.strikes('frameLost')) return;
    const copies = this.strikes('frameTwice') ? 2 : 1;
    for (let copy = 0; copy < copies; copy++)
      this.carry(arrive, this.strikes('frameLate') ? this.#random.uniform() * this.weather.frameLateMs : 0);
  }

  after(ms: number, run: () => void): () => void {
    return this.#clock.at((this.#clock.now() + Math.round(ms * 1_000)) as Micros, run);
  }
}
