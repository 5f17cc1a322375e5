/** Latency of a recorded run, and when its requests reach the simulated venues. */
import type { OrderId } from '../../domain/ids.js';
import type { Answer } from '../../domain/answers.js';
import type { Stamped } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import { type LatencyModel, sampledLatency } from '../../venues/simulated/models/latency.js';
import type { Random } from '../../core/ports/random.js';
import type { TapedOrderNews } from '../../storage/index.js';
import { type DelayFigures, Delays, tellsItsWay } from '../../analytics/calibration/poisson-intensity.js';

/** Decides when an order reaches or leaves the simulated venues. */
export interface Arrivals {
  /** Microseconds by which an arrival may precede the recorded one. */
  readonly earliest: number;
  /** @returns venue time */
  of(news: TapedOrderNews): Micros;
}

const MICROS_PER_MS = 1_000;

/** As recorded. */
export const AS_RECORDED: Arrivals = { earliest: 0, of: ({ at }) => at };

/** When the bot sent the requests that made and ended its orders, by its own clock. */
export class RequestTimes {
  readonly #made = new Map<OrderId, Micros>();
  readonly #ended = new Map<OrderId, Micros>();
  /** By the venue's time of the new order: a replaced order ends when its successor is made. */
  readonly #byVenueTime = new Map<Micros, Micros>();

  take({ input }: Stamped): void {
    if (input.kind === 'answer' && input.sentAt !== null) this.#answered(input, input.sentAt);
  }

  /** @returns null when no answer says so */
  of({ kind, order, at }: TapedOrderNews): Micros | null {
    if (kind === 'placed') return this.#made.get(order.orderId) ?? null;
    return this.#ended.get(order.orderId) ?? this.#byVenueTime.get(at) ?? null;
  }

  #answered({ outcome }: Answer, sentAt: Micros): void {
    if (!outcome.ok) return;
    const { body } = outcome;
    if (body.kind === 'cancel-orders')
      for (const item of body.items) if (item.ok) this.#ended.set(item.value, sentAt);
    if (body.kind === 'cancel-scope' || body.kind === 'create-orders')
      for (const order of body.canceledIds) this.#ended.set(order, sentAt);
    if (body.kind !== 'create-orders' && body.kind !== 'replace-orders') return;
    for (const item of body.items) {
      if (!item.ok) continue;
      this.#made.set(item.value.orderId, sentAt);
      if (item.value.createdAt !== null) this.#byVenueTime.set(item.value.createdAt, sentAt);
    }
  }
}

/**
 * Sends every request when the bot did, and draws its latency once from the recorded latencies. Orders without an answer
 * arrive as recorded.
 */
export class DrawnArrivals implements Arrivals {
  readonly earliest: number;
  readonly #drawn = new Map<Micros, Micros>();
  readonly #latency: LatencyModel;
  /** Negative when the venue's clock is behind the bot's. */
  readonly #least: number;

  /** @param ways quantiles of the requests' ways, milliseconds, as {@link WayTimes} gives them */
  constructor(
    private readonly times: RequestTimes,
    ways: readonly number[],
    random: Random,
  ) {
    const least = Math.min(0, ...ways);
    const request = ways.map((way) => way - least);
    this.#latency = sampledLatency({ feed: [0], request, response: [0] }, random);
    this.#least = least * MICROS_PER_MS;
    this.earliest = (Math.max(...ways) - Math.min(...ways)) * MICROS_PER_MS;
  }

  of(news: TapedOrderNews): Micros {
    const sentAt = this.times.of(news);
    if (sentAt === null) return news.at;
    return Math.max(this.#arrival(sentAt), news.at - this.earliest) as Micros;
  }

  #arrival(sentAt: Micros): Micros {
    const known = this.#drawn.get(sentAt);
    if (known !== undefined) return known;
    const arrival = (sentAt + this.#least + this.#latency.request()) as Micros;
    this.#drawn.set(sentAt, arrival);
    return arrival;
  }
}

/** Recorded latencies. All but the round trip compare the clocks of venue and bot. */
export interface WayFigures {
  readonly feed: DelayFigures | null;
  /** From a request's first byte to the venue's time of the order that it made. */
  readonly request: DelayFigures | null;
  /** From there to its answer. */
  readonly response: DelayFigures | null;
  readonly roundTrip: DelayFigures | null;
}

export class WayTimes {
  readonly #feed = new Delays();
  readonly #request = new Delays();
  readonly #response = new Delays();
  readonly #roundTrip = new Delays();

  take({ input, at }: Stamped): void {
    if (input.kind === 'answer') this.#answered(input, at);
    else if ('venueTime' in input && typeof input.venueTime === 'number' && tellsItsWay(input.kind))
      this.#feed.add((at - input.venueTime) / MICROS_PER_MS);
  }

  figures(): WayFigures {
    return {
      feed: this.#feed.figures(),
      request: this.#request.figures(),
      response: this.#response.figures(),
      roundTrip: this.#roundTrip.figures(),
    };
  }

  #answered({ sentAt, outcome }: Answer, at: number): void {
    if (sentAt === null || !outcome.ok) return;
    this.#roundTrip.add((at - sentAt) / MICROS_PER_MS);
    const { body } = outcome;
    if (body.kind !== 'create-orders' && body.kind !== 'replace-orders') return;
    const made = body.items.find((item) => item.ok && item.value.createdAt !== null);
    if (made === undefined || !made.ok || made.value.createdAt === null) return;
    this.#request.add((made.value.createdAt - sentAt) / MICROS_PER_MS);
    this.#response.add((at - made.value.createdAt) / MICROS_PER_MS);
  }
}
