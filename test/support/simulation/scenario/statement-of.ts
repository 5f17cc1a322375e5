import type { Statement } from '../auditor/statement.js';
import type { SimulatedBot } from '../simulated-bot.js';

/** The word of a running bot; null while none does. */
export function statementOf(bot: SimulatedBot | null): Statement | null {
  if (bot === null || bot.end !== null) return null;
  const { markets, balance } = bot.view;
  return {
    quotes: markets.flatMap(({ marketId: market, quotes }) =>
      quotes.map(({ side, price, shares }) => ({ market: numberOf(market), side, price, shares })),
    ),
    holdings: markets.map(({ marketId: market, inventory: { long, short } }) => ({
      market: numberOf(market),
      long,
      short,
    })),
    cash: balance.free,
    heldBack: bot.engine['parts'].funds.margin.amount,
  };
}

/** The number in a market's name: that of a second venue has letters besides. */
const numberOf = (market: string): number => Number(market.replaceAll(/\D/g, ''));
