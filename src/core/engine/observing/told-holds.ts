import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import type { Stance } from '../../risk/quote-restriction.js';
import type { EngineObserver } from './observer.js';

/** Guards leave less of the quotes than the strategy wants: smaller, further away, or on one side. */
const LESS_THAN_WANTED = 'less-than-wanted';

/** What speaks against quoting one market in full, told when it changes. */
export class ToldHolds {
  private reason: string | null = null;

  constructor(
    private readonly marketId: MarketId,
    private readonly observer: EngineObserver | null,
  ) {}

  /** @param halt why nothing is quoted; null when something may be */
  tell(halt: string | null, stance: Stance, now: Micros): void {
    const reason = halt ?? (isInFull(stance) ? null : LESS_THAN_WANTED);
    if (reason === this.reason) return;
    this.reason = reason;
    this.observer?.held?.(this.marketId, now, reason);
  }
}

const isInFull = ({ reduceOnly, widenTicks, size }: Stance): boolean =>
  !reduceOnly && widenTicks === 0 && size === 1;
