/** How far what a queue model believes lies from what trades prove of the shares ahead of our orders. */
import type { MarketId, OrderId } from '../../domain/ids.js';
import { aheadAfter, type QueueModel } from '../../venues/simulated/models/queue.js';
import type { InferredPrint } from '../../venues/simulated/models/inferred-prints.js';
import type { BookChange, OthersLevel, TapedOrderNews, TapedOrder } from '../../storage/index.js';

/** What one order has proved, per model in their order. Share units. */
export interface QueueEvidence {
  /** Others ahead when it joined: all that its level showed. */
  readonly joined: number;
  observations: number;
  /** Distances between belief and proof. */
  readonly distance: Float64Array;
  /** The same with their signs: more than zero where the model saw too many ahead. */
  readonly excess: Float64Array;
}

interface Queued {
  readonly order: TapedOrder;
  readonly evidence: QueueEvidence;
  /** Per model. */
  readonly ahead: Float64Array;
  filled: number;
  isOver: boolean;
}

interface Level {
  before: number;
  readonly queue: Queued[];
}

/**
 * Follows real orders. A print that met an order of ours and left some of it shows exactly how many stood ahead; one
 * that passed its level without reaching it shows that at least so many did; one that took all of it, that no more did
 * than traded there. What is proved is taken over, so that each proof is judged by itself.
 */
export class QueueWatch {
  /** Of orders that have proved something. */
  readonly evidence: QueueEvidence[] = [];
  readonly #levels = new Map<string, Level>();
  readonly #orders = new Map<OrderId, Queued>();
  readonly #sizes = new Map<MarketId, BookChange>();

  constructor(private readonly models: readonly QueueModel[]) {}

  own(news: TapedOrderNews): void {
    const { order } = news;
    if (news.kind === 'placed') return this.#place(order);
    const queued = this.#orders.get(order.orderId);
    if (queued === undefined) return;
    if (news.kind === 'filled') {
      if (news.liquidity === 'maker') queued.filled += news.shares;
      else this.#drop(queued);
    } else if (order.filled >= order.requested) queued.isOver = true;
    else this.#drop(queued);
  }

  moment(moment: BookChange): void {
    const { marketId, bids, asks, prints } = moment;
    this.#sizes.set(marketId, moment);
    for (const side of ['bid', 'ask'] as const) {
      const levels = side === 'bid' ? bids : asks;
      for (const [key, level] of this.#levels)
        if (key.startsWith(`${marketId} ${side} `)) this.#observe(key, level, levels, prints);
    }
  }

  #observe(
    key: string,
    level: Level,
    levels: readonly OthersLevel[],
    prints: readonly InferredPrint[],
  ): void {
    const [first] = level.queue;
    if (first === undefined) return void this.#levels.delete(key);
    const { price, side } = first.order;
    const after = sizeAt(levels, price);
    const print = prints.find((one) => one.price === price && one.takerSide !== side);
    const traded = print?.others ?? 0;
    for (const queued of level.queue) this.#judge(queued, level.before, after, traded);
    level.before = after;
    for (const queued of level.queue.filter(({ isOver }) => isOver)) this.#drop(queued);
  }

  #judge(queued: Queued, before: number, after: number, traded: number): void {
    const { filled, isOver, ahead, evidence } = queued;
    queued.filled = 0;
    const change = { before, after: Math.min(before, after + traded), traded: 0 };
    for (let at = 0; at < ahead.length; at++) ahead[at] = aheadAfter(this.models[at]!, ahead[at]!, change);
    if (filled > 0 || traded > 0) {
      const least = filled > 0 && isOver ? 0 : traded;
      const most = filled > 0 ? traded : Infinity;
      if (evidence.observations === 0) this.evidence.push(evidence);
      evidence.observations += 1;
      for (let at = 0; at < ahead.length; at++) {
        const proved = Math.min(most, Math.max(least, ahead[at]!));
        evidence.distance[at]! += Math.abs(ahead[at]! - proved);
        evidence.excess[at]! += ahead[at]! - proved;
        ahead[at] = proved;
      }
    }
    for (let at = 0; at < ahead.length; at++) ahead[at] = Math.max(0, ahead[at]! - traded);
  }

  #place(order: TapedOrder): void {
    const moment = this.#sizes.get(order.marketId);
    if (order.adopted || moment === undefined) return;
    const { side, price, marketId, orderId } = order;
    const levels = side === 'bid' ? moment.bids : moment.asks;
    const worst = levels.at(-1)?.price ?? price;
    const isHidden = levels.length >= moment.depth && (side === 'bid' ? price < worst : price > worst);
    if (isHidden) return;
    const joined = sizeAt(levels, price);
    const key = `${marketId} ${side} ${price}`;
    const level = this.#levels.get(key) ?? { before: joined, queue: [] };
    const zeros = (): Float64Array => new Float64Array(this.models.length);
    const evidence: QueueEvidence = { joined, observations: 0, distance: zeros(), excess: zeros() };
    const queued: Queued = { order, evidence, ahead: zeros().fill(joined), filled: 0, isOver: false };
    this.#levels.set(key, level);
    level.queue.push(queued);
    this.#orders.set(orderId, queued);
  }

  #drop(queued: Queued): void {
    const { marketId, side, price, orderId } = queued.order;
    const key = `${marketId} ${side} ${price}`;
    const level = this.#levels.get(key);
    this.#orders.delete(orderId);
    if (level === undefined) return;
    level.queue.splice(level.queue.indexOf(queued), 1);
    if (level.queue.length === 0) this.#levels.delete(key);
  }
}

const sizeAt = (levels: readonly OthersLevel[], price: number): number =>
  levels.find((level) => level.price === price)?.shares ?? 0;
