/** What an onlooker may see of a running engine: nothing is made for one while there is none. */
import type { RunObserver } from '../../../analytics/observer.js';
import type { Effect } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import type { Stamped } from '../../../domain/inputs.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import type { HoldingReport, LimitOrder } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { ApprovedPlan, Plan } from '../../execution/planning/plan.js';
import type { Unrouted } from '../../execution/planning/legs.js';
import type { OrderNews } from '../../execution/orders/own-order.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { Refusal, WindowNews } from '../../risk/index.js';
import type { ContextWithoutInstance } from '../../strategy/context.js';
import type { QuotingInstance } from '../options.js';

/** A market was looked at: all that its strategy was shown, or would have been while something speaks against quoting. */
export interface MarketLook {
  readonly marketId: MarketId;
  readonly owner: QuotingInstance;
  readonly context: ContextWithoutInstance;
  /** Why the strategy was not asked; null when it was. */
  readonly halt: string | null;
}

/** From what a strategy wants to what may be sent, for one market. */
export interface MarketPlan {
  readonly marketId: MarketId;
  readonly intent: QuoteIntent | null;
  /** Best foreign prices: levels that would take were moved just behind them. */
  readonly touch: Touch;
  readonly desired: readonly LimitOrder[];
  readonly unrouted: readonly Unrouted[];
  /** Before the gate. */
  readonly plan: Plan;
  /** Behind it; what it refused was told before. */
  readonly approved: ApprovedPlan;
}

/** What the engine itself knows of what the analysis of a run hears; the rest is the venue's side to tell. */
type EngineNews = Omit<RunObserver, 'queued' | 'traded'>;

/**
 * Looks on from outside: must change nothing of what it is shown, and must not throw. Whoever records a run, compares
 * two or explains an order is one.
 */
export interface EngineObserver extends Partial<EngineNews> {
  /** An input, before anything is done with it. */
  took?(stamped: Stamped): void;
  /** What a message brought about own orders, fills among it. */
  heard?(news: readonly OrderNews[]): void;
  looked?(look: MarketLook): void;
  /** The gate refused an order, or the replacement of one. It belongs to the plan that is told next. */
  refused?(order: LimitOrder, refusal: Refusal): void;
  planned?(plan: MarketPlan): void;
  /** Something counts in the guards' windows from now on. */
  counted?(news: WindowNews): void;
  /**
   * What the venue says that was held before the run, in its currency; what is not listed was not.
   * @param markets of which this is told, by a run that trades a part of an account; null: of all
   */
  opened?(holdings: readonly HoldingReport[], at: Micros, markets: readonly MarketId[] | null): void;
  /** One line of the chain of decisions (`engine/observing/decision-chain.ts`). */
  decided?(line: string): void;
  /** What came of the inputs that were taken since, mostly one. */
  did?(effects: readonly Effect[]): void;
}

/** Every kind of news, so that one which is forgotten here does not compile. */
const KINDS: Readonly<Record<keyof EngineObserver, true>> = {
  took: true,
  heard: true,
  looked: true,
  refused: true,
  planned: true,
  counted: true,
  opened: true,
  decided: true,
  did: true,
  described: true,
  book: true,
  standing: true,
  filled: true,
  volume: true,
  transferred: true,
  stopped: true,
  held: true,
  resolved: true,
  reversed: true,
  requested: true,
  answered: true,
  joined: true,
  exposed: true,
};

type Teller = (...news: unknown[]) => void;

/**
 * One observer that tells several, in this order. It hears only what one of them hears, so that nothing is made for
 * nobody.
 */
export function severalObservers(observers: readonly EngineObserver[]): EngineObserver {
  const together: Partial<Record<keyof EngineObserver, Teller>> = {};
  for (const kind of Object.keys(KINDS) as (keyof EngineObserver)[]) {
    const tellers = observers.flatMap((observer) => tellerOf(observer, kind) ?? []);
    if (tellers.length > 0) together[kind] = (...news) => tellers.forEach((tell) => tell(...news));
  }
  return together;
}

const tellerOf = (observer: EngineObserver, kind: keyof EngineObserver): Teller | undefined =>
  (observer[kind] as Teller | undefined)?.bind(observer);
