import type { LimitOrder } from '../../../domain/orders.js';
import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import { LearnedRules, type RefusedPart, type RuleGround } from './learned-rules.js';

/** As much of an order as the venue judges. */
type Terms = Pick<LimitOrder, 'marketId' | 'side' | 'position' | 'price' | 'shares'>;

/** The venue may have changed its mind by then. */
const BARRED = 600_000_000;

/** What was learned of a market, and until when it counts. */
interface Lesson {
  readonly rules: LearnedRules;
  until: number;
}

/**
 * Orders that broke a rule of the venue's which is not ours: each is asked for again after ten minutes at the earliest,
 * for it would be refused again, and so would others for the same amount, number of shares or price. The rest of the
 * market's orders may pass. One refusal every ten minutes keeps alive what was learned, unless an order stands that could
not by then.
 */
export class BarredOrders {
  readonly #until = new Map<string, number>();
  readonly #lessons = new Map<MarketId, Lesson>();
  readonly #reasons = new Map<MarketId, string>();

  /** An order was refused for a reason that nobody can place: it alone is barred. @param reason what the venue said */
  bar(terms: Terms, reason: string, at: Micros): void {
    this.#reasons.set(terms.marketId, reason);
    for (const [key, until] of this.#until) if (until <= at) this.#until.delete(key);
    this.#until.set(keyOf(terms), at + BARRED);
  }

  /** What the venue said last when it refused an order of the market. */
  reasonIn(market: MarketId): string {
    return this.#reasons.get(market) ?? 'a rule of the venue';
  }

  /** An order was refused for a part of it. @returns what is not asked for any more, and until when */
  learn(part: RefusedPart, terms: Terms, ground: RuleGround, reason: string, at: Micros): Learned {
    this.#reasons.set(terms.marketId, reason);
    const known = this.#lessons.get(terms.marketId);
    const isWrong = known !== undefined && ground.taken.some((order) => known.rules.forbids(order));
    const lesson = known === undefined || isWrong ? { rules: new LearnedRules(), until: 0 } : known;
    lesson.until = at + BARRED;
    this.#lessons.set(terms.marketId, lesson);
    return { text: lesson.rules.refused(part, terms, ground), until: lesson.until as Micros };
  }

  /** Whether every order may be asked for, as mostly. */
  get isEmpty(): boolean {
    return this.#until.size === 0 && this.#lessons.size === 0;
  }

  /** @returns until when it is not asked for; null when it may be */
  barredUntil(terms: Terms, at: Micros): Micros | null {
    const lesson = this.#lessons.size === 0 ? undefined : this.#lessons.get(terms.marketId);
    if (lesson !== undefined && at < lesson.until && lesson.rules.forbids(terms))
      return lesson.until as Micros;
    const until = this.#until.size === 0 ? 0 : (this.#until.get(keyOf(terms)) ?? 0);
    return at < until ? (until as Micros) : null;
  }

  /** A person resumed, or rules changed. */
  lift(): void {
    this.#until.clear();
    this.#lessons.clear();
    this.#reasons.clear();
  }
}

/** What a refusal taught. */
export interface Learned {
  readonly text: string;
  readonly until: Micros;
}

const keyOf = ({ marketId, side, position, price, shares }: Terms): string =>
  `${marketId} ${side} ${position} ${price} ${shares}`;
