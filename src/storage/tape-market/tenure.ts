/** Which of the account's orders are those of the bot that recorded them. */
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { OrderReport } from '../../domain/orders.js';
import type { EngineStart } from '../tape/engine-start.js';

/** As much as a run began with. */
export type TenureStart = Pick<EngineStart, 'ownership' | 'recovered'>;

/**
 * All of them, but for markets in which others trade under the account, too: there only what answers named for it. One
 * whose answer was lost counts as somebody else's there.
 */
export class Tenure {
  #shared: ReadonlySet<MarketId> = new Set();
  /** Of such markets, until the order is met. */
  readonly #named = new Set<OrderId>();

  begins({ ownership, recovered }: TenureStart): void {
    const shared = ownership.$entries.filter(([, tenure]) => tenure === 'shared');
    this.#shared = new Set(shared.map(([market]) => market));
    for (const record of recovered)
      if (record.kind === 'own-orders') record.orderIds.forEach((id) => this.#named.add(id));
  }

  /** An answer to the bot gave the order this number. */
  named({ marketId, orderId }: OrderReport): void {
    if (this.#shared.has(marketId)) this.#named.add(orderId);
  }

  /** Asked once of every order. */
  isOurs({ marketId, orderId }: OrderReport): boolean {
    return !this.#shared.has(marketId) || this.#named.delete(orderId);
  }
}
