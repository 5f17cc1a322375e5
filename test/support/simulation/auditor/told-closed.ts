import type { VenueEntry } from '../venue-record.js';
import type { Charter } from './rule.js';

interface StatusFrame {
  readonly event_id: number;
  readonly market_id: number | null;
  readonly status: string;
  readonly timestamp: string;
}

interface EventAnswer {
  readonly id: number;
  readonly status: string;
  readonly markets: readonly { readonly id: number; readonly status: string }[];
}

/** A frame names the millisecond in which it was written. */
const MILLISECOND = 1_000;

/** Markets that do not trade while the running bot knows it: by a frame, or by an answer about the event. */
export class ToldClosed {
  /** Since when the bot knows; by market. */
  readonly #toldAt = new Map<number, number>();
  /** Since when that is true at the venue, by `market 1` and `event 1`. */
  readonly #shut = new Map<string, number>();
  readonly #eventOf = new Map<number, number>();

  constructor(charter: Charter) {
    for (const { event, markets } of charter.events)
      for (const market of markets) this.#eventOf.set(market, event);
  }

  note(entry: VenueEntry, at: number): void {
    if (entry.kind === 'said') this.#said(entry, at);
    else if (entry.kind === 'told' && entry.event === 'market-status-change') this.#heard(entry.text, at);
    else if (entry.kind === 'run-started') this.#toldAt.clear();
    else if (entry.kind === 'answered' && entry.letter.endpoint === 'event') this.#read(entry, at);
  }

  /** When the bot was told; undefined while the market trades or the bot may not know. */
  since(market: number): number | undefined {
    return this.#toldAt.get(market);
  }

  /** Markets of which the bot was told. */
  get markets(): Iterable<number> {
    return this.#toldAt.keys();
  }

  #said({ events }: Extract<VenueEntry, { kind: 'said' }>, at: number): void {
    for (const event of events) {
      if (event.kind !== 'market-status-change') continue;
      const name = event.marketId === null ? `event ${event.eventId}` : `market ${event.marketId}`;
      if (isTrading(event.status)) this.#shut.delete(name);
      else if (!this.#shut.has(name)) this.#shut.set(name, at);
      for (const market of this.#eventOf.keys())
        if (this.#shutAt(market) === undefined) this.#toldAt.delete(market);
    }
  }

  /** A frame about an earlier pause that comes late tells nothing of this one. */
  #heard(text: string, at: number): void {
    const { event_id: event, market_id: market, status, timestamp } = JSON.parse(text) as StatusFrame;
    if (isTrading(status)) return;
    const writtenAt = Date.parse(timestamp) * 1_000 + MILLISECOND;
    for (const [one, itsEvent] of this.#eventOf)
      if (market === null ? event === itsEvent : market === one) this.#tell(one, writtenAt, at);
  }

  #read({ letter, answer }: Extract<VenueEntry, { kind: 'answered' }>, at: number): void {
    if (answer?.status !== 200 || !answer.text.startsWith('{')) return;
    const event = JSON.parse(answer.text) as EventAnswer;
    for (const { id, status } of event.markets)
      if (!isTrading(status) || !isTrading(event.status)) this.#tell(id, letter.leftAt ?? 0, at);
  }

  /** @param from when what the bot was told was true at the earliest */
  #tell(market: number, from: number, at: number): void {
    const shutAt = this.#shutAt(market);
    if (shutAt !== undefined && from >= shutAt && !this.#toldAt.has(market)) this.#toldAt.set(market, at);
  }

  #shutAt(market: number): number | undefined {
    return this.#shut.get(`market ${market}`) ?? this.#shut.get(`event ${this.#eventOf.get(market)}`);
  }
}

const isTrading = (status: string): boolean => status === 'open' || status === 'active';
