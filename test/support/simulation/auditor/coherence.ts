import { marketId } from '../../../../src/exchange/contract/ids.js';
import type { Letter, VenueEntry } from '../venue-record.js';
import type { HandNews } from './hand-news.js';
import type { Once } from './once.js';
import type { Register, RegisteredOrder } from './register.js';
import type { Charter, CharterEvent, Moment, Rule } from './rule.js';

const PRICE_ONE = 10_000;
const SHARE_ONE = 100;
/** What a winning share pays, in money units. */
const PAID = PRICE_ONE * SHARE_ONE;

export interface CoherenceParts {
  readonly charter: Charter;
  readonly once: Once;
  readonly handNews: HandNews;
}

/**
 * Nothing the bot asks for loses whatever happens together with what works in the other markets of an event of which at most
 * one wins. Sales are left out, and what leads a position back towards zero. Events are left out as for the other limits: where
 * the venue forgot orders that it had made, and while the bot has not been told of what other hands did.
 */
export class Coherence implements Rule {
  readonly name = 'incoherent-quotes';
  readonly #excused = new Set<number>();
  /** When a request with that key was first given to the network. */
  readonly #firstHanded = new Map<string, number>();
  readonly #charter: Charter;
  readonly #once: Once;
  readonly #handNews: HandNews;

  constructor({ charter, once, handNews }: CoherenceParts) {
    this.#charter = charter;
    this.#once = once;
    this.#handNews = handNews;
  }

  note(entry: VenueEntry, { created, register }: Moment): string | null {
    for (const order of created) if (this.#once.isForgotten(order)) this.#excused.add(order.eventId);
    if (entry.kind === 'handed') this.#hand(entry.letter);
    if (entry.kind !== 'served') return null;
    for (const order of created) {
      const problem = this.#problem(order, register);
      if (problem !== null) return problem;
    }
    return null;
  }

  #hand({ key, handedAt }: Letter): void {
    if (key !== null && !this.#firstHanded.has(key)) this.#firstHanded.set(key, handedAt);
  }

  #problem(order: RegisteredOrder, register: Register): string | null {
    const event = this.#charter.events.find((one) => one.event === order.eventId);
    if (event === undefined || !isJudged(event) || this.#excused.has(order.eventId)) return null;
    if (order.letter === null || !this.#handNews.wasTold(event.event, order.letter.handedAt)) return null;
    if (order.side === 'ask' || leadsBack(order, register, order.id)) return null;
    const others = event.markets.filter((market) => market !== order.marketId);
    const elsewhere = others.map((market) => this.#dearest(order, market, register));
    const cost = elsewhere.reduce((sum, one) => sum + one, this.#costOf(order));
    const paid =
      order.bookSide === 'bid' ? PAID : (event.markets.length - (event.isExhaustive ? 1 : 0)) * PAID;
    if (cost < paid) return null;
    return `${order.marketId} ${order.position} at ${order.price} costs ${cost / PAID} of ${paid / PAID} with what else works`;
  }

  /**
   * Of what works on that side in another market, zero where nothing does. What was asked for in the same request or later, to lead
   * back there, may have been decided after the order: a request is overtaken on its way.
   */
  #dearest({ bookSide, currency, letter }: RegisteredOrder, market: number, register: Register): number {
    const costs = [...register.working(marketId(market))]
      .filter((one) => one.bookSide === bookSide && one.currency === currency)
      .filter((one) => this.#isEarlier(one.letter, letter) || !isExit(one, register))
      .map((one) => this.#costOf(one));
    return Math.max(0, ...costs);
  }

  /** A request that is sent again was decided when it was first. */
  #isEarlier(one: Letter | null, other: Letter | null): boolean {
    return one === null || other === null || this.#decidedAt(one) < this.#decidedAt(other);
  }

  #decidedAt({ key, handedAt }: Letter): number {
    return this.#firstHanded.get(key ?? '') ?? handedAt;
  }

  /** Of a share bought, or of the other position sold, with the fee of one that rested. */
  #costOf({ side, price }: RegisteredOrder): number {
    return (side === 'bid' ? price : PRICE_ONE - price) * SHARE_ONE + this.#charter.restingFee;
  }
}

const isJudged = ({ areCoherent, isExclusiveOutcome, markets }: CharterEvent): boolean =>
  areCoherent && isExclusiveOutcome && markets.length > 1;

/** A sale is one whatever else stands: it cannot sell more than is held. */
const isExit = (order: RegisteredOrder, register: Register): boolean =>
  order.side === 'ask' || leadsBack(order, register, order.id);

/** @param last orders made after it do not count */
function leadsBack(
  { marketId: market, bookSide, currency }: RegisteredOrder,
  register: Register,
  last: number,
): boolean {
  const { long, short } = register.holding(market);
  let left = bookSide === 'bid' ? short - long : long - short;
  for (const order of register.working(market))
    if (order.bookSide === bookSide && order.currency === currency && order.id <= last)
      left -= order.requested - order.filled;
  return left >= 0;
}
