import type { EventId, MarketId } from '../../../domain/ids.js';
import { currencyUnits, type Money, wholeShares, type Shares } from '../../../domain/units.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { EventExposure } from '../../portfolio/event-exposure.js';
import type { RiskLimits } from '../../risk/index.js';
import type { RoomView, ScenarioView } from '../../strategy/contract.js';
import type { Positions } from '../accounting/positions.js';
import type { Guards } from '../guarding/guards.js';
import type { Exposure } from './exposure.js';
import type { Funds } from './funds.js';

/** What this part of the engine works with. */
export interface OutlookParts {
  readonly positions: Positions;
  readonly funds: Funds;
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly guards: Guards;
}

/** What the strategy of one market may know of its limits, and of how the event may end. */
export class Outlook {
  constructor(
    private readonly parts: OutlookParts,
    private readonly run: Exposure,
    private readonly market: MarketId,
    private limits: RiskLimits,
  ) {}

  /** These limits hold from now on. */
  limit(limits: RiskLimits): void {
    this.limits = limits;
  }

  scenarios(): readonly ScenarioView[] {
    this.run.tellChanged();
    return this.event
      .scenarios()
      .map(({ ending, market, profit }) => ({ ending, market, profit: currencyUnits(profit) }));
  }

  room(): RoomView {
    const { positions, funds, guards } = this.parts;
    const { limits, run } = this;
    const { maxPositionShares, maxOrderShares, maxOrderAmount, maxLocked } = limits;
    const { least, most } = positions.netBetween(this.market);
    this.run.tellChanged();
    const worst = this.event.worstInstead(this.market);
    const elsewhere = this.run.locked() - funds.lockedIn(this.market);
    return {
      bidShares: wholeShares(atLeastZero(maxPositionShares - most) as Shares),
      askShares: wholeShares(atLeastZero(maxPositionShares + least) as Shares),
      orderShares: wholeShares(maxOrderShares),
      orderAmount: currencyUnits(maxOrderAmount),
      eventLoss: currencyUnits(atLeastZero(limits.maxEventLoss + worst) as Money),
      categoryLoss: this.lossLeft(limits.maxCategoryLoss, 'category', worst),
      accountLoss: this.lossLeft(limits.maxAccountLoss, 'account', worst),
      locked: maxLocked === null ? null : currencyUnits(atLeastZero(maxLocked - elsewhere) as Money),
      taking: currencyUnits(atLeastZero((limits.taking ?? 0) - guards.takenWithin(run.now)) as Money),
    };
  }

  /** @param worst of the event */
  private lossLeft(limit: Money | null, scope: 'category' | 'account', worst: number): number | null {
    const elsewhere = limit === null ? null : this.run.lossElsewhere(this.eventId, scope);
    if (limit === null || elsewhere === null) return null;
    return currencyUnits(atLeastZero(limit - elsewhere + worst) as Money);
  }

  private get eventId(): EventId {
    return this.parts.terms.get(this.market)!.eventId;
  }

  private get event(): EventExposure {
    return this.parts.positions.exposureOf(this.eventId);
  }
}

const atLeastZero = (amount: number): number => Math.max(0, amount);
