import type { QuoteIntent } from '../../../domain/intent.js';
import type { Shares } from '../../../domain/units.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { Stance } from '../../risk/stance.js';
import { temper } from '../../risk/temper.js';

/** What a plan is made from, as far as it can change while the same orders stand. */
export interface PlanGround {
  readonly intent: QuoteIntent;
  readonly terms: MarketTerms;
  /** Shares held per position. */
  readonly long: Shares;
  readonly short: Shares;
  readonly touch: Touch;
}

/** What the strategy wants, what the guards say to it, and what else a plan rests on. */
export interface GroundSource extends PlanGround {
  readonly stance: Stance;
}

/** Tempers intents. Most looks find everything as it was, and then the ground of the one before serves again. */
export class TemperedGround {
  #source: GroundSource | null = null;
  #ground: PlanGround | null = null;

  /** @returns the same object as long as nothing of it has changed */
  of(source: GroundSource): PlanGround {
    if (this.#ground === null || this.#source === null || !isSame(this.#source, source)) {
      const { intent, stance, terms, long, short, touch } = source;
      const net = (long - short) as Shares;
      const tempered = temper(intent, stance, { tickUnits: terms.tickUnits, net });
      this.#ground = { intent: tempered, terms, long, short, touch };
      // A copy: what is asked about is never kept, so that asking takes no memory.
      this.#source = { intent, stance, terms, long, short, touch };
    }
    return this.#ground;
  }
}

const isSame = (before: GroundSource, now: GroundSource): boolean =>
  before.intent === now.intent &&
  before.stance === now.stance &&
  before.touch === now.touch &&
  before.long === now.long &&
  before.short === now.short &&
  before.terms === now.terms;
