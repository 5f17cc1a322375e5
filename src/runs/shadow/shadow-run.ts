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
import { Agenda } from './agenda.js';
import { type Arrivals, AS_RECORDED } from './arrivals.js';
import { LingeringOrders } from './lingering-orders.js';
import { MarkWatch } from './mark-watch.js';
import { type OrderTwins, TwinRegister } from './order-twins.js';
import { fitPower, type PowerFigures, POWERS } from './power-fit.js';
import { prepared } from './prepared-moment.js';
import { type QueueEvidence, QueueWatch } from './queue-watch.js';
import { type FillTotals, realTotals, type ScenarioFigures, scenarioFigures } from './shadow-figures.js';
import { type FillBelief, SimulatedVenue } from './simulated-venue.js';
import { type WayFigures, WayTimes } from './way-times.js';

export interface ShadowOptions {
  readonly mode: CurrencyMode;
  /** Price units per tick of the markets that the bot trades. */
  readonly tickUnits: ReadonlyMap<MarketId, number>;
  /** The scenarios, in order. */
  readonly beliefs: readonly FillBelief[];
  /** For the errors. */
  readonly random: Random;
  /** What the run began with: whose orders are whose; left out: all are the bot's. */
  readonly start?: RunStart;
  /** When orders reach the simulated venues; left out: when they reached the real one. */
  readonly arrivals?: Arrivals;
}

/** An order on its way through the simulated venues, and really. */
interface Visit {
  /** When it reaches the simulated ones. */
  readonly from: number;
  /** null until it is met first, and for one that is left out. */
  twins: OrderTwins | null;
  isMet: boolean;
  hasEntered: boolean;
  hasLeft: boolean;
  /** The real one is gone. */
  isEnded: boolean;
}

/** How far a queue model lies from what trades proved, whole shares. */
export interface QueueModelFigures {
  readonly name: string;
  /** Mean of belief less proof: more than zero where it sees too many ahead. */
  readonly excess: number;
  readonly distance: number;
}

export interface QueueFigures {
  /** Times that a trade proved something of an order's place, and orders of which it did. */
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
  /** Those of which nobody can know where they stood. */
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
 * The shadow of a live run: others' book and trades as the tape tells them, the bot's own orders taken out, and the
 * same orders sent into simulated venues.
 */
export class ShadowRun {
  readonly #reading: TapeReading;
  readonly #venues: readonly SimulatedVenue[];
  readonly #twins: TwinRegister;
  readonly #lingering: LingeringOrders;
  readonly #marks = new MarkWatch();
  readonly #queues = new QueueWatch([...NAMED.map(({ model }) => model), ...POWERS.map(power)]);
  readonly #ways = new WayTimes();
  readonly #options: ShadowOptions;
  readonly #arrivals: Arrivals;
  readonly #agenda: Agenda;
  readonly #visits = new Map<OrderId, Visit>();
  #books = 0;
  #prints = 0;
  readonly #leftOut: OrderId[] = [];
  #first: Micros | null = null;
  #last = 0 as Micros;

  constructor(options: ShadowOptions) {
    const { beliefs, mode, tickUnits, start, arrivals = AS_RECORDED } = options;
    this.#options = options;
    this.#arrivals = arrivals;
    this.#agenda = new Agenda(arrivals.earliest);
    this.#reading = new TapeReading(mode);
    if (start !== undefined) this.#reading.begins(start);
    this.#twins = new TwinRegister(beliefs.length);
    this.#lingering = new LingeringOrders((market) => this.#twins.standing(market));
    this.#venues = beliefs.map(
      (belief, at) =>
        new SimulatedVenue({
          belief,
          tickUnits,
          onFill: (id, fill) => {
            const twins = this.#twins.byId(id);
            this.#marks.add(twins.order.marketId, this.#twins.note(twins, twins.simulated[at]!, fill));
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
    this.#agenda.end();
    this.#marks.end(this.#last);
    const { traded, count } = this.#twins;
    return {
      seconds: (this.#last - (this.#first ?? this.#last)) / 1e6,
      books: this.#books,
      prints: this.#prints,
      orders: count,
      leftOut: this.#leftOut,
      real: realTotals(traded),
      scenarios: this.#options.beliefs.map(({ name }, at) => scenarioFigures(name, at, traded)),
      queue: queueFigures(this.#queues.evidence, this.#options.random),
      ways: this.#ways.figures(),
    };
  }

  #happened(happening: TapeEvent): void {
    this.#first ??= happening.at;
    this.#last = Math.max(this.#last, happening.at) as Micros;
    this.#agenda.add(happening.at, () => this.#heard(happening));
    if (happening.kind === 'placed') this.#enters(happening);
    if (happening.kind === 'ended' && isWithdrawn(happening.order)) this.#leaves(happening);
    this.#agenda.run(happening.at);
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
    const visit = { from, twins: null, isMet: false, hasEntered: false, hasLeft: false, isEnded: false };
    this.#visits.set(order.orderId, visit);
    this.#agenda.add(from, () => this.#enter(order, visit));
  }

  /** Not before it came. */
  #leaves(news: TapedOrderNews): void {
    const from = this.#visits.get(news.order.orderId)?.from ?? 0;
    this.#agenda.add(Math.max(this.#arrivals.of(news), from), () => this.#leave(news.order));
  }

  #moment(moment: BookChange): void {
    const tickUnits = this.#options.tickUnits.get(moment.marketId);
    if (tickUnits === undefined) return;
    this.#books += 1;
    this.#prints += moment.prints.length;
    this.#queues.moment(moment);
    this.#marks.moment(moment);
    const shown = prepared(moment, tickUnits);
    for (const venue of this.#venues) venue.moment(shown);
  }

  #status({ status, marketId }: RecordedStatus): void {
    if (status === 'open') return;
    for (const order of this.#lingering.closed(marketId)) this.#leave(order);
  }

  #own(news: TapedOrderNews): void {
    this.#queues.own(news);
    const { order, at } = news;
    const visit = this.#visits.get(order.orderId);
    const twins = visit === undefined ? null : this.#meet(order, visit);
    if (visit === undefined || twins === null) return;
    if (news.kind === 'placed') return this.#lingering.acted(order, at);
    if (news.kind === 'ended') return this.#ended(order, at, visit);
    const { shares, price, liquidity } = news;
    this.#marks.add(order.marketId, this.#twins.note(twins, twins.real, { at, shares, price, liquidity }));
  }

  /** Registers an order when it is met first, really or simulated. @returns null for one that is left out */
  #meet(order: TapedOrder, visit: Visit): OrderTwins | null {
    if (visit.isMet) return visit.twins;
    visit.isMet = true;
    if (order.adopted || !this.#venues.every((venue) => venue.knows(order.marketId)))
      this.#leftOut.push(order.orderId);
    else visit.twins = this.#twins.place(order);
    return visit.twins;
  }

  #enter(order: TapedOrder, visit: Visit): void {
    const twins = this.#meet(order, visit);
    visit.hasEntered = true;
    this.#forget(order, visit);
    if (twins === null || visit.hasLeft) return;
    this.#venues.forEach((venue, which) => {
      if (!venue.enter(twins.id, order, visit.from as Micros)) twins.refused.add(which);
    });
  }

  /** What was withdrawn really is withdrawn in simulation, too; what was filled stands on where it was not. */
  #ended(order: TapedOrder, at: Micros, visit: Visit): void {
    this.#twins.end(order);
    visit.isEnded = true;
    if (isWithdrawn(order)) this.#lingering.acted(order, at);
    else this.#lingering.add(order);
    this.#forget(order, visit);
  }

  #leave(order: TapedOrder): void {
    const visit = this.#visits.get(order.orderId);
    if (visit === undefined || visit.twins === null) return;
    const { twins } = visit;
    for (const venue of this.#venues) venue.leave(twins.id, order.marketId);
    visit.hasLeft = true;
    this.#twins.settle(twins);
    this.#forget(order, visit);
  }

  /** Nothing more will be heard of it. */
  #forget({ orderId }: TapedOrder, { hasEntered, hasLeft, isEnded }: Visit): void {
    if (hasEntered && hasLeft && isEnded) this.#visits.delete(orderId);
  }
}

const isWithdrawn = ({ filled, requested }: TapedOrder): boolean => filled < requested;

function queueFigures(evidence: readonly QueueEvidence[], random: Random): QueueFigures {
  const observations = evidence.reduce((sum, one) => sum + one.observations, 0);
  const mean = (sum: (one: QueueEvidence) => number): number =>
    evidence.reduce((total, one) => total + sum(one), 0) / Math.max(1, observations) / SHARE_ONE;
  const joined = evidence.map((one) => one.joined / SHARE_ONE).sort((a, b) => a - b);
  const quartile = (share: number): number => quantileOf(joined, share);
  return {
    observations,
    orders: evidence.length,
    joined: joined.length === 0 ? null : [quartile(0.25), quartile(0.5), quartile(0.75)],
    models: NAMED.map(({ name }, at) => ({
      name,
      excess: mean((one) => one.excess[at]!),
      distance: mean((one) => one.distance[at]!),
    })),
    power: fitPower(evidence, NAMED.length, random),
  };
}
