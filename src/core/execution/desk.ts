import type { SendEffect } from '../../domain/effects.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Answer } from '../../domain/answers.js';
import type { OrderReport } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';
import type { RequestProfile } from '../../venues/port.js';
import type { ApprovedPlan } from './planning/plan.js';
import { type BudgetLimits, RequestBudget, type Spending } from './sending/budget.js';
import { callsToWithdraw, endsPages } from './sending/request-cost.js';
import { RequestIds } from './sending/sent-requests.js';
import type { OrderNews, OwnOrder } from './orders/own-order.js';
import type { PaceOf } from './sending/order-pace.js';
import type { TouchOf } from './sending/packing.js';
import { OwnOrders, type OwnOrdersOptions } from './orders/own-orders.js';
import { type Reaction, reactionTo, reactionToRefusal } from './reactions.js';
import { Scheduler, type SchedulerPolicy } from './sending/scheduler.js';
import { Silence } from '../mirror/silence.js';
import { Settlement, type SettlementOptions, type SettlementPolicy } from './settlement.js';
import { Withdrawal, type WithdrawalPolicy } from './withdrawal.js';

export interface DeskOptions {
  readonly orders: OwnOrdersOptions;
  readonly budget: BudgetLimits;
  /** What the run before spent; null for nothing. */
  readonly spending: Spending | null;
  /** Calls under our key that left before the schedule existed. */
  readonly callsBefore: number;
  /** Microseconds that the venue's clock is ahead of ours, as known at the start. */
  readonly venueAhead: number;
  readonly venue: RequestProfile;
  readonly scheduler: SchedulerPolicy;
  readonly settlement: Omit<SettlementPolicy, 'clockWindowMs'>;
  /** Left out: routine listings always go on. */
  readonly silence?: Silence;
  readonly venueTime: SettlementOptions['venueTime'];
  readonly withdrawal: WithdrawalPolicy;
  readonly touchOf: TouchOf;
  /** How fast creates and updates of a market may leave; left out: without a limit of their own. */
  readonly paceOf?: PaceOf;
  /** Events with a disabled market. */
  readonly disabledIn: () => readonly EventId[];
  /** Does the still desired order pass today's collar and crossing check? Asked before it is sent again. */
  readonly mayReplay: (order: OwnOrder) => boolean;
}

/** A refusal by the venue and the reaction to it. The desk has paused and queued reads; the engine does the rest. */
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
 * Keeps own orders, their settlement and the schedule of requests in step. The engine tells the desk what came in,
 * offers plans, and asks once per step what is to leave.
 */
export class Desk {
  readonly orders: OwnOrders;
  readonly scheduler: Scheduler;
  readonly budget: RequestBudget;
  readonly settlement: Settlement;
  readonly withdrawal: Withdrawal;
  readonly #venue: RequestProfile;
  readonly #tradedMarket: OwnOrdersOptions['tradedMarket'];
  readonly #disabledIn: DeskOptions['disabledIn'];
  /** How far the venue's clock is ahead, by the last answer. */
  #venueAhead: number;
  /** Per market the orders that the newest plan does not want. */
  readonly #unwanted = new Map<MarketId, readonly OwnOrder[]>();

  constructor(options: DeskOptions, at: Micros) {
    const { tradedMarket, clockWindowMs } = options.orders;
    this.#venue = options.venue;
    this.#tradedMarket = tradedMarket;
    this.#disabledIn = options.disabledIn;
    this.#venueAhead = options.venueAhead;
    this.orders = new OwnOrders(options.orders);
    this.budget = new RequestBudget(options.budget, at, options.spending);
    this.budget.spend(at, options.callsBefore);
    this.scheduler = new Scheduler(
      this.budget,
      new RequestIds(),
      options.venue,
      options.scheduler,
      options.touchOf,
      options.paceOf,
    );
    const mayReplay = (order: OwnOrder): boolean =>
      this.withdrawal.state === 'idle' && this.#isWanted(order) && options.mayReplay(order);
    const { venueTime } = options;
    const { replayMaxAgeMs, ...settlement } = options.settlement;
    const youngest = Math.min(replayMaxAgeMs, options.venue.orders.retriedWithinMs);
    const { cancelScopes } = options.venue;
    const settling = {
      ...settlement,
      silence: options.silence ?? new Silence(),
      replayMaxAgeMs: youngest,
      clockWindowMs,
      tradedMarket,
      venueTime,
      mayReplay,
      cancelScopes,
    };
    this.settlement = new Settlement(this.orders, this.scheduler, settling);
    const leaving = { ...options.withdrawal, clockWindowMs };
    this.withdrawal = new Withdrawal(this.orders, this.scheduler, tradedMarket, leaving, options.venue);
  }

  /** Takes the newest plan of a market. @returns false while everything is being withdrawn */
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

  /** Takes the open orders of a listing whose further pages are still to come. */
  answeredInPart(answer: Answer, at: Micros): readonly OrderNews[] {
    this.#keepTime(answer);
    return this.orders.answered(answer, at);
  }

  /**
   * Lists the orders, for frames may have been missed, and lifts pauses. The private channel was authorised over REST, a
   * request outside the schedule.
   */
  reconnected(at: Micros): void {
    this.budget.spend(at);
    this.settlement.resync(at);
    this.orders.privateFeed.reset();
    this.scheduler.pauses.lift();
  }

  /** The venue refused the private channel and is asked once more, outside the schedule. */
  refusedToJoin(at: Micros): void {
    this.budget.spend(at);
  }

  /**
   * Has the private channel fallen silent although orders were accepted? Fills may go unheard: orders are listed at
   * once, and nothing should be quoted meanwhile.
   */
  isPrivateFeedSilent(at: Micros): boolean {
    const { privateFeed } = this.orders;
    const isNew = at >= privateFeed.dueAt();
    const isSilent = privateFeed.isSilent(at);
    if (isNew && isSilent) this.settlement.resync(at);
    return isSilent;
  }

  /** Accepts no more plans, cancels everything of ours and asks until it is proved gone. */
  withdraw(at: Micros): void {
    this.withdrawal.begin(at);
  }

  /** @returns requests to send now; {@link sent} must follow before anything else is asked or told */
  due(at: Micros): readonly SendEffect[] {
    this.isPrivateFeedSilent(at);
    this.withdrawal.review(at);
    this.settlement.review(at);
    this.budget.withdrawalReserve = callsToWithdraw(this.orders.count, this.#venue);
    return this.scheduler.due(at).map((effect) => this.#informed(effect));
  }

  /** The requests leave: their orders count as under way from now on. */
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
   * Corrects the times of requests when our clock was set. The venue's clock decides until when a signed request can
   * take effect.
   */
  #keepTime({ venueAhead = 0 }: Answer): void {
    const later = this.#venueAhead - venueAhead;
    if (later === 0) return;
    this.#venueAhead = venueAhead;
    this.orders.clockSet(later);
    this.withdrawal.clockSet(later);
  }

  /** A read with what the venue's client has to know for it. */
  #informed(effect: SendEffect): SendEffect {
    const { kind } = effect.request;
    if (kind === 'read-holdings') {
      const disabledIn = this.#disabledIn();
      return disabledIn.length === 0 ? effect : { ...effect, request: { kind, disabledIn } };
    }
    if (kind !== 'read-orders') return effect;
    const pages = endsPages(this.#venue.calls, this.budget.spare('read'));
    return { ...effect, request: { kind, known: { places: this.orders.places, pages } } };
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
        const reaction = failure === null ? reactionTo(item.means) : reactionToRefusal(failure);
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

/** Notes one refusal per code and market, or per code if it concerns the account. */
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
