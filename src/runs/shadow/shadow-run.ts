import { quantileOf } from '../../analytics/statistics.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Stamped } from '../../domain/inputs.js';
import type { RecordedStatus } from '../../domain/recorded.js';
import { type Micros, SHARE_ONE } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
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
import { type Arrivals, AS_RECORDED, type WayFigures, WayTimes } from './latency.js';
import { type ComparedOrder, ComparedOrders, LingeringOrders, MarkWatch } from './shadow-orders.js';
import { type FillTotals, realTotals, type ScenarioFigures, scenarioFigures } from './shadow-figures.js';
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
  /** When orders reach the simulated venues. Default: as recorded. */
  readonly arrivals?: Arrivals;
}

/** Progress of an order in reality and in the simulations. */
interface Visit {
  /** When the order reaches the simulated venues. */
  readonly from: number;
  /** null before the order is met, and for an order that is left out. */
  compared: ComparedOrder | null;
  isMet: boolean;
  hasEntered: boolean;
  hasLeft: boolean;
  /** The real order is gone. */
  isEnded: boolean;
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
 * Replays a recorded run against simulated venues: they show others' books and trades of the tape, and receive the bot's
 * recorded orders.
 */
export class ShadowRun {
  readonly #reading: TapeReading;
  readonly #venues: readonly ShadowVenue[];
  readonly #compared: ComparedOrders;
  readonly #lingering: LingeringOrders;
  readonly #marks = new MarkWatch();
  readonly #queues = new QueueWatch([...NAMED.map(({ model }) => model), ...POWERS.map(power)]);
  readonly #ways = new WayTimes();
  readonly #options: ShadowOptions;
  readonly #arrivals: Arrivals;
  readonly #schedule: Schedule;
  readonly #visits = new Map<OrderId, Visit>();
  #books = 0;
  #prints = 0;
  readonly #leftOut: OrderId[] = [];
  #first: Micros | null = null;
  #last = 0 as Micros;

  constructor(options: ShadowOptions) {
    const { fillModels, mode, tickUnits, start, arrivals = AS_RECORDED } = options;
    this.#options = options;
    this.#arrivals = arrivals;
    this.#schedule = new Schedule(arrivals.earliest);
    this.#reading = new TapeReading(mode);
    if (start !== undefined) this.#reading.begins(start);
    this.#compared = new ComparedOrders(fillModels.length);
    this.#lingering = new LingeringOrders((market) => this.#compared.standing(market));
    this.#venues = fillModels.map(
      (fillModel, at) =>
        new ShadowVenue({
          mode,
          fillModel,
          tickUnits,
          onFill: (id, fill) => {
            const compared = this.#compared.byId(id);
            this.#marks.add(
              compared.order.marketId,
              this.#compared.note(compared, compared.simulated[at]!, fill),
            );
          },
        }),
    );
  }

  /** An input of the bot as it was received. */
  take(stamped: Stamped): void {
    this.#ways.take(stamped);
    for (const happening of this.#reading.take(stamped.input, stamped.at)) this.#happened(happening);
  }

  finish(): ShadowFigures {
    for (const happening of this.#reading.finish()) this.#happened(happening);
    this.#schedule.end();
    this.#marks.end(this.#last);
    const { traded, count } = this.#compared;
    return {
      seconds: (this.#last - (this.#first ?? this.#last)) / 1e6,
      books: this.#books,
      prints: this.#prints,
      orders: count,
      leftOut: this.#leftOut,
      real: realTotals(traded),
      scenarios: this.#options.fillModels.map(({ name }, at) => scenarioFigures(name, at, traded)),
      queue: queueFigures(this.#queues.proofs, this.#options.random),
      ways: this.#ways.figures(),
    };
  }

  #happened(happening: TapeEvent): void {
    this.#first ??= happening.at;
    this.#last = Math.max(this.#last, happening.at) as Micros;
    this.#schedule.add(happening.at, () => this.#heard(happening));
    if (happening.kind === 'placed') this.#enters(happening);
    if (happening.kind === 'ended' && isWithdrawn(happening.order)) this.#leaves(happening);
    this.#schedule.run(happening.at);
  }

  #heard(happening: TapeEvent): void {
    for (const order of this.#lingering.leaving(happening.at)) this.#leave(order);
    if (happening.kind === 'moment') this.#moment(happening);
    else if (happening.kind === 'status') this.#status(happening);
    else if (happening.kind !== 'book' && happening.kind !== 'trade') this.#own(happening);
  }

  #enters(news: TapedOrderNews): void {
    const { order } = news;
    const from = this.#arrivals.of(news);
    const visit = { from, compared: null, isMet: false, hasEntered: false, hasLeft: false, isEnded: false };
    this.#visits.set(order.orderId, visit);
    this.#schedule.add(from, () => this.#enter(order, visit));
  }

  /** An order does not leave before it arrives. */
  #leaves(news: TapedOrderNews): void {
    const from = this.#visits.get(news.order.orderId)?.from ?? 0;
    this.#schedule.add(Math.max(this.#arrivals.of(news), from), () => this.#leave(news.order));
  }

  #moment(moment: BookChange): void {
    if (!this.#options.tickUnits.has(moment.marketId)) return;
    this.#books += 1;
    this.#prints += moment.prints.length;
    this.#queues.moment(moment);
    this.#marks.moment(moment);
    for (const venue of this.#venues) venue.show(moment);
  }

  #status({ status, marketId }: RecordedStatus): void {
    if (status === 'open') return;
    for (const order of this.#lingering.closed(marketId)) this.#leave(order);
  }

  #own(news: TapedOrderNews): void {
    this.#queues.own(news);
    const { order, at } = news;
    const visit = this.#visits.get(order.orderId);
    const compared = visit === undefined ? null : this.#meet(order, visit);
    if (visit === undefined || compared === null) return;
    if (news.kind === 'placed') return this.#lingering.acted(order, at);
    if (news.kind === 'ended') return this.#ended(order, at, visit);
    const { shares, price, liquidity } = news;
    this.#marks.add(
      order.marketId,
      this.#compared.note(compared, compared.real, { at, shares, price, liquidity }),
    );
  }

  /** Registers an order when it first appears. @returns null for an order that is left out */
  #meet(order: TapedOrder, visit: Visit): ComparedOrder | null {
    if (visit.isMet) return visit.compared;
    visit.isMet = true;
    if (order.adopted || !this.#venues.every((venue) => venue.knows(order.marketId)))
      this.#leftOut.push(order.orderId);
    else visit.compared = this.#compared.place(order);
    return visit.compared;
  }

  #enter(order: TapedOrder, visit: Visit): void {
    const compared = this.#meet(order, visit);
    visit.hasEntered = true;
    this.#forget(order, visit);
    if (compared === null || visit.hasLeft) return;
    this.#venues.forEach((venue, which) => {
      if (!venue.enter(compared.id, order, visit.from as Micros)) compared.refused.add(which);
    });
  }

  /** A cancelled order is cancelled in the simulations, too; a filled order stays where it was not filled. */
  #ended(order: TapedOrder, at: Micros, visit: Visit): void {
    this.#compared.end(order);
    visit.isEnded = true;
    if (isWithdrawn(order)) this.#lingering.acted(order, at);
    else this.#lingering.add(order);
    this.#forget(order, visit);
  }

  #leave(order: TapedOrder): void {
    const visit = this.#visits.get(order.orderId);
    if (visit === undefined || visit.compared === null) return;
    const { compared } = visit;
    for (const venue of this.#venues) venue.leave(compared.id);
    visit.hasLeft = true;
    this.#compared.settle(compared);
    this.#forget(order, visit);
  }

  /** Forgets an order that is over in reality and in the simulations. */
  #forget({ orderId }: TapedOrder, { hasEntered, hasLeft, isEnded }: Visit): void {
    if (hasEntered && hasLeft && isEnded) this.#visits.delete(orderId);
  }
}

const isWithdrawn = ({ filled, requested }: TapedOrder): boolean => filled < requested;

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

/** Actions by time; at the same time in the order in which they were added. */
export class Schedule {
  readonly #items: { readonly at: number; readonly act: () => void }[] = [];
  #latest = -Infinity;

  /** @param behind how long after its time an action may still be added */
  constructor(private readonly behind: number) {}

  add(at: number, act: () => void): void {
    const place = this.#items.findLastIndex((item) => item.at <= at) + 1;
    this.#items.splice(place, 0, { at, act });
  }

  /** Runs all actions before which nothing can be added any more. @param now latest recorded time */
  run(now: number): void {
    this.#latest = Math.max(this.#latest, now);
    this.#runUntil(this.#latest - this.behind);
  }

  /** Nothing more will come. */
  end(): void {
    this.#runUntil(Infinity);
  }

  #runUntil(time: number): void {
    while (this.#items.length > 0 && this.#items[0]!.at <= time) this.#items.shift()!.act();
  }
}
