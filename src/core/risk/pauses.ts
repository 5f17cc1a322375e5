import type { EventId, MarketId } from '../../domain/ids.js';
import type { QuoteScope } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import { outFor, type Restriction, stricter, UNRESTRICTED } from './quote-restriction.js';
import type { KeptPause } from './risk-state.js';

const PAUSED = outFor('paused');

/** Where a market stands. */
export interface PlacedMarket {
  readonly marketId: MarketId;
  readonly eventId: EventId;
  readonly instance: string;
}

/** What a person paused or widened: one entry for each scope. */
export class Pauses {
  private readonly held = new Map<string, KeptPause>();

  /** @param kept what a run before left */
  constructor(kept: readonly KeptPause[]) {
    for (const pause of kept) this.held.set(keyOf(pause.scope), pause);
  }

  /** Nothing is quoted in the scope until then. @param until null: until it is lifted */
  pause(scope: QuoteScope, by: string, until: Micros | null, at: Micros): void {
    const widenTicks = this.held.get(keyOf(scope))?.widenTicks ?? 0;
    this.held.set(keyOf(scope), { scope, isPaused: true, until, widenTicks, by, at });
  }

  /** Quotes in the scope stand so many ticks further away; 0 ends it. */
  widen(scope: QuoteScope, by: string, widenTicks: number, at: Micros): void {
    const before = this.held.get(keyOf(scope));
    const { isPaused = false, until = null } = before ?? {};
    if (!isPaused && widenTicks === 0) this.held.delete(keyOf(scope));
    else this.held.set(keyOf(scope), { scope, isPaused, until, widenTicks, by, at });
  }

  /** Ends pauses and widenings. @param isMeant which scopes @returns whether one was ended */
  lift(isMeant: (scope: QuoteScope) => boolean): boolean {
    let wasAny = false;
    for (const [key, { scope }] of this.held) {
      if (!isMeant(scope)) continue;
      this.held.delete(key);
      wasAny = true;
    }
    return wasAny;
  }

  restriction(market: PlacedMarket, now: Micros): Restriction {
    if (this.held.size === 0) return UNRESTRICTED;
    let restriction = UNRESTRICTED;
    for (const pause of this.held.values()) {
      if (!covers(pause.scope, market)) continue;
      if (isPausedAt(pause, now)) restriction = stricter(restriction, PAUSED);
      const { widenTicks } = pause;
      if (widenTicks > 0) restriction = stricter(restriction, { ...UNRESTRICTED, widenTicks });
    }
    return restriction;
  }

  /** When a pause of the market ends by itself; infinite when none does. */
  changesAt(market: PlacedMarket, now: Micros): number {
    let next = Infinity;
    for (const { scope, until } of this.held.values())
      if (until !== null && until > now && covers(scope, market)) next = Math.min(next, until);
    return next;
  }

  /** What holds now, in the order in which it was first said. */
  standing(now: Micros): readonly KeptPause[] {
    if (this.held.size === 0) return NONE;
    return [...this.held.values()].filter((pause) => isPausedAt(pause, now) || pause.widenTicks > 0);
  }
}

const NONE: readonly KeptPause[] = [];

const isPausedAt = ({ isPaused, until }: KeptPause, now: Micros): boolean =>
  isPaused && (until === null || until > now);

/** Whether what is said of a scope is said of a market. */
export function covers(scope: QuoteScope, { marketId, eventId, instance }: PlacedMarket): boolean {
  switch (scope.kind) {
    case 'all':
      return true;
    case 'event':
      return scope.eventId === eventId;
    case 'market':
      return scope.marketId === marketId;
    case 'instance':
      return scope.instance === instance;
  }
}

const keyOf = (scope: QuoteScope): string => JSON.stringify(Object.values(scope));

/** `market 3001`, `everything`. */
export function scopeText(scope: QuoteScope): string {
  switch (scope.kind) {
    case 'all':
      return 'everything';
    case 'event':
      return `event ${scope.eventId}`;
    case 'market':
      return `market ${scope.marketId}`;
    case 'instance':
      return `instance ${scope.instance}`;
  }
}
