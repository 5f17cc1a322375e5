import { MARK_OUT_SECONDS } from '../../analytics/mark-outs.js';
import { quantileOf } from '../../analytics/statistics.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Stamped } from '../../domain/inputs.js';
import { type Micros, SHARE_ONE } from '../../domain/units.js';
import type { CurrencyMode, Side } from '../../domain/vocabulary.js';
import { log, power, type QueueModel, riskAverse } from '../../venues/simulated/models/queue.js';
import type { Random } from '../../core/ports/random.js';
import {
  type BookChange,
  type TapeEvent,
  type TapedOrderNews,
  type TapedOrder,
  type RunStart,
  TapeReading,
} from '../../storage/index.js';
import {
  type ComparedOrder,
  type FillTotals,
  type MarkedFill,
  type ShadowFill,
  MarkWatch,
  realTotals,
  type ScenarioFigures,
  scenarioFigures,
  type WayFigures,
  WayTimes,
} from './shadow-figures.js';
import { fitPower, type PowerFigures, POWERS, type QueueProofs, QueueWatch } from './queue-fit.js';
import { type FillModel, ShadowVenue } from './shadow-venue.js';

export interface ShadowOptions {
  readonly mode: CurrencyMode;
  /** Price units per tick of the markets that the bot trades. */
  readonly tickUnits: ReadonlyMap<MarketId, number>;
  /** The scenarios, in order. */
  readonly fillModels: readonly FillModel[];
  /** For the error of the fitted exponent. */
  readonly random: Random;
  /** What the run began with. Default: all orders are the bot's. */
  readonly start?: RunStart;
}

/** Distance of a queue model from the proofs, whole shares. */
export interface QueueModelFigures {
  readonly name: string;
  /** Mean of model less proof: positive when the model assumes too many shares ahead. */
  readonly excess: number;
  readonly distance: number;
}

export interface QueueFigures {
  /** Proofs of queue positions by trades, and orders with such proofs. */
  readonly observations: number;
  readonly orders: number;
  /** Quartiles of the others ahead when those orders joined, whole shares. */
  readonly joined: readonly [number, number, number] | null;
  readonly models: readonly QueueModelFigures[];
  readonly power: PowerFigures | null;
}

export interface ShadowFigures {
  readonly seconds: number;
  /** Books of the tape, and prints that were inferred. */
  readonly books: number;
  readonly prints: number;
  /** Orders that were placed while the tape ran. */
  readonly orders: number;
  /** Orders whose queue position is unknown. */
  readonly leftOut: readonly OrderId[];
  readonly real: FillTotals;
  readonly scenarios: readonly ScenarioFigures[];
  readonly queue: QueueFigures;
  readonly ways: WayFigures;
}

const NAMED: readonly { readonly name: string; readonly model: QueueModel }[] = [
  { name: 'risk-averse', model: riskAverse },
  { name: 'power n=1', model: power(1) },
  { name: 'log', model: log },
];

/**
 * Replays a recorded run against simulated venues. The venues show others' books and trades of the tape and receive the
 * bot's recorded orders at their recorded times.
 */
export class ShadowRun {
  readonly #options: ShadowOptions;
  readonly #reading: TapeReading;
  readonly #venues: readonly ShadowVenue[];
  /** Orders that are not over, really or in a simulation. */
  readonly #orders = new Map<OrderId, ComparedOrder>();
  readonly #traded = new Set<ComparedOrder>();
  readonly #lingering = new LingeringOrders((order) => this.#isQuoted(order));
  readonly #marks = new MarkWatch();
  readonly #queues = new QueueWatch([...NAMED.map(({ model }) => model), ...POWERS.map(power)]);
  readonly #ways = new WayTimes();
  readonly #leftOut: OrderId[] = [];
  #count = 0;
  #books = 0;
  #prints = 0;
  #first: Micros | null = null;
  #last = 0 as Micros;

  constructor(options: ShadowOptions) {
    const { fillModels, mode, tickUnits, start } = options;
    this.#options = options;
    this.#reading = new TapeReading(mode);
    if (start !== undefined) this.#reading.begins(start);
    this.#venues = fillModels.map((fillModel, at) => {
      const onFill = (order: ComparedOrder, fill: ShadowFill): void =>
        this.#note(order, order.simulated[at]!, fill);
      return new ShadowVenue({ mode, fillModel, tickUnits, onFill });
    });
  }

  /** An input of the bot as it was received. */
  take(stamped: Stamped): void {
    this.#ways.take(stamped);
    for (const event of this.#reading.take(stamped.input, stamped.at)) this.#happened(event);
  }

  finish(): ShadowFigures {
    for (const event of this.#reading.finish()) this.#happened(event);
    this.#marks.end(this.#last);
    const traded = [...this.#traded];
    return {
      seconds: (this.#last - (this.#first ?? this.#last)) / 1e6,
      books: this.#books,
      prints: this.#prints,
      orders: this.#count,
      leftOut: this.#leftOut,
      real: realTotals(traded),
      scenarios: this.#options.fillModels.map(({ name }, at) => scenarioFigures(name, at, traded)),
      queue: queueFigures(this.#queues.proofs, this.#options.random),
      ways: this.#ways.figures(),
    };
  }

  #happened(event: TapeEvent): void {
    this.#first ??= event.at;
    this.#last = Math.max(this.#last, event.at) as Micros;
    for (const order of this.#lingering.leaving(event.at)) this.#leave(order);
    if (event.kind === 'moment') this.#moment(event);
    else if (event.kind === 'status' && event.status !== 'open')
      for (const order of this.#lingering.closed(event.marketId)) this.#leave(order);
    else if (event.kind === 'placed' || event.kind === 'filled' || event.kind === 'ended') this.#own(event);
  }

  #moment(moment: BookChange): void {
    if (!this.#options.tickUnits.has(moment.marketId)) return;
    this.#books += 1;
    this.#prints += moment.prints.length;
    this.#queues.moment(moment);
    this.#marks.moment(moment);
    for (const venue of this.#venues) venue.show(moment);
  }

  #own(news: TapedOrderNews): void {
    this.#queues.own(news);
    const { order, at } = news;
    if (news.kind === 'placed') return this.#placed(order);
    const compared = this.#orders.get(order.orderId);
    if (compared === undefined) return;
    if (news.kind === 'filled') this.#note(compared, compared.real, news);
    else if (order.filled < order.requested) {
      // A cancelled order is cancelled in the simulations, too; a filled order stays where it was not filled.
      this.#lingering.acted(order, at);
      this.#leave(order);
    } else this.#lingering.add(order);
  }

  /** An order whose place in the queue is unknown is left out. */
  #placed(order: TapedOrder): void {
    if (order.adopted || !this.#venues.every((venue) => venue.knows(order.marketId)))
      return void this.#leftOut.push(order.orderId);
    this.#count += 1;
    const simulated = this.#venues.map((): MarkedFill[] => []);
    const compared: ComparedOrder = { order, real: [], simulated };
    this.#orders.set(order.orderId, compared);
    this.#lingering.acted(order, order.placedAt);
    for (const venue of this.#venues) venue.enter(compared);
  }

  #leave(order: TapedOrder): void {
    const compared = this.#orders.get(order.orderId);
    if (compared === undefined) return;
    for (const venue of this.#venues) venue.leave(compared);
    this.#orders.delete(order.orderId);
  }

  /** Keeps a real or simulated fill. */
  #note(compared: ComparedOrder, to: MarkedFill[], { at, shares, price, liquidity }: ShadowFill): void {
    const { marketId, side } = compared.order;
    const marks = MARK_OUT_SECONDS.map(() => Number.NaN);
    const fill: MarkedFill = { at, shares, price, liquidity, direction: side === 'bid' ? 1 : -1, marks };
    this.#traded.add(compared);
    to.push(fill);
    this.#marks.add(marketId, fill);
  }

  #isQuoted({ marketId, side, price }: TapedOrder): boolean {
    return [...this.#orders.values()].some(
      ({ order }) =>
        order.endedAt === null && order.marketId === marketId && order.side === side && order.price === price,
    );
  }
}

function queueFigures(proofs: readonly QueueProofs[], random: Random): QueueFigures {
  const observations = proofs.reduce((sum, one) => sum + one.observations, 0);
  const mean = (sum: (one: QueueProofs) => number): number =>
    proofs.reduce((total, one) => total + sum(one), 0) / Math.max(1, observations) / SHARE_ONE;
  const joined = proofs.map((one) => one.joined / SHARE_ONE).sort((a, b) => a - b);
  const quartile = (share: number): number => quantileOf(joined, share);
  return {
    observations,
    orders: proofs.length,
    joined: joined.length === 0 ? null : [quartile(0.25), quartile(0.5), quartile(0.75)],
    models: NAMED.map(({ name }, at) => ({
      name,
      excess: mean((one) => one.excess[at]!),
      distance: mean((one) => one.distance[at]!),
    })),
    power: fitPower(proofs, NAMED.length, random),
  };
}

/**
 * Decides when a simulated order leaves whose real order was filled: the bot never cancelled it. The order stays while the
 * bot goes on quoting its price. It leaves when the bot next acts on that side of the market without an order there.
 */
class LingeringOrders {
  readonly #orders = new Map<string, TapedOrder[]>();
  /** Sides on which the bot acted, and when. */
  readonly #acted = new Map<string, number>();

  /** @param isQuoted whether a real order stands on the side and at the price of an order */
  constructor(private readonly isQuoted: (order: TapedOrder) => boolean) {}

  /** The real order was filled; a simulated one may be open. */
  add(order: TapedOrder): void {
    const key = keyOf(order);
    this.#orders.set(key, [...(this.#orders.get(key) ?? []), order]);
  }

  /** The bot placed or withdrew an order. */
  acted(order: TapedOrder, at: number): void {
    const key = keyOf(order);
    if (this.#orders.has(key)) this.#acted.set(key, at);
  }

  /** @returns the orders that leave now: all earlier actions of the bot are known */
  leaving(now: number): readonly TapedOrder[] {
    if (this.#acted.size === 0) return [];
    const leaving: TapedOrder[] = [];
    for (const [key, at] of this.#acted) {
      if (at >= now) continue;
      this.#acted.delete(key);
      const orders = this.#orders.get(key) ?? [];
      const stays = orders.filter((order) => this.isQuoted(order));
      leaving.push(...orders.filter((one) => !stays.includes(one)));
      if (stays.length > 0) this.#orders.set(key, stays);
      else this.#orders.delete(key);
    }
    return leaving;
  }

  /** @returns the orders of a market that was closed */
  closed(market: MarketId): readonly TapedOrder[] {
    return (['bid', 'ask'] as const).flatMap((side) => {
      const key = keyOf({ marketId: market, side });
      const orders = this.#orders.get(key) ?? [];
      this.#orders.delete(key);
      this.#acted.delete(key);
      return orders;
    });
  }
}

const keyOf = ({ marketId, side }: { readonly marketId: MarketId; readonly side: Side }): string =>
  `${marketId} ${side}`;
