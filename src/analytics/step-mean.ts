/** Integral, extremes and time of a step function, without its history. A value that was replaced at once never held. */
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
    if (at > this.#since) this.#held();
    this.#integral += this.#value * (at - this.#since);
    this.#since = at;
    this.#value = value;
  }

  get value(): number {
    return this.#value;
  }

  get highest(): number {
    return Math.max(this.#highest, this.#value);
  }

  get lowest(): number {
    return Math.min(this.#lowest, this.#value);
  }

  /** Integral of the value over time, up to `at`. */
  integral(at: number): number {
    return this.#integral + this.#value * (at - this.#since);
  }

  /** Mean over time up to `at`; the value itself when no time has passed. */
  mean(at: number): number {
    return at > this.#startedAt ? this.integral(at) / (at - this.#startedAt) : this.#value;
  }

  #held(): void {
    if (this.#value > this.#highest) this.#highest = this.#value;
    if (this.#value < this.#lowest) this.#lowest = this.#value;
  }
}
