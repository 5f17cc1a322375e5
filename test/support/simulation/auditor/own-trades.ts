import { bookSide, modeOf } from '../../../../src/domain/vocabulary.js';
import type { Letter, VenueEntry } from '../venue-record.js';
import { askedBy, longPriceOf, type Terms } from './asked.js';
import type { HandNews } from './hand-news.js';
import type { Register, RegisteredOrder } from './register.js';
import type { Charter, Moment, Rule } from './rule.js';

const CONFLICT = 'OrderBookConflictingOrders';

export interface OwnTradesParts {
  readonly charter: Charter;
  readonly handNews: HandNews;
  /** The venue forgot what it did. */
  readonly isExcused: () => boolean;
}

/**
 * Orders of the account never trade with each other, nor does the bot ask for it: the venue refuses what would. Where a
 * hand has orders in the market, from when the bot was told of them.
 */
export class OwnTrades implements Rule {
  readonly name = 'own-trade';
  /** Keys with such a refusal: the venue repeats it when what stood in the way may be gone. */
  readonly #refused = new Set<string>();

  constructor(private readonly parts: OwnTradesParts) {}

  note(entry: VenueEntry, { register }: Moment): string | null {
    if (entry.kind === 'said') return this.#traded(entry);
    if (entry.kind !== 'served' || entry.answer === null || this.parts.isExcused()) return null;
    if (
      !entry.answer.text.includes(CONFLICT) ||
      this.#isRepeated(entry.letter) ||
      this.#couldNotKnow(entry.letter, entry.answer.text, register)
    )
      return null;
    return `${entry.letter.endpoint} asked to trade with an order of its own: ${entry.answer.text.slice(0, 200)}`;
  }

  /** The same key has the same answer, which was judged by what stood when it was made. */
  #isRepeated({ key }: Letter): boolean {
    if (key === null) return false;
    const isRepeated = this.#refused.has(key);
    this.#refused.add(key);
    return isRepeated;
  }

  /** Only orders of hands are in the way, and the bot had not been told of all that hands did. */
  #couldNotKnow(letter: Letter, answer: string, register: Register): boolean {
    const events = new Set<number>();
    for (const terms of refusedTerms(letter, answer, register)) {
      const facing = [...register.working(terms.marketId)].filter((order) => isFacing(order, terms));
      if (facing.length === 0 || facing.some((order) => order.letter !== null)) return false;
      for (const { eventId } of facing) events.add(eventId);
    }
    return (
      events.size > 0 && [...events].every((event) => !this.parts.handNews.wasTold(event, letter.handedAt))
    );
  }

  #traded({ events }: Extract<VenueEntry, { kind: 'said' }>): string | null {
    const { account } = this.parts.charter;
    for (const event of events)
      if (event.kind === 'trade' && event.taker.account === account && event.maker.account === account)
        return `orders ${event.taker.orderId} and ${event.maker.orderId} of the account traded with each other`;
    return null;
  }
}

/** The price of an order that trades at any. */
const MARKET_ORDER = 0;

interface ItemAnswer {
  readonly index: number;
  readonly errors?: unknown;
}

/** What the venue refused because of other orders of the account. */
function refusedTerms(letter: Letter, answer: string, register: Register): readonly Terms[] {
  const parsed = JSON.parse(answer) as readonly ItemAnswer[] | { readonly results: readonly ItemAnswer[] };
  const items = 'results' in parsed ? parsed.results : parsed;
  const asked = askedBy(letter, register);
  return items.flatMap(({ index, errors }) => (errors === CONFLICT ? (asked[index] ?? []) : []));
}

function isFacing(order: RegisteredOrder, terms: Terms): boolean {
  if (modeOf(order.currency) !== modeOf(terms.currency)) return false;
  const side = bookSide(terms.side, terms.position);
  if (order.bookSide === side) return false;
  if (order.price === MARKET_ORDER) return true;
  const [asked, standing] = [longPriceOf(terms), longPriceOf(order)];
  return side === 'bid' ? standing <= asked : standing >= asked;
}
