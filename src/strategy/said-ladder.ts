import type { QuoteIntent, Step } from '../domain/intent.js';
import type { Ladder, Quote } from './contract.js';

/**
 * The last ladder of a market, number by number, and the intent that it became. Most books move no quote, and an intent
 * made anew costs more than everything else that follows from them. The numbers lie in one row: with many markets the
 * small objects of an intent are out of the processor's cache when they are to be compared.
 */
export class SaidLadder {
  /** Bids, then asks: the number of quotes, and of each its price, its shares, the number of its steps, their values. */
  #numbers = new Float64Array(32);
  /** Of the steps, in the same order. */
  readonly #labels: string[] = [];
  #intent: QuoteIntent | null = null;
  /** Places in the row and among the labels, while a ladder is compared or written down. */
  #number = 0;
  #label = 0;

  /** @returns the intent of the last ladder if this one says the very same, explanations included; else null */
  again({ bids, asks }: Ladder): QuoteIntent | null {
    this.#begin();
    return this.#intent !== null && this.#isSameSide(bids) && this.#isSameSide(asks) ? this.#intent : null;
  }

  /** A ladder is about to be written down: until {@link keep} nothing is remembered. */
  begin(): void {
    this.#intent = null;
    this.#begin();
  }

  /** Its bids come, then its asks. */
  writeSide(quotes: number): void {
    this.#reserve(1);
    this.#numbers[this.#number++] = quotes;
  }

  /** @returns the number of the first step that has no label or no finite value; -1 when each has both */
  writeQuote(price: number, shares: number, reason: readonly Step[]): number {
    const steps = reason.length;
    this.#reserve(3 + steps);
    const numbers = this.#numbers;
    const labels = this.#labels;
    const at = this.#number;
    const labelsAt = this.#label;
    numbers[at] = price;
    numbers[at + 1] = shares;
    numbers[at + 2] = steps;
    for (let step = 0; step < steps; step++) {
      const { label, value } = (reason[step] ?? NOTHING) as Step;
      if (typeof label !== 'string' || typeof value !== 'number' || !Number.isFinite(value)) return step;
      labels[labelsAt + step] = label;
      numbers[at + 3 + step] = value;
    }
    this.#number = at + 3 + steps;
    this.#label = labelsAt + steps;
    return -1;
  }

  /** The ladder written down became this intent: what is odd about one makes it a fault before. */
  keep(intent: QuoteIntent): void {
    this.#intent = intent;
  }

  /** The market has another grid, on which the same ladder is another intent. */
  forget(): void {
    this.#intent = null;
  }

  #begin(): void {
    this.#number = 0;
    this.#label = 0;
  }

  #isSameSide(quotes: unknown): boolean {
    if (!Array.isArray(quotes) || quotes.length !== this.#numbers[this.#number]) return false;
    this.#number += 1;
    for (let at = 0; at < quotes.length; at++) if (!this.#isSameQuote(quotes[at])) return false;
    return true;
  }

  #isSameQuote(quote: unknown): boolean {
    const { price, shares, reason } = (quote ?? NOTHING) as Quote;
    const numbers = this.#numbers;
    let number = this.#number;
    if (price !== numbers[number] || shares !== numbers[number + 1]) return false;
    if (!Array.isArray(reason) || reason.length !== numbers[number + 2]) return false;
    number += 3;
    for (let at = 0; at < reason.length; at++) {
      const { label, value } = (reason[at] ?? NOTHING) as Step;
      if (value !== numbers[number + at] || label !== this.#labels[this.#label + at]) return false;
    }
    this.#number = number + reason.length;
    this.#label += reason.length;
    return true;
  }

  #reserve(numbers: number): void {
    if (this.#number + numbers <= this.#numbers.length) return;
    const longer = new Float64Array(2 * (this.#number + numbers));
    longer.set(this.#numbers);
    this.#numbers = longer;
  }
}

const NOTHING = {};
