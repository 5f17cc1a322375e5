import type { MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { LossCaution } from './cautions.js';
import type { RiskLimits } from './limits.js';
import { pooledTo } from './pooled-fills.js';
import type { CountedFill, LossNews, MarkOutCount, WindowNews, Windows } from './windows.js';

/** Fills beyond so many are put together, and counts of markets forgotten, the oldest first. */
const MOST = 10_000;
/** A fill that came due while no bot looked on is judged by the next, unless that is later than this. */
const LATE_MS = 3_600_000;

/** For how long a fill may count under such limits. */
export const fillsCountMs = (limits: readonly Pick<RiskLimits, 'fillBreaker' | 'markOut'>[]): number =>
  Math.max(
    0,
    ...limits.map(({ fillBreaker, markOut }) => Math.max(fillBreaker.windowMs, markOut.horizonMs + LATE_MS)),
  );

/** What may still count of all that guards counted; bounded, whatever is filled. */
export class WindowMemory {
  readonly #keepUs: number;
  #fills: CountedFill[] = [];
  readonly #markOuts = new Map<MarketId, MarkOutCount>();
  #losses: LossNews | null = null;

  /** @param keepMs for how long a fill may count: {@link fillsCountMs} */
  constructor(keepMs: number) {
    this.#keepUs = keepMs * 1_000;
  }

  note(news: WindowNews): void {
    if (news.kind === 'fill') this.#filled(news.fill);
    else if (news.kind === 'mark-out') this.#judged(news.count);
    else if (news.kind === 'losses') this.#losses = news;
    else this.#forget();
  }

  /** What counts at this moment. */
  windows(now: Micros): Pick<Windows, 'fills' | 'markOuts'> {
    this.#fills = this.#fills.filter(({ at }) => at > now - this.#keepUs);
    return { fills: [...this.#fills], markOuts: [...this.#markOuts.values()] };
  }

  /** What is lost where this much was written down. */
  lossesSince(noted: readonly LossCaution[]): readonly LossCaution[] {
    const news = this.#losses;
    return news !== null && JSON.stringify(news.noted) === JSON.stringify(noted) ? news.losses : noted;
  }

  /** The same as news: noting them gives the same. */
  news(now: Micros): readonly WindowNews[] {
    const { fills, markOuts } = this.windows(now);
    return [
      ...fills.map((fill): WindowNews => ({ kind: 'fill', fill })),
      ...markOuts.map((count): WindowNews => ({ kind: 'mark-out', count })),
      ...(this.#losses === null ? [] : [this.#losses]),
    ];
  }

  /** Twice as many before anything is done: doing it looks at all the others. */
  #filled(fill: CountedFill): void {
    if (this.#fills.push(fill) <= 2 * MOST) return;
    const fills = this.#fills.filter(({ at }) => at > fill.at - this.#keepUs);
    const isJudged = ({ marketId, at }: CountedFill): boolean =>
      at <= (this.#markOuts.get(marketId)?.through ?? -Infinity);
    this.#fills = pooledTo(MOST, fills, { isJudged, keepUs: this.#keepUs });
  }

  #judged(count: MarkOutCount): void {
    this.#markOuts.delete(count.marketId);
    this.#markOuts.set(count.marketId, count);
    const [oldest] = this.#markOuts.keys();
    if (this.#markOuts.size > MOST && oldest !== undefined) this.#markOuts.delete(oldest);
  }

  #forget(): void {
    this.#fills = [];
    this.#markOuts.clear();
    this.#losses = null;
  }
}
