import type { MarketId, OrderId } from '../../../../src/exchange/contract/ids.js';
import type { Letter, VenueEntry } from '../venue-record.js';
import type { Register } from './register.js';
import type { Charter, Moment, Rule } from './rule.js';
import { ToldClosed } from './told-closed.js';

/** Time for what was already being written when the frame came. */
const WRITING = 200;

/** Once the bot was told that a market does not trade, and while that is so, no create or update about it leaves. */
export class Closed implements Rule {
  readonly name = 'quoted-a-closed-market';
  readonly #told: ToldClosed;

  constructor(charter: Charter) {
    this.#told = new ToldClosed(charter);
  }

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    this.#told.note(entry, at);
    return entry.kind === 'left' ? this.#left(entry.letter, at, register) : null;
  }

  #left(letter: Letter, at: number, register: Register): string | null {
    for (const market of marketsOf(letter, register)) {
      const toldAt = this.#told.since(market);
      if (toldAt !== undefined && at > toldAt + WRITING)
        return `${letter.endpoint} about ${market} left ${(at - toldAt) / 1_000} ms after the bot was told that it is closed`;
    }
    return null;
  }
}

/** Markets in which a letter asks for orders. */
export function marketsOf({ endpoint, body }: Letter, register: Register): readonly MarketId[] {
  if (endpoint !== 'batchCreate' && endpoint !== 'batchUpdate' && endpoint !== 'createOrder') return [];
  const { orders = [] } = JSON.parse(body) as {
    readonly orders?: readonly { market?: MarketId; id?: OrderId }[];
  };
  return orders.flatMap(({ market, id }) => market ?? register.orders.get(id!)?.marketId ?? []);
}
