/** Compares queue models with the queue positions that trades prove. */
import type { MarketId, OrderId } from '../../domain/ids.js';
import { aheadAfter, type QueueModel } from '../../venues/simulated/models/queue.js';
import type { InferredPrint } from '../../venues/simulated/models/inferred-prints.js';
import type { BookChange, OthersLevel, TapedOrderNews, TapedOrder } from '../../storage/index.js';
import { deviationOf, quantileOf } from '../../analytics/statistics.js';
import { SHARE_ONE } from '../../domain/units.js';
import type { Random } from '../../core/ports/random.js';

/** Distances between models and proofs for one order, by model in their order. Share units. */
export interface QueueProofs {
  /** Others ahead when it joined: all that its level showed. */
  readonly joined: number;
  observations: number;
  /** Absolute distances between model and proof. */
  readonly distance: Float64Array;
  /** Signed distances: positive when the model assumed too many shares ahead. */
  readonly excess: Float64Array;
}

interface Queued {
  readonly order: TapedOrder;
  readonly proofs: QueueProofs;
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
 * Follows real orders. A print that fills an order in part shows exactly how many shares stood ahead. A print that does not
 * reach the order gives a lower bound, a print that fills the order an upper bound. Models continue from each proof, so
 * each proof is judged by itself.
 */
export class QueueWatch {
  /** Orders with at least one proof. */
  readonly proofs: QueueProofs[] = [];
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
    const { filled, isOver, ahead, proofs } = queued;
    queued.filled = 0;
    const change = { before, after: Math.min(before, after + traded), traded: 0 };
    for (let at = 0; at < ahead.length; at++) ahead[at] = aheadAfter(this.models[at]!, ahead[at]!, change);
    if (filled > 0 || traded > 0) {
      const least = filled > 0 && isOver ? 0 : traded;
      const most = filled > 0 ? traded : Infinity;
      if (proofs.observations === 0) this.proofs.push(proofs);
      proofs.observations += 1;
      for (let at = 0; at < ahead.length; at++) {
        const proved = Math.min(most, Math.max(least, ahead[at]!));
        proofs.distance[at]! += Math.abs(ahead[at]! - proved);
        proofs.excess[at]! += ahead[at]! - proved;
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
    const proofs: QueueProofs = { joined, observations: 0, distance: zeros(), excess: zeros() };
    const queued: Queued = { order, proofs, ahead: zeros().fill(joined), filled: 0, isOver: false };
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

/** Exponents of the power queue that are tried: an eighth to eight, even in their logarithms. */
export const POWERS: readonly number[] = Array.from({ length: 25 }, (_, at) => 2 ** (-3 + at / 4));

export interface PowerFigures {
  /** The exponent with the least distance to the proofs. */
  readonly power: number;
  /** Of its natural logarithm, when orders are drawn anew. */
  readonly errorOfLog: number;
  /** Between which 95 % of the draws lie. */
  readonly low: number;
  readonly high: number;
  /** Whether the best exponent is the least or the greatest that was tried. */
  readonly isEdge: boolean;
  /** Mean distance to the proofs at the best exponent, whole shares. */
  readonly distance: number;
}

const RESAMPLES = 400;

/**
 * Fits the exponent by least distance; how sure it is, by drawing whole orders with replacement.
 * @param from where {@link POWERS} begin among the models of the proofs
 * @returns null below ten orders, or when no exponent is better than another
 */
export function fitPower(proofs: readonly QueueProofs[], from: number, random: Random): PowerFigures | null {
  if (proofs.length < 10) return null;
  const sums = POWERS.map((_, at) => sumOf(proofs, from + at));
  if (Math.max(...sums) - Math.min(...sums) < 1e-9) return null;
  const draws = Array.from({ length: RESAMPLES }, () => {
    const drawn = proofs.map(() => proofs[random.below(proofs.length)]!);
    return Math.log(bestOf(POWERS.map((_, at) => sumOf(drawn, from + at))));
  }).sort((a, b) => a - b);
  const observations = proofs.reduce((sum, one) => sum + one.observations, 0);
  const best = bestOf(sums);
  return {
    power: best,
    isEdge: best === POWERS[0] || best === POWERS.at(-1),
    errorOfLog: deviationOf(draws) ?? 0,
    low: Math.exp(quantileOf(draws, 0.025)),
    high: Math.exp(quantileOf(draws, 0.975)),
    distance: Math.min(...sums) / observations / SHARE_ONE,
  };
}

const sumOf = (proofs: readonly QueueProofs[], at: number): number =>
  proofs.reduce((sum, { distance }) => sum + distance[at]!, 0);

/** Of equally good ones the middle. */
function bestOf(sums: readonly number[]): number {
  const least = Math.min(...sums);
  const best = sums.flatMap((sum, at) => (sum <= least + 1e-9 ? [at] : []));
  return POWERS[best[Math.floor(best.length / 2)]!]!;
}
