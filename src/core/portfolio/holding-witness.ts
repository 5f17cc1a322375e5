import type { EventId, MarketId } from '../../domain/ids.js';
import type { HoldingReport } from '../../domain/orders.js';
import {
  type Micros,
  type Money,
  PRICE_ONE,
  type PriceUnits,
  type Shares,
  wholeShares,
} from '../../domain/units.js';
import type { Currency, Position } from '../../domain/vocabulary.js';
import type { OrderCosts } from './worst-case.js';

/** One holding of the account: different positions and currencies are never netted. */
export interface HoldingName {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly position: Position;
  readonly currency: Currency;
}

/** A holding of which the venue says another number than our fills add up to. */
export interface HoldingDifference extends HoldingName {
  readonly ours: Shares;
  readonly venue: Shares;
  /** Average price the venue states for its number, in price units of the position; null where it does not. */
  readonly venuePrice: number | null;
  /** When it was first seen. */
  readonly since: Micros;
}

/** Our own view of a holding. */
export interface OwnHoldings {
  shares(name: HoldingName): Shares;
  /** When a fill of it was told last; null when none was. */
  filledAt(name: HoldingName): Micros | null;
}

/** A fill of a holding, told of by an order. */
export interface HoldingFill extends HoldingName {
  /** Zero where only what was paid is known anew. */
  readonly shares: Shares;
  readonly amount: Money;
}

/** Of the position named. */
interface PriceRange {
  readonly low: PriceUnits;
  readonly high: PriceUnits;
}

interface Doubt extends HoldingName {
  /** Whether the venue's number was the larger one. */
  readonly isMore: boolean;
  readonly venue: Shares;
  readonly venuePrice: number | null;
  /** At which the fills were that no report has confirmed; null where no fill led to it. */
  readonly prices: PriceRange | null;
  /** False while it is only a fill that no report has confirmed: the report may have come before it, or be on its way. */
  readonly isTold: boolean;
  readonly since: Micros;
}

const MICROS_PER_MS = 1_000;
const NO_FEE = 0 as Money;

const keyOf = ({ marketId, position, currency }: Omit<HoldingName, 'eventId'>): string =>
  `${position} ${currency} ${marketId}`;

/**
 * Compares our holdings with the venue's. A report may come before or after the fills that explain it, and a read may be
 * older than either; so a difference is established only by a complete read that was sent, with no fill in between,
 * at least the grace period after the difference was first seen. One that turns round is another one: a fill the other way
 * came to it, and may be told of any moment.
 */
export class HoldingWitness {
  readonly #doubts = new Map<string, Doubt>();

  /** @param graceMs how long fills and reports about the same trade may be apart */
  constructor(
    private readonly graceMs: number,
    private readonly ours: OwnHoldings,
  ) {}

  /**
   * A fill changed our number. Where it leads away from what the venue said last, a report should follow; one that does not
   * may be lost, or have come before the fill, whose shares are then counted twice.
   * @param said what the venue said last that is held; null when it cannot be asked
   */
  filled(fill: HoldingFill, said: Shares | null, at: Micros): void {
    const key = keyOf(fill);
    const known = this.#doubts.get(key);
    if (this.ours.shares(fill) === (known?.venue ?? said)) {
      this.#doubts.delete(key);
      return;
    }
    const doubt = known ?? (said === null ? null : this.#doubtOf(fill, said, null, at));
    if (doubt !== null) this.#doubts.set(key, { ...doubt, prices: withPriceOf(fill, doubt.prices) });
  }

  /**
   * Adds what it would cost if the fills that lead away from what the venue said last were not to be counted: as an order
   * that may still be filled the other way, at the worst of their prices.
   */
  addUndone(name: Omit<HoldingName, 'eventId'>, costs: OrderCosts): void {
    const doubt = this.#doubts.size === 0 ? undefined : this.#doubts.get(keyOf(name));
    if (doubt === undefined || doubt.prices === null) return;
    const { position, venue, prices } = doubt;
    const came = this.ours.shares(doubt) - venue;
    if (came > 0) costs.add({ side: 'ask', position, price: prices.low }, came as Shares, NO_FEE);
    else costs.add({ side: 'bid', position, price: prices.high }, (0 - came) as Shares, NO_FEE);
  }

  /** Whether there are any {@link doubted}. */
  get isDoubting(): boolean {
    return this.#doubts.size > 0;
  }

  /** The holdings of which nobody knows yet whether the venue's number or ours is right. */
  get doubted(): readonly HoldingName[] {
    return [...this.#doubts.values()];
  }

  /**
   * What the venue said last that is held, while that is another number than ours and nobody knows yet which of both is
   * right; ours where there is no difference.
   */
  contested(name: Omit<HoldingName, 'eventId'>, ours: Shares): Shares {
    return this.#doubts.size === 0 ? ours : (this.#doubts.get(keyOf(name))?.venue ?? ours);
  }

  /** The venue told a holding. */
  reported(report: HoldingReport, at: Micros): void {
    this.#compare(report, report.shares, priceOf(report), at);
  }

  /**
   * A complete read was answered.
   * @param held holdings of ours that are not zero
   * @param isExplained whether fills of that market are known and not booked yet: its differences wait for them
   * @returns the differences it establishes
   */
  read(
    reports: readonly HoldingReport[],
    held: readonly HoldingName[],
    isExplained: (market: MarketId) => boolean,
    sentAt: Micros,
    at: Micros,
  ): HoldingDifference[] {
    const seen = new Set<string>();
    const established: HoldingDifference[] = [];
    const judge = (name: HoldingName, venue: Shares, venuePrice: number | null): void => {
      if (seen.has(keyOf(name)) || !this.#isNewerThanFills(name, sentAt)) return;
      seen.add(keyOf(name));
      const doubt = this.#compare(name, venue, venuePrice, at);
      if (doubt === null || isExplained(name.marketId)) return;
      if (sentAt - doubt.since >= this.graceMs * MICROS_PER_MS)
        established.push(differenceOf(doubt, this.ours.shares(name)));
    };
    for (const report of reports) judge(report, report.shares, priceOf(report));
    for (const name of held) judge(name, 0 as Shares, null);
    // Of what neither side holds any more, such as shares of a resolved market, no report comes.
    for (const doubt of this.#doubts.values()) judge(doubt, 0 as Shares, null);
    return established;
  }

  /** When the oldest unexplained difference deserves a read; null when there is none. */
  get readDue(): Micros | null {
    let due: number | null = null;
    for (const { since } of this.#doubts.values()) due = due === null ? since : Math.min(due, since);
    return due === null ? null : ((due + this.graceMs * MICROS_PER_MS) as Micros);
  }

  /** The difference was repaired or explained. */
  settled(name: HoldingName): void {
    this.#doubts.delete(keyOf(name));
  }

  #compare(name: HoldingName, venue: Shares, venuePrice: number | null, at: Micros): Doubt | null {
    const key = keyOf(name);
    if (this.ours.shares(name) === venue) {
      this.#doubts.delete(key);
      return null;
    }
    const told = { ...this.#doubtOf(name, venue, venuePrice, at), isTold: true };
    const known = this.#doubts.get(key);
    const isSame = known?.isTold === true && known.isMore === told.isMore;
    const doubt = { ...told, prices: known?.prices ?? null, since: isSame ? known.since : told.since };
    this.#doubts.set(key, doubt);
    return doubt;
  }

  #doubtOf(name: HoldingName, venue: Shares, venuePrice: number | null, since: Micros): Doubt {
    const { eventId, marketId, position, currency } = name;
    const isMore = venue > this.ours.shares(name);
    return {
      eventId,
      marketId,
      position,
      currency,
      isMore,
      venue,
      venuePrice,
      prices: null,
      isTold: false,
      since,
    };
  }

  /** A read sent before, or just after, a fill of ours became known may not show it yet. */
  #isNewerThanFills(name: HoldingName, sentAt: Micros): boolean {
    const filledAt = this.ours.filledAt(name);
    return filledAt === null || filledAt < sentAt;
  }
}

function differenceOf(doubt: Doubt, ours: Shares): HoldingDifference {
  const { eventId, marketId, position, currency, venue, venuePrice, since } = doubt;
  return { eventId, marketId, position, currency, ours, venue, venuePrice, since };
}

function priceOf(report: HoldingReport): number | null {
  if (report.purchasesAmount === null || report.shares === 0) return null;
  return (report.purchasesAmount / wholeShares(report.shares)) * PRICE_ONE;
}

function withPriceOf({ shares, amount }: HoldingFill, prices: PriceRange | null): PriceRange | null {
  if (shares === 0) return prices;
  const price = (amount / shares) as PriceUnits;
  if (prices === null) return { low: price, high: price };
  return {
    low: Math.min(prices.low, price) as PriceUnits,
    high: Math.max(prices.high, price) as PriceUnits,
  };
}
