import type { BotSettings, ExchangeSettings } from '../../../../src/settings/index.js';
import type { Charter } from '../auditor/rule.js';
import { MAKER } from '../world.js';

/** What issue and configuration promise of a house; the auditor knows nothing else of it. */
export function charterOf(bot: BotSettings, exchange: ExchangeSettings): Charter {
  const { taker, maker } = exchange.fees[bot.currencyMode];
  return {
    account: MAKER,
    replayMaxAgeMs: 5_000,
    echoMs: 5_000,
    fee: Math.max(taker, maker, 0),
    events: bot.events.map((event) => {
      const markets = event.markets.map(({ id }) => id);
      const owner = bot.instances.find((instance) => instance.markets.some((id) => markets.includes(id)))!;
      return {
        event: event.id,
        isExclusiveScope: event.markets[0]?.ownership === 'exclusive',
        isExclusiveOutcome: event.resolutionMode === 'exclusive',
        markets,
        maxPositionShares: owner.limits.maxPositionShares,
        maxEventLoss: owner.limits.maxEventLoss,
      };
    }),
  };
}
