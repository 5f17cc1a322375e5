/**
 * What a market was quoted on. While nothing of it changes, its strategy is not asked again, and its plan stays as it is.
 * Both would answer the same: a strategy is a function of what it is shown, and a plan of what it is made from.
 */
import type { QuoteIntent, QuoteLevel } from '../../../domain/intent.js';
import type { Money, Shares } from '../../../domain/units.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { ReconcilePolicy } from '../../execution/planning/reconcile.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { ContextWithoutInstance } from '../../strategy/context.js';
import type {
  BookLevelView,
  BookView,
  FairValue,
  InventoryView,
  WorkingQuote,
} from '../../strategy/contract.js';
import type { EngineObserver } from '../observing/observer.js';

/** What a plan rests on. Prices of one's own orders and shares are in the version of the orders. */
export interface PlanBasis {
  /** As guards and limits leave it; null: nothing is wanted. */
  readonly intent: QuoteIntent | null;
  readonly orders: number;
  readonly long: Shares;
  readonly short: Shares;
  readonly touch: Touch;
  /** What orders here may lock. */
  readonly cash: Money;
  readonly terms: MarketTerms;
  readonly policy: ReconcilePolicy;
  /** How far the venue's clock is ahead, by which orders expire. */
  readonly venueAhead: number;
}

/** What a strategy is asked. */
export interface Question {
  readonly shown: ContextWithoutInstance;
  /** See `StrategyInstance.version`. */
  readonly version: number;
}

/** Who looks on is shown every answer and every plan. */
export const isWatched = (observer: EngineObserver | null): boolean =>
  observer?.looked !== undefined || observer?.planned !== undefined;

export const isSameQuestion = (one: Question, other: Question): boolean =>
  one.version === other.version && isSameLook(one.shown, other.shown);

const isSameLook = (one: ContextWithoutInstance, other: ContextWithoutInstance): boolean =>
  one.market === other.market &&
  one.signals === other.signals &&
  one.fills === other.fills &&
  one.trades === other.trades &&
  isSameFair(one.fair, other.fair) &&
  isSameBook(one.book, other.book) &&
  isSameInventory(one.inventory, other.inventory) &&
  areSame(one.working, other.working, isSameQuote);

/** Without its age: a strategy that minds how old a book is says when it wants to be asked. */
const isSameBook = (one: BookView, other: BookView): boolean =>
  areSame(one.bids, other.bids, isSameView) &&
  areSame(one.asks, other.asks, isSameView) &&
  one.hidden.bids === other.hidden.bids &&
  one.hidden.asks === other.hidden.asks;

const isSameView = (one: BookLevelView, other: BookLevelView): boolean =>
  one.price === other.price && one.shares === other.shares;

const isSameFair = (one: FairValue | null, other: FairValue | null): boolean =>
  one === null || other === null
    ? one === other
    : one.p === other.p &&
      one.ageMs === other.ageMs &&
      one.confidence === other.confidence &&
      one.source === other.source;

const isSameInventory = (one: InventoryView, other: InventoryView): boolean =>
  one.long === other.long &&
  one.short === other.short &&
  one.averageLong === other.averageLong &&
  one.averageShort === other.averageShort &&
  one.cashFree === other.cashFree;

const isSameQuote = (one: WorkingQuote, other: WorkingQuote): boolean =>
  one.side === other.side &&
  one.price === other.price &&
  one.shares === other.shares &&
  one.state === other.state;

export const isSameBasis = (one: PlanBasis, other: PlanBasis): boolean =>
  one.orders === other.orders &&
  one.long === other.long &&
  one.short === other.short &&
  one.touch.bid === other.touch.bid &&
  one.touch.ask === other.touch.ask &&
  one.cash === other.cash &&
  one.terms === other.terms &&
  one.policy === other.policy &&
  one.venueAhead === other.venueAhead &&
  isSameIntent(one.intent, other.intent);

const isSameIntent = (one: QuoteIntent | null, other: QuoteIntent | null): boolean =>
  one === null || other === null
    ? one === other
    : areSame(one.bids, other.bids, isSameLevel) && areSame(one.asks, other.asks, isSameLevel);

/** Why a quote has its price changes no plan. */
const isSameLevel = (one: QuoteLevel, other: QuoteLevel): boolean =>
  one.price === other.price && one.shares === other.shares;

const areSame = <T>(
  some: readonly T[],
  others: readonly T[],
  isSame: (one: T, other: T) => boolean,
): boolean => some.length === others.length && some.every((one, at) => isSame(one, others[at]!));
