import type { ExchangeCore } from '../../../exchange/contract.js';
import type { PusherApplication } from '../../realtime/session.js';
import type { CommandFunnel } from '../../command-funnel.js';
import type { BookCache } from '../book-cache.js';

/** What the endpoints work with. Reads go to the exchange, changes through the funnel. */
export interface EndpointParts {
  readonly exchange: ExchangeCore;
  readonly funnel: CommandFunnel;
  readonly bookCache: BookCache;
  readonly application: PusherApplication;
}
