import type { VenueEntry } from '../venue-record.js';
import type { Charter } from './rule.js';

export interface StatusFrame {
  readonly event_id: number;
  readonly market_id: number | null;
  readonly status: string;
  readonly disabled: boolean;
  readonly bet_end_date: string | null;
  readonly timestamp: string;
}

export interface EventAnswer {
  readonly id: number;
  readonly status: string;
  readonly bet_end_date?: string | null;
  readonly markets: readonly {
    readonly id: number;
    readonly status: string;
    readonly disabled: boolean;
    readonly bet_end_date?: string | null;
  }[];
}

/** A frame names the millisecond in which it was written. */
const MILLISECOND = 1_000;

/** What can keep a market from trading: its own status, that of its event, or that it is disabled. */
type Bar = `market ${number}` | `event ${number}` | `disabled ${number}`;

/** Markets that do not trade while the running bot knows it: by a frame, or by an answer about the event. */
export class ToldClosed {
  /** Since when a bar stands at the venue. */
  readonly #shut = new Map<Bar, number>();
  /** Of those, since when the bot knows. */
  readonly #toldAt = new Map<Bar, number>();
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
    let first: number | undefined;
    for (const bar of barsOf(market, this.#eventOf.get(market)!)) {
      const at = this.#toldAt.get(bar);
      if (at !== undefined && at < (first ?? Infinity)) first = at;
    }
    return first;
  }

  /** Markets of which the bot was told. */
  get markets(): readonly number[] {
    return this.#toldAt.size === 0
      ? NONE
      : [...this.#eventOf.keys()].filter((market) => this.since(market) !== undefined);
  }

  #said({ events }: Extract<VenueEntry, { kind: 'said' }>, at: number): void {
    for (const event of events) {
      if (event.kind !== 'market-status-change') continue;
      const { eventId, marketId: market, status, disabled } = event;
      this.#stand(market === null ? `event ${eventId}` : `market ${market}`, !isTrading(status), at);
      if (market !== null) this.#stand(`disabled ${market}`, disabled, at);
    }
  }

  #stand(bar: Bar, stands: boolean, at: number): void {
    if (stands && !this.#shut.has(bar)) this.#shut.set(bar, at);
    if (stands) return;
    this.#shut.delete(bar);
    this.#toldAt.delete(bar);
  }

  /** A frame about an earlier pause that comes late tells nothing of this one. */
  #heard(text: string, at: number): void {
    const frame = JSON.parse(text) as StatusFrame;
    const { event_id: event, market_id: market } = frame;
    const writtenAt = Date.parse(frame.timestamp) * 1_000 + MILLISECOND;
    if (!isTrading(frame.status))
      this.#tell(market === null ? `event ${event}` : `market ${market}`, writtenAt, at);
    if (market !== null && frame.disabled) this.#tell(`disabled ${market}`, writtenAt, at);
  }

  #read({ letter, answer }: Extract<VenueEntry, { kind: 'answered' }>, at: number): void {
    if (answer?.status !== 200 || !answer.text.startsWith('{')) return;
    const event = JSON.parse(answer.text) as EventAnswer;
    const from = letter.leftAt ?? 0;
    if (!isTrading(event.status)) this.#tell(`event ${event.id}`, from, at);
    for (const { id, status, disabled } of event.markets) {
      if (!isTrading(status)) this.#tell(`market ${id}`, from, at);
      if (disabled) this.#tell(`disabled ${id}`, from, at);
    }
  }

  /** @param from when what the bot was told was true at the earliest */
  #tell(bar: Bar, from: number, at: number): void {
    const shutAt = this.#shut.get(bar);
    if (shutAt !== undefined && from >= shutAt && !this.#toldAt.has(bar)) this.#toldAt.set(bar, at);
  }
}

const NONE: readonly number[] = [];

const barsOf = (market: number, event: number): readonly Bar[] => [
  `market ${market}`,
  `event ${event}`,
  `disabled ${market}`,
];

const isTrading = (status: string): boolean => status === 'open' || status === 'active';
