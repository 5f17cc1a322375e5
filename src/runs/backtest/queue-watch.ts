/** Where our orders stood in their queues when trades reached them: only the simulated venue knows. */
import type { RunAnalyst } from '../../analytics/run-analyst.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { ExchangeCore, QueuePlace, TradeEvent } from '../../exchange/contract.js';
import { ACCOUNT } from './stage.js';

/** Looks at the queues just before prints come, and tells of those of our orders that traded. */
export class QueueWatch {
  private readonly standing = new Map<MarketId, readonly OrderId[]>();
  private readonly places = new Map<OrderId, QueuePlace>();

  constructor(private readonly mode: CurrencyMode) {}

  /** For the engine: which orders stand, as far as it knows. */
  readonly observer: EngineObserver = {
    standing: (market, _at, orders) => {
      this.standing.set(
        market,
        orders.flatMap(({ orderId }) => orderId ?? []),
      );
    },
  };

  /** Prints are about to reach a book. */
  look(exchange: ExchangeCore, market: MarketId): void {
    this.places.clear();
    for (const order of this.standing.get(market) ?? []) {
      const place = exchange.queuePlace(market, this.mode, order);
      if (place !== null) this.places.set(order, place);
    }
  }

  /** Somebody traded. Of several trades of one order in one moment the first counts. */
  traded(analyst: RunAnalyst, { maker, marketId }: TradeEvent): void {
    const place = maker.orderId === null ? undefined : this.places.get(maker.orderId);
    if (maker.account !== ACCOUNT || maker.orderId === null || place === undefined) return;
    this.places.delete(maker.orderId);
    analyst.queued(maker.orderId, marketId, place.ahead, place.others);
  }
}
