import type { VenueEntry } from '../venue-record.js';
import { marketsOf } from './closed.js';
import type { Charter, Moment, Rule } from './rule.js';

/** From the bot's own timer to the bytes. */
const WAKING = 1_000;

/** In a time of news that the configuration names no create or update leaves, however wrong the bot's clock is, or is set. */
export class NewsWindow implements Rule {
  readonly name = 'quoted-at-news';

  constructor(private readonly charter: Charter) {}

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    if (entry.kind !== 'left') return null;
    for (const market of marketsOf(entry.letter, register))
      if (this.#isNews(market, at)) return `${entry.letter.endpoint} about ${market} left in a time of news`;
    return null;
  }

  #isNews(market: number, at: number): boolean {
    const { events, behind, ahead } = this.charter;
    const windows = events.find(({ markets }) => markets.includes(market))?.windows ?? [];
    return windows.some(({ from, to }) => at - behind - WAKING > from && at + ahead < to);
  }
}
