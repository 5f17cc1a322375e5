/** Integral, extremes and time of a step function, without its history. */
export class StepMean {
  #value: number;
  #since: number;
  #startedAt: number;
  #integral = 0;
  #highest: number;
  #lowest: number;

  constructor(at: number, value = 0) {
    this.#startedAt = at;
    this.#since = at;
    this.#value = value;
    this.#highest = value;
    this.#lowest = value;
  }

  /** The value changed. Times do not decrease. */
  set(at: number, value: number): void {
    this.#integral += this.#value * (at - this.#since);
    this.#since = at;
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
    if (value < this.#lowest) this.#lowest = value;
  }

  get value(): number {
    return this.#value;
  }

  get highest(): number {
    return this.#highest;
  }

  get lowest(): number {
    return this.#lowest;
  }

  /** Integral of the value over time, up to `at`. */
  integral(at: number): number {
    return this.#integral + this.#value * (at - this.#since);
  }

  /** Mean over time up to `at`; the value itself when no time has passed. */
  mean(at: number): number {
    return at > this.#startedAt ? this.integral(at) / (at - this.#startedAt) : this.#value;
  }
}
