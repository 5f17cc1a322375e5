import type { SendEffect } from '../domain/effects.js';
import type { MarketId } from '../domain/ids.js';
import type { Answer } from '../domain/inputs.js';
import type { LimitOrder, OrderReport } from '../domain/orders.js';
import type { Micros } from '../domain/units.js';
import type { ApprovedPlan } from './approval.js';
import { type BudgetLimits, RequestBudget } from './budget.js';
import { RequestIds } from './keys.js';
import type { OrderNews } from './order-news.js';
import { OwnOrders, type OwnOrdersOptions } from './own-orders.js';
import { Scheduler, type SchedulerPolicy } from './scheduler.js';

export interface DeskOptions {
  readonly orders: OwnOrdersOptions;
  readonly budget: BudgetLimits;
  readonly scheduler: SchedulerPolicy;
  /** The last check against the newest book, when an order is put into its request. */
  readonly mayStand: (order: LimitOrder) => boolean;
}

/** What an answer brought: about orders, and the markets whose plans are to be made again. */
export interface AnswerNews {
  readonly orders: readonly OrderNews[];
  readonly replan: readonly MarketId[];
}

/**
 * The trading desk: own orders and the schedule of requests, kept in step. The engine tells it what came in, offers
 * plans, and asks once per step what is to leave.
 */
export class Desk {
  readonly orders: OwnOrders;
  readonly scheduler: Scheduler;
  readonly budget: RequestBudget;

  constructor(options: DeskOptions, at: Micros) {
    this.orders = new OwnOrders(options.orders);
    this.budget = new RequestBudget(options.budget, at);
    this.scheduler = new Scheduler(this.budget, new RequestIds(), options.scheduler, options.mayStand);
  }

  offer(plan: ApprovedPlan): void {
    this.scheduler.offer(plan);
  }

  reported(report: OrderReport, at: Micros): readonly OrderNews[] {
    return this.orders.reported(report, at);
  }

  answered(answer: Answer, at: Micros): AnswerNews {
    const { markets } = this.scheduler.answered(answer, at);
    return { orders: this.orders.answered(answer, at), replan: markets };
  }

  /** @returns requests to send now; the orders they are about already count as under way */
  due(at: Micros): readonly SendEffect[] {
    const effects = this.scheduler.due(at);
    for (const effect of effects) this.orders.sent(effect, at);
    return effects;
  }

  /** When {@link due} may have something next; null while nothing waits. */
  nextDue(at: Micros): Micros | null {
    return this.scheduler.nextDue(at);
  }
}
