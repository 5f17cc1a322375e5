import type { EventId } from '../../domain/ids.js';
import type { Levels } from '../../domain/inputs.js';
import type { RecordedBook, RecordedTrade } from '../../domain/recorded.js';
import { PRICE_ONE, type Micros, type Money, type PriceUnits, type Shares } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { TradesModel } from './trades-model.js';

/** What left the front of a side. */
interface Departure {
  readonly price: PriceUnits;
  readonly shares: number;
}

/**
 * Trades inferred from books, bounded by turnover. What left the touch, and behind it whatever left as long as all
 * levels before went, may have traded, as far as the event's turnover rose within the lag of that time; the rest was
 * cancelled. Assumed: turnover is price times shares; it is told within the lag; of several decreases that it could
 * explain the first is explained; an own fill accounts for as much turnover as a share can cost (1).
 * @param lagMicros how far turnover and book may lie apart
 */
export function inferredTrades(lagMicros: number): TradesModel {
  const events = new Map<EventId, Turnover>();
  const of = (event: EventId): Turnover => {
    const known = events.get(event) ?? new Turnover(lagMicros);
    events.set(event, known);
    return known;
  };
  return {
    turnover: (event, at, total) => of(event).told(at, total),
    ownFill: (event, at, shares) => of(event).spend(at, shares * PRICE_ONE),
    between: (before, after) => (before === null ? [] : tradesOf(before, after, of(after.eventId))),
  };
}

function tradesOf(before: RecordedBook, after: RecordedBook, turnover: Turnover): readonly RecordedTrade[] {
  turnover.forget(after.at);
  const sold = departures(before.bids, after.bids);
  const bought = departures(before.asks, after.asks);
  return [...explained(sold, 'ask', after, turnover), ...explained(bought, 'bid', after, turnover)];
}

const explained = (
  gone: readonly Departure[],
  takerSide: Side,
  { at, eventId, marketId }: RecordedBook,
  turnover: Turnover,
): readonly RecordedTrade[] =>
  gone.flatMap(({ price, shares }) => {
    const traded = Math.min(shares, Math.floor(turnover.near(at) / price));
    if (traded <= 0) return [];
    turnover.spend(at, traded * price);
    return [{ kind: 'trade', at, eventId, marketId, price, shares: traded as Shares, takerSide }];
  });

/** Best first, up to the first level of which something is left. */
function departures(before: Levels, after: Levels): readonly Departure[] {
  const left = new Map(after.prices.map((price, at) => [price, after.shares[at]!]));
  const gone: Departure[] = [];
  for (const [at, price] of before.prices.entries()) {
    const remains = left.get(price) ?? 0;
    const shares = before.shares[at]! - remains;
    if (shares > 0) gone.push({ price, shares });
    if (remains > 0) break;
  }
  return gone;
}

/** Rises of one event's turnover that no trade accounts for yet. */
class Turnover {
  private total: number | null = null;
  private readonly rises: { readonly at: number; money: number }[] = [];
  /** Own fills that were told before the turnover that they are part of. */
  private readonly owed: { readonly at: number; money: number }[] = [];

  constructor(private readonly lag: number) {}

  told(at: Micros, total: Money): void {
    const rise = this.total === null ? 0 : total - this.total;
    this.total = total;
    if (rise <= 0) return;
    this.rises.push({ at, money: rise - paidFrom(this.owed, rise, (debt) => this.isNear(debt.at, at)) });
  }

  /** Turnover that is left around a time. */
  near(at: number): number {
    return this.rises.reduce((sum, rise) => (this.isNear(rise.at, at) ? sum + rise.money : sum), 0);
  }

  /** Accounts for turnover around a time; what is not there yet is taken when it comes. */
  spend(at: number, money: number): void {
    const paid = paidFrom(this.rises, money, (rise) => this.isNear(rise.at, at));
    if (paid < money) this.owed.push({ at, money: money - paid });
  }

  /** Nothing before a time, less the lag, is asked for any more. */
  forget(at: number): void {
    for (const list of [this.rises, this.owed])
      while (list.length > 0 && list[0]!.at < at - this.lag) list.shift();
  }

  private isNear(one: number, other: number): boolean {
    return Math.abs(one - other) <= this.lag;
  }
}

/** Takes from entries that fit, in order. @returns how much was found */
function paidFrom(
  entries: readonly { readonly at: number; money: number }[],
  wanted: number,
  fits: (entry: { readonly at: number }) => boolean,
): number {
  let left = wanted;
  for (const entry of entries) {
    if (!fits(entry)) continue;
    const paid = Math.min(entry.money, left);
    entry.money -= paid;
    left -= paid;
  }
  return wanted - left;
}
