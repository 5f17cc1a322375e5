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

interface Told {
  readonly end: End;
  /** Since when. */
  readonly at: number;
}

/**
 * From so long before the end of betting that the bot was told, by the venue's clock as far as the bot can know that, no
 * create or update about the market leaves.
 */
export class BetEnd implements Rule {
  readonly name = 'quoted-after-the-end';
  /** As the bot was told last, by market: what it may have missed since excuses it. */
  readonly #told = new Map<number, Told>();
  /** As it is. */
  readonly #true = new Map<number, End>();

  constructor(private readonly charter: Charter) {}

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    if (entry.kind === 'run-started') this.#told.clear();
    else if (entry.kind === 'said') this.#said(entry);
    else if (entry.kind === 'told' && entry.event === 'market-status-change') this.#heard(entry.text, at);
    else if (entry.kind === 'answered' && entry.letter.endpoint === 'event') this.#read(entry, at);
    if (entry.kind !== 'left') return null;
    for (const market of marketsOf(entry.letter, register)) {
      const late = at - this.#outOf(market) - WAKING;
      if (late > 0)
        return `${entry.letter.endpoint} about ${market} left ${late / 1_000} ms after the bot could know that the end of betting was near`;
    }
    return null;
  }

  /** When it has to be out; infinite where nothing ends, or where what the bot was told is not what is so. */
  #outOf(market: number): number {
    const told = this.#told.get(market);
    const end = this.#true.get(market) ?? Infinity;
    if (told === undefined || Math.abs((told.end ?? Infinity) - end) >= MILLISECOND) return Infinity;
    const { outBefore, behind } = this.charter;
    return Math.max(end - outBefore + behind, told.at);
  }

  #said({ events }: Extract<VenueEntry, { kind: 'said' }>): void {
    for (const event of events)
      if (event.kind === 'market-status-change' && event.marketId !== null)
        this.#true.set(event.marketId, event.betEnd);
  }

  #heard(text: string, at: number): void {
    const { market_id: market, bet_end_date: end } = JSON.parse(text) as StatusFrame;
    if (market !== null) this.#tell(market, timeOf(end), at);
  }

  #read({ answer }: Extract<VenueEntry, { kind: 'answered' }>, at: number): void {
    if (answer?.status !== 200 || !answer.text.startsWith('{')) return;
    for (const { id, bet_end_date: end } of (JSON.parse(answer.text) as EventAnswer).markets)
      this.#tell(id, timeOf(end), at);
  }

  #tell(market: number, end: End, at: number): void {
    if (this.#told.get(market)?.end !== end) this.#told.set(market, { end, at });
  }
}

const timeOf = (text: string | null | undefined): End =>
  text === null || text === undefined ? null : Date.parse(text) * 1_000;
