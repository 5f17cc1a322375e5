import type { Micros } from '../../../domain/units.js';
import { FRESHNESS, type Freshness } from '../../mirror/books/freshness.js';
import type { EngineParts, QuotedMarket } from '../parts.js';

/** The strategy threw or answered nonsense. */
export const STRATEGY_FAULT = 'strategy-fault';
/** The venue says that more outcomes may come true than was counted with. */
const RESOLUTION_CONTRADICTED = 'resolution-contradicted';
const PRIVATE_FEED_SILENT = 'private-feed-silent';

/** Has the private channel fallen silent, or spoken again, since the market was last looked at? */
export const isFeedNews = ({ desk }: EngineParts, { halt }: QuotedMarket, now: Micros): boolean =>
  desk.isPrivateFeedSilent(now) ? halt === null : halt === PRIVATE_FEED_SILENT;

/**
 * Why a market may not be quoted now, in a stable kebab-case word; null when it may. The strongest reason first: a
 * person reads only one.
 * @param freshness of its book, as the look just found it
 */
export function haltOf(
  parts: EngineParts,
  quoter: QuotedMarket,
  freshness: Freshness,
  now: Micros,
): string | null {
  const { life, killSwitch, mirror, desk } = parts;
  if (killSwitch.state !== null) return 'killed';
  if (life.phase === 'stopping' || life.phase === 'ended') return life.phase;
  const tradability = mirror.tradability(quoter.marketId, now);
  if (tradability.state !== 'tradable') return tradability.reason;
  if (mirror.market(quoter.marketId).event.claims.isContradicted) return RESOLUTION_CONTRADICTED;
  if (freshness !== FRESHNESS.live && freshness !== FRESHNESS.hidden) return freshness.reason;
  if (desk.isPrivateFeedSilent(now)) return PRIVATE_FEED_SILENT;
  if (quoter.stance.out !== null) return quoter.stance.out;
  if (quoter.owner.instance.fault !== null) return STRATEGY_FAULT;
  return life.phase === 'starting' ? 'starting' : null;
}
