import { marketId } from '../../../../src/exchange/contract/ids.js';
import type { Micros } from '../../../../src/domain/units.js';
import type { VenueEntry } from '../venue-record.js';
import type { HandNews } from './hand-news.js';
import type { Heard } from './heard.js';
import type { Once } from './once.js';
import type { Register, RegisteredOrder } from './register.js';
import type { Charter, CharterEvent, Moment, Rule } from './rule.js';
import { worstLoss } from './worst-loss.js';

/** Rounding of fees and of average costs at the opening of a run, in money units. */
const ROUNDING = 50_000;

/**
 * Whatever fills, positions and worst cases stay within the limits: nothing the bot asks for leads beyond them, orders of
 * earlier runs counted, and those of other hands as soon as the bot was told of them. Events in which the venue forgot orders that
 * it had made are left out from then on, since the bot could not know. What an event can cost is compared while the bot counts from what was paid: not where money moved by decree, shares were
 * there before the run, or fills went unheard and were repaired.
 */
export interface LimitsParts {
  readonly charter: Charter;
  readonly once: Once;
  readonly heard: Heard;
  readonly handNews: HandNews;
}

export class Limits implements Rule {
  readonly name = 'beyond-limits';
  readonly #excused = new Set<number>();
  readonly #charter: Charter;
  readonly #heard: Heard;
  readonly #handNews: HandNews;
  /** Events in which the run began with shares: they count from the mark of that moment, which nobody told us. */
  readonly #inherited = new Set<number>();
  #isOpened = false;
  readonly #once: Once;

  constructor({ charter, once, heard, handNews }: LimitsParts) {
    this.#charter = charter;
    this.#once = once;
    this.#heard = heard;
    this.#handNews = handNews;
  }

  note(entry: VenueEntry, { at, created, register }: Moment): string | null {
    for (const order of created) if (this.#once.isForgotten(order)) this.#excused.add(order.eventId);
    this.#open(entry, register);
    if (entry.kind !== 'served') return null;
    for (const order of created) {
      const problem = this.#beyond(order, register, at);
      if (problem !== null) return problem;
    }
    return null;
  }

  /** The first complete answer about holdings is where a run begins to count. */
  #open(entry: VenueEntry, register: Register): void {
    if (entry.kind === 'run-started') this.#isOpened = false;
    if (this.#isOpened || (entry.kind !== 'served' && entry.kind !== 'answered')) return;
    if (entry.letter.endpoint !== 'wagers') return;
    if (entry.kind === 'served') this.#openAt(register);
    else this.#isOpened = entry.answer?.status === 200 && entry.answer.text.startsWith('{');
  }

  #openAt(register: Register): void {
    this.#inherited.clear();
    register.openBooks();
    for (const { event, markets } of this.#charter.events)
      for (const market of markets) {
        const { long, short } = register.holding(marketId(market));
        if (long + short > 0) this.#inherited.add(event);
      }
  }

  #beyond(order: RegisteredOrder, register: Register, at: Micros): string | null {
    const event = this.#charter.events.find((one) => one.event === order.eventId);
    if (event === undefined || order.letter === null || this.#excused.has(order.eventId)) return null;
    if (!this.#handNews.wasTold(event.event, order.letter.handedAt)) return null;
    return (
      this.#beyondPosition(order, event, register) ??
      (this.#heard.isExact(at) ? this.#beyondLoss(order, event, register) : null)
    );
  }

  #beyondPosition(
    { marketId: market, bookSide, currency }: RegisteredOrder,
    { maxPositionShares }: CharterEvent,
    register: Register,
  ): string | null {
    const { long, short } = register.holding(market);
    let reached = bookSide === 'bid' ? long - short : short - long;
    for (const order of register.working(market))
      if (order.bookSide === bookSide && order.currency === currency)
        reached += order.requested - order.filled;
    if (reached <= maxPositionShares) return null;
    return `${market} could end at ${reached / 100} shares of ${maxPositionShares / 100}`;
  }

  #beyondLoss(order: RegisteredOrder, event: CharterEvent, register: Register): string | null {
    if (register.decreed.has(event.event) || this.#inherited.has(event.event)) return null;
    const markets = event.markets.map((market) => ({
      ...register.holding(marketId(market)),
      orders: [...register.working(marketId(market))].filter(
        ({ currency }) => currency === register.currency,
      ),
    }));
    const loss = worstLoss(
      markets,
      { order, place: event.markets.indexOf(order.marketId) },
      { isExclusive: event.isExclusiveOutcome, fee: this.#charter.fee },
    );
    if (loss <= event.maxEventLoss + ROUNDING) return null;
    return `event ${event.event} could lose ${loss / 1e6} of ${event.maxEventLoss / 1e6}`;
  }
}
