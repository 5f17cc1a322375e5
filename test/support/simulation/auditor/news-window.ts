import type { VenueEntry } from '../venue-record.js';
import { marketsOf } from './closed.js';
import type { Charter, Moment, Rule } from './rule.js';

/** From the bot's own timer to the bytes. */
const WAKING = 1_000;

/**
 * In a time of news that the configuration names no create or update leaves, however wrong the bot's clock is: but where it
 * was set forward, from the first answer on to what left after that.
 */
export class NewsWindow implements Rule {
  readonly name = 'quoted-at-news';

  /** When the clock was set forward and no answer has told that it was. */
  #setAt: number | null = null;

  constructor(private readonly charter: Charter) {}

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    if (entry.kind === 'clock-set' && entry.byMs > 0) this.#setAt = at;
    else if (entry.kind === 'answered' && entry.answer !== null) this.#hear(entry.letter.leftAt);
    if (entry.kind !== 'left' || this.#setAt !== null) return null;
    for (const market of marketsOf(entry.letter, register))
      if (this.#isNews(market, at)) return `${entry.letter.endpoint} about ${market} left in a time of news`;
    return null;
  }

  #hear(leftAt: number | null): void {
    if (this.#setAt !== null && leftAt !== null && leftAt > this.#setAt) this.#setAt = null;
  }

  #isNews(market: number, at: number): boolean {
    const { events, behind, ahead } = this.charter;
    const windows = events.find(({ markets }) => markets.includes(market))?.windows ?? [];
    return windows.some(({ from, to }) => at - behind - WAKING > from && at + ahead < to);
  }
}
