import type { SendEffect } from '../../domain/effects.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import { MarketTable } from '../../domain/market-table.js';
import type { Answer } from '../../domain/answers.js';
import type { MissedOrders, OrderReport } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';
import type { ApprovedPlan } from './planning/plan.js';
import { type BudgetLimits, RequestBudget, type Spending } from './sending/budget.js';
import { endsCalls } from './sending/request-cost.js';
import { RequestIds } from './sending/sent-requests.js';
import type { OrderNews, OwnOrder } from './orders/own-order.js';
import type { TouchOf } from './sending/packing.js';
import { OwnOrders, type OwnOrdersOptions } from './orders/own-orders.js';
import { type Reaction, reactionTo, reactionToRefusal } from './reactions.js';
import { Scheduler, type SchedulerPolicy } from './sending/scheduler.js';
import { Settlement, type SettlementOptions, type SettlementPolicy } from './settlement.js';
import { type ExclusiveScope, Withdrawal, type WithdrawalPolicy } from './withdrawal.js';

export interface DeskOptions {
  readonly orders: OwnOrdersOptions;
  readonly budget: BudgetLimits;
  /** What the run before used of it; null: nothing. */
  readonly spending: Spending | null;
  /** Calls of this run that left before there was a schedule: whose keys these are (specification 4.1). */
  readonly callsBefore: number;
  /** Microseconds that the venue's clock is ahead of ours, as known at the start. */
  readonly venueAhead: number;
  readonly scheduler: SchedulerPolicy;
  readonly settlement: Omit<SettlementPolicy, 'clockWindowMs'>;
  readonly venueTime: SettlementOptions['venueTime'];
  readonly withdrawal: WithdrawalPolicy;
  readonly touchOf: TouchOf;
  /** Does an order that is still desired pass today's collar and crossing check? Asked before it is sent again. */
  readonly mayReplay: (order: OwnOrder) => boolean;
}

/** A refusal by the venue and what it asks for. The desk has paused and queued reads; the rest is the engine's. */
export interface Refused {
  readonly code: string;
  /** The venue's words on it, for people. */
  readonly detail?: string | undefined;
  readonly reaction: Reaction;
  /** Null when it concerns the account. */
  readonly marketId: MarketId | null;
}

/** What an answer brought. */
export interface AnswerNews {
  readonly orders: readonly OrderNews[];
  readonly refused: readonly Refused[];
  /** Markets whose plans are to be made again. */
  readonly replan: readonly MarketId[];
}

/**
 * The trading desk: own orders, what is in doubt about them, and the schedule of requests, kept in step. The engine
 * tells it what came in, offers plans, and asks once per step what is to leave.
 */
export class Desk {
  readonly orders: OwnOrders;
  readonly scheduler: Scheduler;
  readonly budget: RequestBudget;
  readonly settlement: Settlement;
  readonly withdrawal: Withdrawal;
  readonly #tradedMarket: OwnOrdersOptions['tradedMarket'];
  /** As the last answer told it: by this the times of requests are those of our clock. */
  #venueAhead: number;
  /** Per market what the newest plan has no use for. */
  readonly #unwanted = new MarketTable<readonly OwnOrder[]>();

  constructor(options: DeskOptions, at: Micros) {
    const { tradedMarket, clockWindowMs } = options.orders;
    this.#tradedMarket = tradedMarket;
    this.#venueAhead = options.venueAhead;
    this.orders = new OwnOrders(options.orders);
    this.budget = new RequestBudget(options.budget, at, options.spending);
    this.budget.spend(at, options.callsBefore);
    this.scheduler = new Scheduler(this.budget, new RequestIds(), options.scheduler, options.touchOf);
    const mayReplay = (order: OwnOrder): boolean =>
      this.withdrawal.state === 'idle' && this.#isWanted(order) && options.mayReplay(order);
    const { venueTime } = options;
    const settling = { ...options.settlement, clockWindowMs, tradedMarket, venueTime, mayReplay };
    this.settlement = new Settlement(this.orders, this.scheduler, settling);
    const leaving = { ...options.withdrawal, clockWindowMs };
    this.withdrawal = new Withdrawal(this.orders, this.scheduler, tradedMarket, leaving);
  }

  /** Orders known now that a listing has missed, and the pages that the budget has for them. Changes nothing. */
  missedBy(shown: ReadonlySet<OrderId>, begunAt: Micros): MissedOrders | null {
    const missed = this.orders.missedBy(shown, begunAt);
    return missed === null ? null : { ...missed, pages: endsCalls(this.budget.spare('read')) };
  }

  /** The newest plan of a market. @returns whether it was taken: nothing is while everything is being withdrawn */
  offer(plan: ApprovedPlan): boolean {
    if (this.withdrawal.state !== 'idle') return false;
    this.#unwanted.set(plan.marketId, plan.unwanted);
    this.scheduler.offer(plan);
    return true;
  }

  /** The venue spoke of an order in a frame. */
  reported(report: OrderReport, at: Micros): readonly OrderNews[] {
    return this.orders.reported(report, at);
  }

  /** The answer to any request of ours. */
  answered(answer: Answer, at: Micros): AnswerNews {
    this.#keepTime(answer);
    const replan = this.scheduler.answered(answer, at);
    if (replan.length > 0) this.withdrawal.traded(at);
    const orders = this.orders.answered(answer, at);
    this.#listed(answer, at);
    this.settlement.answered(at);
    return { orders, refused: this.#react(answer, orders, at), replan };
  }

  /** What works was listed, and the rest of the answer follows. */
  answeredInPart(answer: Answer, at: Micros): readonly OrderNews[] {
    this.#keepTime(answer);
    return this.orders.answered(answer, at);
  }

  /**
   * Frames may have been missed, so orders are listed; and what failed while the venue was away may be tried again. The
   * private channel was authorised over REST (specification 4.17), a request that no schedule held back.
   */
  reconnected(at: Micros): void {
    this.budget.spend(at);
    this.settlement.resync(at);
    this.orders.privateFeed.reset();
    this.scheduler.pauses.lift();
  }

  /** The venue would not let us join: it is asked once more, by a request that no schedule holds back either. */
  refusedToJoin(at: Micros): void {
    this.budget.spend(at);
  }

  /**
   * Has the private channel fallen silent although orders were accepted? Fills may go unheard: orders are listed at
   * once, and nothing should be quoted until this is over.
   */
  isPrivateFeedSilent(at: Micros): boolean {
    const { privateFeed } = this.orders;
    const isNew = at >= privateFeed.dueAt();
    const isSilent = privateFeed.isSilent(at);
    if (isNew && isSilent) this.settlement.resync(at);
    return isSilent;
  }

  /** Whether {@link due} has nothing to look at before the date that {@link nextDue} tells. */
  get isCalm(): boolean {
    return this.withdrawal.state === 'idle' && this.settlement.isCalm && this.orders.privateFeed.areHeard;
  }

  /** Closes the gate for plans, cancels everything of ours and asks until it is proved gone. */
  withdraw(scopes: readonly ExclusiveScope[], at: Micros): void {
    this.withdrawal.begin(scopes, at);
  }

  /** @returns requests to send now; {@link sent} is to follow before anything else is asked or told */
  due(at: Micros): readonly SendEffect[] {
    this.isPrivateFeedSilent(at);
    this.withdrawal.review(at);
    this.settlement.review(at);
    return this.scheduler.due(at);
  }

  /** These leave: the orders they are about count as under way from now on. */
  sent(effects: readonly SendEffect[], at: Micros): void {
    for (let index = 0; index < effects.length; index++) this.orders.sent(effects[index]!, at);
  }

  /** When {@link due} may have something next; null while only an answer can bring it. */
  nextDue(at: Micros): Micros | null {
    const scheduled = this.scheduler.nextDue(at) ?? Infinity;
    const { settlement, withdrawal, orders } = this;
    const next = Math.min(scheduled, settlement.nextDue(), withdrawal.nextDue(), orders.privateFeed.dueAt());
    return next === Infinity ? null : (next as Micros);
  }

  /**
   * Our clock was set, or turns out to be wrong. Until when a request may take effect the venue's clock says, with whose
   * time it was signed: by ours that is another time now.
   */
  #keepTime({ venueAhead = 0 }: Answer): void {
    const later = this.#venueAhead - venueAhead;
    if (later === 0) return;
    this.#venueAhead = venueAhead;
    this.orders.clockSet(later);
    this.withdrawal.clockSet(later);
  }

  #isWanted(order: OwnOrder): boolean {
    const unwanted = this.#unwanted.get(order.marketId);
    return unwanted !== undefined && !unwanted.includes(order);
  }

  #listed({ outcome, sentAt }: Answer, at: Micros): void {
    if (!outcome.ok || outcome.body.kind !== 'read-orders' || sentAt === null) return;
    if (outcome.body.ended === 'unread') this.settlement.listedInPart(at);
    else this.settlement.listed(sentAt, at);
    this.withdrawal.listed(outcome.body.orders, sentAt, at);
  }

  #react({ outcome }: Answer, news: readonly OrderNews[], at: Micros): readonly Refused[] {
    const failure = outcome.ok || outcome.failure.kind !== 'refused' ? null : outcome.failure;
    const refused = new Map<string, Refused>();
    if (failure !== null) note(refused, failure, reactionToRefusal(failure), null);
    for (const item of news)
      if (item.kind === 'refused') {
        const reaction = failure === null ? reactionTo(item.code) : reactionToRefusal(failure);
        note(refused, item, reaction, item.order.marketId);
      }
    for (const refusal of refused.values()) this.#apply(refusal, at);
    return [...refused.values()];
  }

  #apply({ reaction, marketId }: Refused, at: Micros): void {
    if (marketId === null) this.scheduler.pauses.pauseEveryone(reaction.pauseMs, at);
    else this.scheduler.pauses.failed(marketId, reaction.pauseMs, at);
    if (reaction.kind === 'list-orders') this.scheduler.read({ kind: 'read-orders' });
    if (reaction.kind === 'read-balances') this.scheduler.read({ kind: 'read-balances' });
    const tradedMarket = marketId === null ? null : this.#tradedMarket(marketId);
    if (reaction.kind === 'read-event' && tradedMarket !== null)
      this.scheduler.read({ kind: 'read-event', eventId: tradedMarket.eventId });
  }
}

/** One entry per code and market; what concerns the account is noted once for all markets. */
function note(
  refused: Map<string, Refused>,
  { code, detail }: Pick<Refused, 'code' | 'detail'>,
  reaction: Reaction,
  market: MarketId | null,
): void {
  const marketId = reaction.reach === 'account' ? null : market;
  if (reaction.reach === 'market' && market === null) return;
  refused.set(`${code} ${marketId ?? ''}`, { code, detail, reaction, marketId });
}
