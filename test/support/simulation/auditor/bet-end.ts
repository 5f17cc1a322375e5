import { marketsOf } from './closed.js';
import type { Charter, Moment, Rule } from './rule.js';
import type { EventAnswer, StatusFrame } from './told-closed.js';
import type { VenueEntry } from '../venue-record.js';

/** From the bot's own timer to the bytes. */
const WAKING = 1_000;

/** Times are told in milliseconds. */
const MILLISECOND = 1_000;

/** An end of betting, in microseconds; null: none. */
type End = number | null;

/** Once the end of betting that the bot was told has come by its own clock, no create or update about the market leaves. */
export class BetEnd implements Rule {
  readonly name = 'quoted-after-the-end';
  /** As the bot was told last, by market: what it may have missed since excuses it. */
  readonly #told = new Map<number, End>();
  /** As it is. */
  readonly #true = new Map<number, End>();

  constructor(private readonly charter: Charter) {}

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    if (entry.kind === 'run-started') this.#told.clear();
    else if (entry.kind === 'said') this.#said(entry);
    else if (entry.kind === 'told' && entry.event === 'market-status-change') this.#heard(entry.text);
    else if (entry.kind === 'answered' && entry.letter.endpoint === 'event') this.#read(entry);
    if (entry.kind !== 'left') return null;
    for (const market of marketsOf(entry.letter, register)) {
      const late = at - this.#endOf(market) - this.charter.behind - WAKING;
      if (late > 0)
        return `${entry.letter.endpoint} about ${market} left ${late / 1_000} ms after the bot's clock had come to the end of betting`;
    }
    return null;
  }

  /** Infinite where there is none, or where what the bot was told is not what is so. */
  #endOf(market: number): number {
    const told = this.#told.get(market) ?? Infinity;
    const end = this.#true.get(market) ?? Infinity;
    return Math.abs(told - end) < MILLISECOND ? end : Infinity;
  }

  #said({ events }: Extract<VenueEntry, { kind: 'said' }>): void {
    for (const event of events)
      if (event.kind === 'market-status-change' && event.marketId !== null)
        this.#true.set(event.marketId, event.betEnd);
  }

  #heard(text: string): void {
    const { market_id: market, bet_end_date: end } = JSON.parse(text) as StatusFrame;
    if (market !== null) this.#told.set(market, timeOf(end));
  }

  #read({ answer }: Extract<VenueEntry, { kind: 'answered' }>): void {
    if (answer?.status !== 200 || !answer.text.startsWith('{')) return;
    for (const { id, bet_end_date: end } of (JSON.parse(answer.text) as EventAnswer).markets)
      this.#told.set(id, timeOf(end));
  }
}

const timeOf = (text: string | null | undefined): End =>
  text === null || text === undefined ? null : Date.parse(text) * 1_000;
