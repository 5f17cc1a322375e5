import type { MarketId, OrderId } from '../../../../src/domain/ids.js';
import type { Letter, VenueEntry } from '../venue-record.js';
import type { Register } from './register.js';
import type { Charter, Moment, Rule } from './rule.js';

type Told = Extract<VenueEntry, { kind: 'told' }>;

interface StatusFrame {
  readonly event_id: number;
  readonly market_id: number | null;
  readonly status: string;
}

/** Time for what was already being written when the frame came. */
const WRITING = 200;

/**
 * Once the bot was told that a market does not trade, and while that is so, no create or update about it leaves any
 * more. Whether what stands is cancelled in time is not looked at.
 */
export class Closed implements Rule {
  readonly name = 'quoted-a-closed-market';
  /** Since when the bot knows; by market. */
  readonly #toldAt = new Map<number, number>();
  /** What is true at the venue, by `market 1` and `event 1`. */
  readonly #shut = new Set<string>();
  readonly #eventOf = new Map<number, number>();

  constructor(charter: Charter) {
    for (const { event, markets } of charter.events)
      for (const market of markets) this.#eventOf.set(market, event);
  }

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    if (entry.kind === 'said') this.#said(entry);
    else if (entry.kind === 'told' && entry.event === 'market-status-change') this.#told(entry, at);
    else if (entry.kind === 'run-started') this.#toldAt.clear();
    else if (entry.kind === 'left') return this.#left(entry.letter, at, register);
    return null;
  }

  #said({ events }: Extract<VenueEntry, { kind: 'said' }>): void {
    for (const event of events) {
      if (event.kind !== 'market-status-change') continue;
      const name = event.marketId === null ? `event ${event.eventId}` : `market ${event.marketId}`;
      if (isTrading(event.status)) this.#shut.delete(name);
      else this.#shut.add(name);
      for (const market of this.#eventOf.keys()) if (!this.#isShut(market)) this.#toldAt.delete(market);
    }
  }

  #told({ text }: Told, at: number): void {
    const frame = JSON.parse(text) as StatusFrame;
    if (isTrading(frame.status)) return;
    for (const [market, event] of this.#eventOf) {
      const isMeant = frame.market_id === null ? event === frame.event_id : market === frame.market_id;
      if (isMeant && this.#isShut(market) && !this.#toldAt.has(market)) this.#toldAt.set(market, at);
    }
  }

  #isShut(market: number): boolean {
    return this.#shut.has(`market ${market}`) || this.#shut.has(`event ${this.#eventOf.get(market)}`);
  }

  #left(letter: Letter, at: number, register: Register): string | null {
    for (const market of marketsOf(letter, register)) {
      const toldAt = this.#toldAt.get(market);
      if (toldAt !== undefined && at > toldAt + WRITING)
        return `${letter.endpoint} about ${market} left ${(at - toldAt) / 1_000} ms after the bot was told that it is closed`;
    }
    return null;
  }
}

const isTrading = (status: string): boolean => status === 'open' || status === 'active';

/** Markets in which a letter asks for orders. */
export function marketsOf({ endpoint, body }: Letter, register: Register): readonly MarketId[] {
  if (endpoint !== 'batchCreate' && endpoint !== 'batchUpdate' && endpoint !== 'createOrder') return [];
  const { orders = [] } = JSON.parse(body) as {
    readonly orders?: readonly { market?: MarketId; id?: OrderId }[];
  };
  return orders.flatMap(({ market, id }) => market ?? register.orders.get(id!)?.marketId ?? []);
}
