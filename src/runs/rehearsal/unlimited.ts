import { PRICE_ONE } from '../../domain/units.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { RiskLimits } from '../../core/risk/index.js';

const MUCH = 1e15;

/**
 * The same engine with limits and budget so wide that nothing is refused or waits; every rule is asked all the same. It takes
 * its events from the configuration; outcomes of which that says nothing exclude each other, so that their quotes are compared, too. Only for engines that no venue listens to.
 */
export const unlimited = (options: EngineOptions): EngineOptions => ({
  ...options,
  events: options.events.map((event) => ({
    ...event,
    resolutionMode: event.resolutionMode ?? 'exclusive',
  })),
  instances: options.instances.map((owner) => ({ ...owner, limits: widened(owner.limits) })),
  budget: { ...options.budget, perMinute: MUCH, perDay: MUCH },
  mirror: { ...options.mirror, eventSource: 'configuration' },
});

const widened = (limits: RiskLimits): RiskLimits => ({
  ...limits,
  maxOrderShares: MUCH as RiskLimits['maxOrderShares'],
  maxOrderAmount: MUCH as RiskLimits['maxOrderAmount'],
  maxPositionShares: MUCH as RiskLimits['maxPositionShares'],
  maxEventLoss: MUCH as RiskLimits['maxEventLoss'],
  maxLocked: MUCH as RiskLimits['maxLocked'],
  maxLoss: MUCH as RiskLimits['maxLoss'],
  priceCollar: PRICE_ONE,
  ordersPerMinute: MUCH,
});
