import type { Effect, SendEffect } from '../../domain/effects.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Answer } from '../../domain/answers.js';
import type { Stamped } from '../../domain/inputs.js';
import type { LimitOrder, OrderReplacement, OrderReport } from '../../domain/orders.js';
import type { EngineObserver, MarketLook, MarketPlan } from '../../core/engine/observing/observer.js';
import type { OrderNews } from '../../core/execution/orders/own-order.js';
import { describeRefusal, type Refusal } from '../../core/risk/index.js';
import {
  type Asked,
  type OrderLine,
  type OrderStory,
  type StoryEvent,
  pricingOf,
  settingOf,
  failureText,
  fillText,
  newsText,
  priceText,
  reportText,
  sizeText,
} from './order-story.js';

/** Which order: the venue's number, or request and item for one that the venue never named. */
export type OrderName =
  | { readonly kind: 'venue'; readonly orderId: OrderId }
  | { readonly kind: 'request'; readonly requestId: number; readonly item: number };

/** What is known of a market at its last plan. */
interface Moment {
  look: MarketLook | null;
  plan: MarketPlan | null;
  refusals: readonly string[];
  /** Of the plan that is being made. */
  newRefusals: string[];
}

/** Orders that the venue has not named are remembered for so many requests. */
const MOST_UNNAMED = 500;

/** Watches an engine and keeps the story of one order. */
export class StoryTeller implements EngineObserver {
  private readonly moments = new Map<MarketId, Moment>();
  /** What was asked for and not named yet, by request. */
  private readonly unnamed = new Map<number, readonly Asked[]>();
  private readonly events: StoryEvent[] = [];
  /** Requests that concern the order. */
  private readonly concerns = new Set<number>();
  private now: Stamped | null = null;
  private isOver = false;
  private told: Asked | null = null;
  private id: OrderId | null;

  /**
   * @param name      null: no order's story, only the list of all
   * @param tickUnits price units per tick of a market
   * @param list      told of every order: when it is asked for, and with its id when the venue has named it
   */
  constructor(
    private readonly name: OrderName | null,
    private readonly tickUnits: (market: MarketId) => number,
    private readonly list: (asked: Asked, orderId: OrderId | null) => void = () => undefined,
  ) {
    this.id = name?.kind === 'venue' ? name.orderId : null;
  }

  /** What is known; null when the order was never met. */
  get story(): OrderStory | null {
    if (this.told === null && this.events.length === 0) return null;
    return { orderId: this.id, asked: this.told, events: this.events };
  }

  took(stamped: Stamped): void {
    this.now = stamped;
    const { input } = stamped;
    if (input.kind === 'answer') this.tellAnswer(input);
    if (input.kind === 'order') this.reported(input.report, input.cancelReason);
  }

  looked(look: MarketLook): void {
    this.momentOf(look.marketId).look = look;
  }

  refused(order: LimitOrder, refusal: Refusal): void {
    this.momentOf(order.marketId).newRefusals.push(`${sizeText(order)}: ${describeRefusal(refusal)}`);
  }

  planned(plan: MarketPlan): void {
    const moment = this.momentOf(plan.marketId);
    moment.plan = plan;
    moment.refusals = moment.newRefusals;
    moment.newRefusals = [];
  }

  did(effects: readonly Effect[]): void {
    for (const effect of effects) if (effect.kind === 'send') this.sent(effect);
  }

  heard(news: readonly OrderNews[]): void {
    for (const item of news) this.passOn(item);
  }

  private sent(effect: SendEffect): void {
    const { request } = effect;
    if (request.kind === 'create-orders')
      this.born(
        effect,
        request.orders.map((order, item) => this.asked(effect, item, order, null)),
      );
    else if (request.kind === 'replace-orders') this.replacing(effect, request.replacements);
    else if (request.kind === 'cancel-orders' && this.id !== null && request.orderIds.includes(this.id))
      this.concerned(effect, `cancel asked for (request ${effect.requestId})`);
    else if (this.told !== null && !this.isOver && this.reaches(effect))
      this.concerned(effect, `everything there is cancelled (request ${effect.requestId})`);
  }

  private reaches({ request }: SendEffect): boolean {
    if (request.kind !== 'cancel-scope') return false;
    return request.scope.kind === 'event' || request.scope.marketId === this.told?.marketId;
  }

  private replacing(effect: SendEffect, replacements: readonly OrderReplacement[]): void {
    const asked = replacements.map((replacement, item) => {
      const planned = this.plannedFor(replacement);
      if (replacement.orderId === this.id)
        this.concerned(
          effect,
          `replacement asked for (request ${effect.requestId}): ${priceText(replacement)}`,
        );
      return planned === null ? null : this.asked(effect, item, planned, replacement.orderId);
    });
    this.born(
      effect,
      asked.filter((one) => one !== null),
    );
  }

  private plannedFor(replacement: OrderReplacement): LimitOrder | null {
    const { plan } = this.momentOf(replacement.place.marketId);
    return plan?.approved.replacements.find(({ item }) => item === replacement)?.to ?? null;
  }

  private asked({ requestId }: SendEffect, item: number, order: LimitOrder, replaces: OrderId | null): Asked {
    const { look, plan, refusals } = this.momentOf(order.marketId);
    const { marketId, position, side, price, shares } = order;
    return {
      at: this.now!.at,
      seq: this.now!.seq,
      input: this.now!.input.kind,
      requestId,
      item,
      marketId,
      position,
      orderSide: side,
      price,
      shares,
      replaces,
      setting: look === null ? null : settingOf(look),
      pricing: plan === null ? null : pricingOf(order, plan, this.tickUnits(marketId), refusals),
    };
  }

  private born({ requestId }: SendEffect, asked: readonly Asked[]): void {
    this.unnamed.set(requestId, asked);
    for (const one of asked) this.list(one, null);
    if (this.name?.kind === 'request' && this.name.requestId === requestId) {
      const { item } = this.name;
      this.adopt(asked.find((one) => one.item === item) ?? null);
    }
    const [oldest] = this.unnamed.keys();
    if (this.unnamed.size > MOST_UNNAMED && oldest !== undefined) this.unnamed.delete(oldest);
  }

  private adopt(asked: Asked | null): void {
    if (asked === null || this.told !== null) return;
    this.told = asked;
    this.concerns.add(asked.requestId);
    this.events.unshift({ at: asked.at, seq: asked.seq, text: `asked for (request ${asked.requestId})` });
  }

  private tellAnswer({ requestId, outcome, sentAt }: Answer): void {
    const asked = this.unnamed.get(requestId) ?? [];
    if (!outcome.ok) {
      if (this.concerns.has(requestId)) this.tell(`request ${requestId}: ${failureText(outcome.failure)}`);
      if (outcome.failure.kind !== 'unknown') this.unnamed.delete(requestId);
      return;
    }
    const { body } = outcome;
    if (body.kind === 'create-orders' || body.kind === 'replace-orders') {
      body.items.forEach((item, index) => {
        const one = asked.find((candidate) => candidate.item === index);
        if (item.ok) this.named(one ?? null, item.value);
        else
          this.turnedDown(one ?? null, `${item.code}${item.detail === undefined ? '' : `: ${item.detail}`}`);
      });
      this.unnamed.delete(requestId);
    }
    if (!this.concerns.has(requestId)) return;
    const after =
      sentAt === null ? '' : `, ${((this.now!.at - sentAt) / 1_000).toFixed(1)} ms after its first byte left`;
    this.tell(`answer to request ${requestId} arrived${after}`);
  }

  private named(asked: Asked | null, report: OrderReport): void {
    if (asked !== null) this.list(asked, report.orderId);
    if (asked !== null && this.isIt(asked)) this.id = report.orderId;
    if (asked?.replaces !== null && asked?.replaces === this.id && this.id !== report.orderId)
      this.tell(`replaced by order ${report.orderId}`);
    if (report.orderId !== this.id) return;
    this.adopt(asked);
    this.tell(`the venue answers: ${reportText(report)}`);
  }

  private turnedDown(asked: Asked | null, why: string): void {
    if (asked === null) return;
    if (this.isIt(asked) || (asked.replaces !== null && asked.replaces === this.id))
      this.tell(`the venue refuses it: ${why}`);
  }

  private isIt({ requestId, item }: Asked): boolean {
    return this.told?.requestId === requestId && this.told.item === item;
  }

  private reported(report: OrderReport, cancelReason: string | null): void {
    if (report.orderId !== this.id) return;
    if (this.told === null) this.adopt(this.askedLike(report));
    const why = cancelReason === null ? '' : `, because: ${cancelReason}`;
    this.tell(`frame: ${reportText(report)}${why}`);
  }

  /** A frame may come before the answer, or the answer was lost: what was asked for in the same words is it. */
  private askedLike(report: OrderReport): Asked | null {
    for (const asked of this.unnamed.values())
      for (const one of asked)
        if (
          one.marketId === report.marketId &&
          one.orderSide === report.side &&
          one.position === report.position &&
          one.price === report.price &&
          one.shares === report.requested
        )
          return one;
    return null;
  }

  private passOn(item: OrderNews): void {
    if (item.kind === 'filled') {
      if (item.fill.orderId === this.id) this.tell(fillText(item.fill));
    } else if (
      item.kind !== 'contradicted' &&
      item.order.orderId !== null &&
      item.order.orderId === this.id
    ) {
      this.isOver ||= item.kind === 'ended';
      this.tell(newsText(item));
    }
  }

  private concerned({ requestId }: SendEffect, text: string): void {
    this.concerns.add(requestId);
    this.tell(text);
  }

  private tell(text: string): void {
    if (this.now !== null) this.events.push({ at: this.now.at, seq: this.now.seq, text });
  }

  private momentOf(market: MarketId): Moment {
    let moment = this.moments.get(market);
    if (moment === undefined)
      this.moments.set(market, (moment = { look: null, plan: null, refusals: [], newRefusals: [] }));
    return moment;
  }
}

/** The order in a list of all. */
export function lineOf(asked: Asked, orderId: OrderId | null): OrderLine {
  const { requestId, item, at, marketId, orderSide, position, price, shares } = asked;
  return { orderId, name: `${requestId}.${item}`, at, marketId, orderSide, position, price, shares };
}
