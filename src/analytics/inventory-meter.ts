import { type Shares, SHARE_ONE } from '../domain/units.js';
import type { InventoryFigures } from './analysis.js';
import { StepMean } from './step-mean.js';

const SAMPLE_MICROS = 1_000_000;
/** So often it has to have gone up, and down, for its way back to be told from its way there. */
const LEAST_TURNS = 5;

/**
 * Net shares of one market over time: extremes, means, and how fast it reverts. The half-life is -dt ln 2 / ln phi of
 * a first-order autoregression of the net shares, sampled each second (market-making formulas, "Analytics"), until the
 * market resolves: a payout takes away what nothing reverted. Of what went up or down fewer than five times there is none:
 * least squares finds one for a single fill that was held to the end.
 */
export class InventoryMeter {
  readonly #net: StepMean;
  readonly #absolute: StepMean;
  readonly #decay = new Autoregression();
  #sampledAt: number;
  #isOver = false;

  constructor(at: number) {
    this.#net = new StepMean(at);
    this.#absolute = new StepMean(at);
    this.#sampledAt = at;
  }

  set(at: number, net: Shares): void {
    this.#sampleUntil(at);
    this.#net.set(at, net);
    this.#absolute.set(at, Math.abs(net));
  }

  /** The market has resolved; what it pays out comes after this. */
  close(at: number): void {
    this.#sampleUntil(at);
    this.#isOver = true;
  }

  /** The resolution was taken back; what it gave back came before this. */
  reopen(at: number): void {
    this.#sampledAt = at;
    this.#isOver = false;
  }

  figures(at: number): InventoryFigures {
    this.#sampleUntil(at);
    const phi = this.#decay.phi();
    return {
      highest: this.#net.highest / SHARE_ONE,
      lowest: this.#net.lowest / SHARE_ONE,
      last: this.#net.value / SHARE_ONE,
      meanAbsolute: this.#absolute.mean(at) / SHARE_ONE,
      halfLifeSeconds: phi !== null && phi > 0 && phi < 1 ? -Math.LN2 / Math.log(phi) : null,
    };
  }

  /** The samples before `at` all see the value that held so far. */
  #sampleUntil(at: number): void {
    if (this.#isOver) return;
    const samples = Math.max(0, Math.ceil((at - this.#sampledAt) / SAMPLE_MICROS));
    if (samples === 0) return;
    this.#decay.sample(this.#net.value / SHARE_ONE, samples);
    this.#sampledAt += samples * SAMPLE_MICROS;
  }
}

/** Least squares of x[t+1] = a + phi x[t], without its history. */
class Autoregression {
  #last: number | null = null;
  #pairs = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #xy = 0;
  #rises = 0;
  #falls = 0;

  /** The same value, several times. */
  sample(value: number, times: number): void {
    if (this.#last !== null) this.#pair(this.#last, value, 1);
    if (times > 1) this.#pair(value, value, times - 1);
    if (this.#last !== null && value > this.#last) this.#rises += 1;
    if (this.#last !== null && value < this.#last) this.#falls += 1;
    this.#last = value;
  }

  /** Null while too little moved, either way. */
  phi(): number | null {
    if (Math.min(this.#rises, this.#falls) < LEAST_TURNS) return null;
    const variance = this.#pairs * this.#xx - this.#x * this.#x;
    return variance > 0 ? (this.#pairs * this.#xy - this.#x * this.#y) / variance : null;
  }

  #pair(x: number, y: number, times: number): void {
    this.#pairs += times;
    this.#x += x * times;
    this.#y += y * times;
    this.#xx += x * x * times;
    this.#xy += x * y * times;
  }
}
