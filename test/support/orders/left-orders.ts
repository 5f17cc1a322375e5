/** A venue on which a dead bot left orders, as whoever withdraws them in its place sees it. */
import type { MarketId, OrderId } from '../../../src/domain/ids.js';
import type { OrderReport } from '../../../src/domain/orders.js';
import type { Micros } from '../../../src/domain/units.js';
import type { VirtualClock } from '../clocks/virtual-clock.js';
import type { RestClient } from '../../../src/venues/futuur/rest/rest-client.js';
import { meaningOfRefusal } from '../../../src/venues/futuur/protocol/errors.js';

type Rest = Pick<RestClient, 'activeOrders' | 'batchCancel' | 'cancelScope' | 'cancelWholeAccount' | 'me'>;
type Failure = Extract<Awaited<ReturnType<Rest['activeOrders']>>, { readonly ok: false }>['failure'];

export const LOST: Failure = { kind: 'unknown', reason: 'ECONNRESET' };
export const throttled = (retryAfterMs: number): Failure => ({
  kind: 'refused',
  status: 429,
  code: 'Throttled',
  means: 'throttled',
  detail: 'too many requests',
  retryAfterMs,
});
export const refusal = (status: number, code: string): Failure => ({
  kind: 'refused',
  status,
  code,
  means: meaningOfRefusal({ status, code }),
  detail: '',
  retryAfterMs: null,
});

const USER = {
  id: 1,
  username: 'maker',
  email: 'maker@example.org',
  wallet: {},
  email_confirmed: true,
  real_currency_enabled: true,
  kyc_status: 'no_need' as const,
};

export class LeftOrders {
  readonly calls: { readonly name: keyof Rest; readonly at: Micros }[] = [];
  /** Outcomes of the next calls, in turn; undefined: it works. */
  readonly failures: (Failure | undefined)[] = [];
  /** Listings show nothing, whatever stands. */
  isBlind = false;
  /** Orders in processing cannot be cancelled yet. */
  readonly processing = new Set<OrderId>();

  constructor(
    readonly clock: VirtualClock,
    public orders: OrderReport[],
  ) {}

  get ids(): OrderId[] {
    return this.orders.map(({ orderId }) => orderId);
  }

  /** Whether the venue knows the keys. */
  knowsKeys = true;

  readonly rest: Rest = {
    me: () => this.#answer('me', () => USER),
    activeOrders: () => this.#answer('activeOrders', () => (this.isBlind ? [] : this.orders)),
    cancelScope: (scope) =>
      this.#answer('cancelScope', () => this.#cancelScope(scope.kind === 'market' ? scope.marketId : null)),
    cancelWholeAccount: () => this.#answer('cancelWholeAccount', () => this.#cancelScope(null)),
    batchCancel: (ids) =>
      this.#answer('batchCancel', () => ({
        kind: 'cancel-orders',
        items: ids.map((id) =>
          this.#take((order) => order.orderId === id).length > 0
            ? ({ ok: true, value: id } as const)
            : ({ ok: false, code: 'ItemRefused', means: 'unstated' } as const),
        ),
      })),
  };

  #cancelScope(market: MarketId | null) {
    const canceledIds = this.#take(({ marketId }) => market === null || marketId === market);
    return { kind: 'cancel-scope', canceledIds, processingIds: [...this.processing] } as const;
  }

  #take(matches: (order: OrderReport) => boolean): OrderId[] {
    const taken = this.orders.filter((order) => matches(order) && !this.processing.has(order.orderId));
    this.orders = this.orders.filter((order) => !taken.includes(order));
    return taken.map(({ orderId }) => orderId);
  }

  #answer<Value>(name: keyof Rest, effect: () => Value) {
    const sentAt = this.clock.now();
    this.calls.push({ name, at: sentAt });
    const failure = this.knowsKeys ? this.failures.shift() : refusal(401, 'InvalidHMACKey');
    return Promise.resolve(
      failure === undefined
        ? ({ ok: true, value: effect(), sentAt } as const)
        : ({ ok: false, failure, sentAt } as const),
    );
  }
}
