import type { EventId, MarketId } from '../../domain/ids.js';
import { type Micros, MONEY_ONE, type Shares, wholeShares } from '../../domain/units.js';
import { bookSide } from '../../domain/vocabulary.js';
import type { CoolDown } from './risk-state.js';
import type { FillBreakerLimits } from '../../domain/risk-limits.js';
import type { GuardedFill } from './guard-windows.js';
import { UNRESTRICTED, outFor, sized, type Restriction, stricter } from './quote-restriction.js';

/** Where quoting was stopped, and what was counted. */
export interface BreakerTrip {
  readonly scope: 'market' | 'event';
  readonly marketId: MarketId;
  readonly eventId: EventId;
  readonly text: string;
}

interface Net {
  shares: number;
  amount: number;
}

export const FILL_BREAKER = 'fill-breaker';

/**
 * Stops quoting after one-sided fills: somebody knows more. It counts signed fills of a market, and for an event the
 * sum of the magnitudes of its markets, because buying one outcome and selling another is one view. Beyond a limit
 * within the window quoting stops for the cool-down; then sizes come back step by step. Fills during a cool-down do not
 * prolong it. Fills of a stopped market still count towards its event.
 */
export class FillBreaker {
  #limits: FillBreakerLimits;
  readonly #fills = new Map<EventId, FillWindow>();
  readonly #marketsUntil = new Map<MarketId, Micros>();
  readonly #eventsUntil = new Map<EventId, Micros>();
  /** When a market was last stopped: fills until then do not stop it again. */
  readonly #stoppedAt = new Map<MarketId, Micros>();

  constructor(limits: FillBreakerLimits) {
    this.#limits = limits;
  }

  /** These limits hold from now on. */
  limit(limits: FillBreakerLimits): void {
    this.#limits = limits;
    for (const fills of this.#fills.values()) fills.windowMs = limits.windowMs;
  }

  /** Counts a fill. @returns what it stopped, mostly null */
  filled(fill: GuardedFill, at: Micros): BreakerTrip | null {
    const { eventId, marketId } = fill;
    if (this.#isCooling(marketId, eventId, at)) return null;
    const fills = this.#remember(signed(fill, at), eventId);
    const own = this.#netSinceStopped(fills, marketId);
    const inMarket = this.#excess(Math.abs(own.shares), Math.abs(own.amount), 'in one market');
    if (inMarket !== null) return this.#trip({ scope: 'market', marketId, eventId, text: inMarket }, at);
    return this.#eventTrip(fill, fills, at);
  }

  /** Counts a fill of a market of the same event that another breaker guards. */
  filledElsewhere(fill: GuardedFill, at: Micros): BreakerTrip | null {
    if (at < (this.#eventsUntil.get(fill.eventId) ?? 0)) return null;
    return this.#eventTrip(fill, this.#remember(signed(fill, at), fill.eventId), at);
  }

  /** Whether it has stopped nothing. */
  get isUnrestricted(): boolean {
    return this.#marketsUntil.size === 0 && this.#eventsUntil.size === 0;
  }

  restriction(market: MarketId, event: EventId, now: Micros): Restriction {
    if (this.isUnrestricted) return UNRESTRICTED;
    return stricter(
      this.#restrictionAfter(this.#marketsUntil.get(market), now),
      this.#restrictionAfter(this.#eventsUntil.get(event), now),
    );
  }

  /** When time alone changes the restriction; null when it does not. */
  changesAt(market: MarketId, event: EventId, now: Micros): Micros | null {
    const next = Math.min(
      this.#nextEdge(this.#marketsUntil.get(market), now),
      this.#nextEdge(this.#eventsUntil.get(event), now),
    );
    return next === Infinity ? null : (next as Micros);
  }

  /** Cool-downs whose last step has not been taken yet. */
  coolDowns(now: Micros): readonly CoolDown[] {
    const holds = (until: number): boolean => this.#restrictionAfter(until, now) !== UNRESTRICTED;
    const markets = [...this.#marketsUntil].filter(([, until]) => holds(until));
    const events = [...this.#eventsUntil].filter(([, until]) => holds(until));
    return [
      ...markets.map(([marketId, until]): CoolDown => ({ scope: 'market', marketId, until })),
      ...events.map(([eventId, until]): CoolDown => ({ scope: 'event', eventId, until })),
    ];
  }

  /** Goes on with a cool-down of an earlier run, but not longer than a cool-down takes. */
  restore(coolDown: CoolDown, now: Micros): void {
    const until = Math.min(coolDown.until, this.#endOf(now)) as Micros;
    if (coolDown.scope === 'market') prolong(this.#marketsUntil, coolDown.marketId, until);
    else prolong(this.#eventsUntil, coolDown.eventId, until);
  }

  /** A person resumed: every cool-down is over. */
  resume(): void {
    this.#marketsUntil.clear();
    this.#eventsUntil.clear();
    this.#stoppedAt.clear();
    this.#fills.clear();
  }

  #isCooling(market: MarketId, event: EventId, at: Micros): boolean {
    return at < (this.#marketsUntil.get(market) ?? 0) || at < (this.#eventsUntil.get(event) ?? 0);
  }

  #netSinceStopped(fills: readonly SignedFill[], market: MarketId): Net {
    const since = this.#stoppedAt.get(market) ?? -Infinity;
    const own = fills.filter(({ marketId, at }) => marketId === market && at > since);
    return netsOf(own).get(market) ?? { shares: 0, amount: 0 };
  }

  /** Checks the event's limit, if fills came in more than one of its markets. */
  #eventTrip(
    { eventId, marketId }: GuardedFill,
    fills: readonly SignedFill[],
    at: Micros,
  ): BreakerTrip | null {
    const nets = netsOf(fills);
    if (nets.size < 2) return null;
    const all = sumOf(nets);
    const inEvent = this.#excess(all.shares, all.amount, 'in one event');
    return inEvent === null ? null : this.#trip({ scope: 'event', marketId, eventId, text: inEvent }, at);
  }

  #remember(fill: SignedFill, event: EventId): readonly SignedFill[] {
    const known = this.#fills.get(event);
    const fills = known ?? new FillWindow(this.#limits.windowMs);
    if (known === undefined) this.#fills.set(event, fills);
    return fills.add(fill);
  }

  #excess(shares: number, amount: number, where: string): string | null {
    const { maxShares, maxAmount, windowMs } = this.#limits;
    const within = `within ${windowMs / 1_000} s ${where}`;
    if (maxShares !== null && shares > maxShares)
      return `${wholeShares(shares as Shares)} shares filled one way ${within}, limit ${wholeShares(maxShares)}`;
    if (maxAmount !== null && amount > maxAmount)
      return `${amount / MONEY_ONE} filled one way ${within}, limit ${maxAmount / MONEY_ONE}`;
    return null;
  }

  #trip(trip: BreakerTrip, at: Micros): BreakerTrip {
    const until = this.#endOf(at);
    const { scope, marketId, eventId } = trip;
    if (scope === 'event') {
      this.#eventsUntil.set(eventId, until);
      this.#fills.delete(eventId);
    } else {
      this.#marketsUntil.set(marketId, until);
      this.#stoppedAt.set(marketId, at);
    }
    return trip;
  }

  #endOf(begun: Micros): Micros {
    return (begun + this.#limits.coolDownMs * 1_000) as Micros;
  }

  #restrictionAfter(until: number | undefined, now: Micros): Restriction {
    if (until === undefined) return UNRESTRICTED;
    if (now < until) return outFor(FILL_BREAKER);
    const { steps, stepMs } = this.#limits;
    const step = stepMs === 0 ? steps + 1 : 1 + Math.floor((now - until) / (stepMs * 1_000));
    return step > steps ? UNRESTRICTED : sized(step / (steps + 1));
  }

  #nextEdge(until: number | undefined, now: Micros): number {
    if (until === undefined) return Infinity;
    if (now < until) return until;
    const { steps, stepMs } = this.#limits;
    const done = Math.floor((now - until) / (stepMs * 1_000)) + 1;
    return stepMs === 0 || done > steps ? Infinity : until + done * stepMs * 1_000;
  }
}

function prolong<Key>(untils: Map<Key, Micros>, key: Key, until: Micros): void {
  if (until > (untils.get(key) ?? 0)) untils.set(key, until);
}

function signed({ marketId, side, position, shares, amount }: GuardedFill, at: Micros): SignedFill {
  const sign = bookSide(side, position) === 'bid' ? 1 : -1;
  return { at, marketId, shares: sign * shares, amount: sign * amount };
}

function netsOf(fills: readonly SignedFill[]): Map<MarketId, Net> {
  const nets = new Map<MarketId, Net>();
  for (const { marketId, shares, amount } of fills) {
    const net = nets.get(marketId) ?? { shares: 0, amount: 0 };
    nets.set(marketId, { shares: net.shares + shares, amount: net.amount + amount });
  }
  return nets;
}

function sumOf(nets: ReadonlyMap<MarketId, Net>): Net {
  const sum = { shares: 0, amount: 0 };
  for (const { shares, amount } of nets.values()) {
    sum.shares += Math.abs(shares);
    sum.amount += Math.abs(amount);
  }
  return sum;
}

/** What a fill changed, long positive. */
export interface SignedFill {
  readonly at: Micros;
  readonly marketId: MarketId;
  readonly shares: number;
  readonly amount: number;
}

/** Beyond so many fills, fills of a market in the same small part of the window are pooled. */
const MOST = 1_000;

/** Fills of one event within a window of time, in bounded memory. */
export class FillWindow {
  #fills: SignedFill[] = [];

  constructor(public windowMs: number) {}

  /** @returns all fills in the window that ends with this one; pooled fills count until the last of them is too old */
  add(fill: SignedFill): readonly SignedFill[] {
    const since = fill.at - this.windowMs * 1_000;
    const fills = this.#fills.filter(({ at }) => at > since);
    fills.push(fills.length < MOST ? fill : this.#joined(fills, fill));
    this.#fills = fills;
    return fills;
  }

  /** Pools the fill with an earlier one, which is taken out. */
  #joined(fills: SignedFill[], fill: SignedFill): SignedFill {
    const last = fills.findLastIndex(({ marketId }) => marketId === fill.marketId);
    if (last === -1 || this.#sliceOf(fills[last]!) !== this.#sliceOf(fill)) return fill;
    const [{ shares, amount }] = fills.splice(last, 1) as [SignedFill];
    return { ...fill, shares: shares + fill.shares, amount: amount + fill.amount };
  }

  #sliceOf({ at }: SignedFill): number {
    return Math.floor((at * MOST) / Math.max(1, this.windowMs * 1_000));
  }
}
