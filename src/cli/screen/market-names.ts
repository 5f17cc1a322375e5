import type { MarketId } from '../../domain/ids.js';
import type { EngineView } from '../../core/engine/observing/view.js';

/**
 * What markets are called where their event does not stand above them: by their title, with that of the event before it
 * where several have the same, and with their number where that does not tell them apart either.
 */
export function marketNames({ markets }: Pick<EngineView, 'markets'>): ReadonlyMap<MarketId, string> {
  const titles = countOf(markets.map(({ title }) => title));
  const fullTitles = countOf(markets.map(fullTitle));
  return new Map(
    markets.map((market) => {
      if (titles.get(market.title) === 1) return [market.marketId, market.title];
      const full = fullTitle(market);
      return [market.marketId, fullTitles.get(full) === 1 ? full : `${full} (${market.marketId})`];
    }),
  );
}

const fullTitle = ({ eventTitle, title }: EngineView['markets'][number]): string => `${eventTitle} ${title}`;

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
