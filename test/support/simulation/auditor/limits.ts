import { marketId } from '../../../../src/domain/ids.js';
import type { VenueEntry } from '../venue-record.js';
import type { Once } from './once.js';
import type { Register, RegisteredOrder } from './register.js';
import type { Charter, CharterEvent, Moment, Rule } from './rule.js';
import { worstLoss } from './worst-loss.js';

/** Rounding of fees and of average costs at the opening of a run, in money units. */
const ROUNDING = 50_000;

/**
 * Whatever fills, positions and worst cases stay within the limits: nothing the bot asks for leads beyond them. Events
 * in which a hand traded, money moved by decree or the venue forgot what it did are left out from then on, since the
 * bot could not know.
 */
export class Limits implements Rule {
  readonly name = 'beyond-limits';
  readonly #excused = new Set<number>();
  readonly #charter: Charter;
  readonly #once: Once;

  constructor(charter: Charter, once: Once) {
    this.#charter = charter;
    this.#once = once;
  }

  note(entry: VenueEntry, { created, register }: Moment): string | null {
    for (const order of created)
      if (order.letter === null || this.#once.isForgotten(order)) this.#excused.add(order.eventId);
    if (entry.kind === 'served' && entry.fault === 'half_applied') this.#excuseAll();
    if (entry.kind !== 'served') return null;
    for (const order of created) {
      const problem = this.#beyond(order, register);
      if (problem !== null) return problem;
    }
    return null;
  }

  #excuseAll(): void {
    for (const { event } of this.#charter.events) this.#excused.add(event);
  }

  #beyond(order: RegisteredOrder, register: Register): string | null {
    const event = this.#charter.events.find((one) => one.event === order.eventId);
    if (event === undefined || this.#excused.has(order.eventId)) return null;
    return this.#beyondPosition(order, event, register) ?? this.#beyondLoss(event, register);
  }

  #beyondPosition(
    { marketId: market, bookSide }: RegisteredOrder,
    { maxPositionShares }: CharterEvent,
    register: Register,
  ): string | null {
    const { long, short } = register.holding(market);
    let reached = bookSide === 'bid' ? long - short : short - long;
    for (const order of register.working(market))
      if (order.bookSide === bookSide) reached += order.requested - order.filled;
    if (reached <= maxPositionShares) return null;
    return `${market} could end at ${reached / 100} shares of ${maxPositionShares / 100}`;
  }

  #beyondLoss(event: CharterEvent, register: Register): string | null {
    if (register.decreed.has(event.event)) return null;
    const markets = event.markets.map((market) => ({
      ...register.holding(marketId(market)),
      orders: [...register.working(marketId(market))],
    }));
    const loss = worstLoss(markets, event.isExclusiveOutcome, this.#charter.fee);
    if (loss <= event.maxEventLoss + ROUNDING) return null;
    return `event ${event.event} could lose ${loss / 1e6} of ${event.maxEventLoss / 1e6}`;
  }
}
