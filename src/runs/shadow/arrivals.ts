/** When requests of a recorded run reach simulated venues: as they reached the real one, or with ways drawn anew. */
import type { OrderId } from '../../domain/ids.js';
import type { Answer } from '../../domain/answers.js';
import type { Stamped } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import { type LatencyModel, sampledLatency } from '../../venues/simulated/models/latency.js';
import type { Random } from '../../core/ports/random.js';
import type { TapedOrderNews } from '../../storage/index.js';

/** Tells when what the venue did for an order would have been done. */
export interface Arrivals {
  /** Microseconds by which something can be done before it really was. */
  readonly earliest: number;
  /** @returns venue time */
  of(news: TapedOrderNews): Micros;
}

const MICROS_PER_MS = 1_000;

/** As they really came. */
export const AS_RECORDED: Arrivals = { earliest: 0, of: ({ at }) => at };

/** When the bot sent what made and what ended its orders, by its own clock. */
export class RequestTimes {
  readonly #made = new Map<OrderId, Micros>();
  readonly #ended = new Map<OrderId, Micros>();
  /** By the venue's time of what they made: what is replaced ends when its successor is made. */
  readonly #byVenueTime = new Map<Micros, Micros>();

  take({ input }: Stamped): void {
    if (input.kind === 'answer' && input.sentAt !== null) this.#answered(input, input.sentAt);
  }

  /** @returns null where no answer tells */
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
 * Sends every request again when the bot did, and draws how long it is on its way from how long requests were, once for
 * all that it did. What no answer tells of comes as it really did.
 */
export class DrawnArrivals implements Arrivals {
  readonly earliest: number;
  readonly #drawn = new Map<Micros, Micros>();
  readonly #latency: LatencyModel;
  /** Where the venue's clock is behind the bot's, ways are shorter than nothing. */
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
