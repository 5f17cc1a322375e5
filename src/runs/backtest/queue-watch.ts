/** Where our orders stood in their queues when trades reached them: only the simulated venue knows. */
import type { RunAnalyst } from '../../analytics/run-analyst.js';
import { type MarketId, marketId, type OrderId, orderId } from '../../domain/ids.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { ExchangeCore, QueuePlace, TradeEvent } from '../../exchange/contract.js';
import { marketId as listedMarket, orderId as listedOrder } from '../../exchange/contract/ids.js';
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
      const place = exchange.queuePlace(listedMarket(market), this.mode, listedOrder(order));
      if (place !== null) this.places.set(order, place);
    }
  }

  /** Somebody traded. Of several trades of one order in one moment the first counts. */
  traded(analyst: RunAnalyst, { maker, marketId: market }: TradeEvent): void {
    if (maker.account !== ACCOUNT || maker.orderId === null) return;
    const order = orderId(maker.orderId);
    const place = this.places.get(order);
    if (place === undefined) return;
    this.places.delete(order);
    analyst.queued(order, marketId(market), place.ahead, place.others);
  }
}
