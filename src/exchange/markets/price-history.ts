import type { Micros } from '../../domain/units.js';
import type { CurrencyMode, TimeInterval } from '../../domain/vocabulary.js';

/** Prices of an event's markets at one time, in display order; 0: no price yet. Half price units. */
export interface PriceSample {
  at: Micros;
  readonly prices: number[];
}

/** A market's published prices; null: none yet. */
interface Priced {
  readonly prices: Readonly<Record<CurrencyMode, number | null>>;
}

const SECOND = 1_000_000;
const MOST_SAMPLES = 20_000;

const LENGTHS: Readonly<Record<TimeInterval, number>> = {
  day: 86_400 * SECOND,
  week: 7 * 86_400 * SECOND,
  month: 30 * 86_400 * SECOND,
  year: 365 * 86_400 * SECOND,
  all_time: Number.POSITIVE_INFINITY,
};

/** Prices of an event over time in one currency mode: the last sample of each second in which one changed. */
export class PriceHistory {
  samples: PriceSample[] = [];

  /** @param most samples kept; beyond it every other sample of the older half is dropped. 0: no history */
  constructor(private readonly most = MOST_SAMPLES) {}

  /** @param markets in display order */
  record(at: Micros, markets: readonly Priced[], mode: CurrencyMode): void {
    if (this.most === 0) return;
    const sample = this.sampleOf(at, markets.length);
    sample.at = at;
    for (let place = 0; place < markets.length; place++) {
      sample.prices[place] = markets[place]?.prices[mode] ?? 0;
    }
  }

  /** Samples of the interval that ends now, preceded by the one in force when it began. */
  within(interval: TimeInterval, now: Micros): readonly PriceSample[] {
    const from = now - LENGTHS[interval];
    const first = this.samples.findIndex(({ at }) => at > from);
    if (first === -1) return this.samples.slice(-1);
    return this.samples.slice(Math.max(first - 1, 0));
  }

  private sampleOf(at: Micros, markets: number): PriceSample {
    const last = this.samples.at(-1);
    if (last !== undefined && sameSecond(last.at, at)) return last;
    if (this.samples.length === this.most) this.thin();
    const sample = { at, prices: Array.from({ length: markets }, () => 0) };
    this.samples.push(sample);
    return sample;
  }

  private thin(): void {
    const half = Math.floor(this.most / 2);
    this.samples = this.samples.filter((_, at) => at >= half || at % 2 === 0);
  }
}

const sameSecond = (a: number, b: number): boolean => Math.floor(a / SECOND) === Math.floor(b / SECOND);
