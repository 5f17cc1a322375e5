import { eventId, marketId } from '../../domain/ids.js';
import type { BotSettings } from '../../settings/index.js';
import type { Logger } from '../../ops/telemetry/logger.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';

/**
 * Cancels every market that is ours alone, one after the other, for a bot whose engine cannot be asked any more. Shared
 * markets are left alone: without the engine nobody knows which orders there are ours.
 * @param logger told of each market in which orders may remain
 */
export async function withdrawExclusiveMarkets(
  { events }: Pick<BotSettings, 'events'>,
  rest: Pick<RestClient, 'cancelScope'>,
  logger: Pick<Logger, 'error'>,
): Promise<void> {
  for (const event of events)
    for (const market of event.markets.filter(({ ownership }) => ownership === 'exclusive')) {
      const scope = { kind: 'market', eventId: eventId(event.id), marketId: marketId(market.id) } as const;
      const outcome = await rest.cancelScope(scope);
      if (!outcome.ok)
        logger.error('orders may remain in this market', { marketId: market.id, failure: outcome.failure });
    }
}
