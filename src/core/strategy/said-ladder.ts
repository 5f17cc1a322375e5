import type { QuoteIntent, Step } from '../../domain/intent.js';
import type { Ladder, Quote } from './contract.js';

/**
 * The last ladder of a market, and the intent that it became. Most books move no quote, and an intent made anew costs more
 * than everything else that follows from them. Its prices and shares are kept as numbers in one row: where a price has
 * moved, none of the small objects of the last ladder is touched.
 */
export class SaidLadder {
  /** Bids, then asks: of each quote its price and its shares. */
  #numbers = new Float64Array(16);
  #intent: QuoteIntent | null = null;
  /**
   * The reasons of the quotes, in the same order, in what the intent was made of: what a strategy does to one of them
   * afterwards, it does to the intent, too, so that a reason which says the same as this one says what the intent says.
   */
  #bids: readonly Reasoned[] = [];
  #asks: readonly Reasoned[] = [];
  /** Place in the row while a ladder is compared or written down. */
  #number = 0;

  /** @returns the intent of the last ladder if this one says the very same, explanations included; else null */
  again({ bids, asks }: Ladder): QuoteIntent | null {
    this.#number = 0;
    if (this.#intent === null) return null;
    return this.#isSameSide(bids, this.#bids) && this.#isSameSide(asks, this.#asks) ? this.#intent : null;
  }

  /** A ladder is about to be written down: until {@link keep} nothing is remembered. */
  begin(): void {
    this.#intent = null;
    this.#number = 0;
  }

  /** Its bids come, then its asks. */
  writeSide(quotes: number): void {
    this.#reserve(2 * quotes);
  }

  writeQuote(price: number, shares: number): void {
    this.#numbers[this.#number++] = price;
    this.#numbers[this.#number++] = shares;
  }

  /**
   * The ladder written down became this intent: what is odd about one makes it a fault before.
   * @param bids the reasons of its bids, in the order in which they were written
   */
  keep(intent: QuoteIntent, bids: readonly Reasoned[], asks: readonly Reasoned[]): void {
    this.#intent = intent;
    this.#bids = bids;
    this.#asks = asks;
  }

  /** The market has another grid, on which the same ladder is another intent. */
  forget(): void {
    this.#intent = null;
  }

  #isSameSide(quotes: unknown, before: readonly Reasoned[]): boolean {
    if (!Array.isArray(quotes) || quotes.length !== before.length) return false;
    for (let at = 0; at < quotes.length; at++) if (!this.#isSameQuote(quotes[at], before[at]!)) return false;
    return true;
  }

  #isSameQuote(quote: unknown, before: Reasoned): boolean {
    const { price, shares, reason } = (quote ?? NOTHING) as Quote;
    if (price !== this.#numbers[this.#number++] || shares !== this.#numbers[this.#number++]) return false;
    return isSameReason(reason, before.reason);
  }

  #reserve(numbers: number): void {
    if (this.#number + numbers <= this.#numbers.length) return;
    const longer = new Float64Array(2 * (this.#number + numbers));
    longer.set(this.#numbers);
    this.#numbers = longer;
  }
}

type Reasoned = Pick<Quote, 'reason'>;

/** Sound steps, too: the very array of the last time may have other steps by now. */
function isSameReason(reason: unknown, before: readonly Step[]): boolean {
  if (!Array.isArray(reason) || reason.length !== before.length) return false;
  for (let at = 0; at < reason.length; at++) {
    const { label, value } = (reason[at] ?? NOTHING) as Step;
    const { label: labelBefore, value: valueBefore } = (before[at] ?? NOTHING) as Step;
    if (label !== labelBefore || value !== valueBefore) return false;
    if (typeof label !== 'string' || !Number.isFinite(value)) return false;
  }
  return true;
}

const NOTHING = {};
