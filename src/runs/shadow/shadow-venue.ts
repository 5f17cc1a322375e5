import type { MarketId } from '../../domain/ids.js';
import { complement, type Micros, type Money } from '../../domain/units.js';
import type { Currency, CurrencyMode } from '../../domain/vocabulary.js';
import type { ForeignMoment, OrderRequest, TradeEvent } from '../../exchange/contract.js';
import { accountId, eventId, marketId as listedMarket, type OrderId } from '../../exchange/contract/ids.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../exchange/defaults.js';
import type { BookChange } from '../../storage/index.js';
import { momentsOf } from '../../venues/simulated/book-changes.js';
import type { LatencyModel } from '../../venues/simulated/models/latency.js';
import { type LiquidityModels, untilRefreshed } from '../../venues/simulated/models/liquidity.js';
import { SimulatedVenue } from '../../venues/simulated/simulated-venue.js';
import type { ComparedOrder, ShadowFill } from './shadow-figures.js';

/** What is assumed of fills in one simulation. */
export interface FillModel
  extends Pick<LiquidityModels, 'queue'>, Partial<Pick<LiquidityModels, 'consumption'>> {
  readonly name: string;
  /** Whether a level of others that crosses an order of ours fills it. */
  readonly crossing: ForeignMoment['crossing'];
}

export interface ShadowVenueOptions {
  readonly fillModel: FillModel;
  readonly mode: CurrencyMode;
  /** Price units per tick. */
  readonly tickUnits: ReadonlyMap<MarketId, number>;
  readonly onFill: (order: ComparedOrder, fill: ShadowFill) => void;
}

const ACCOUNT = accountId(1);
const EVENT = eventId(1);
const CURRENCY: Readonly<Record<CurrencyMode, Currency>> = { play_money: 'OOM', real_money: 'USDC' };
const RETENTION = { orders: 1_000, trades: 1_000, wagerActions: 1_000 };
/** Money never limits what was really ordered. */
const RICH = 1_000_000_000_000_000 as Money;
const AT_ONCE: LatencyModel = { feed: () => 0, request: () => 0, response: () => 0 };

/** The simulated venue with the recorded books of others, and the bot's recorded orders in the same queues. */
export class ShadowVenue {
  readonly #venue: SimulatedVenue;
  readonly #shown = new Set<MarketId>();
  /** Orders that stand here, by the venue's id. */
  readonly #standing = new Map<OrderId, ComparedOrder>();
  readonly #ids = new Map<ComparedOrder, OrderId>();
  #now = 0 as Micros;
  /** The order that arrives, while it trades on arrival. */
  #arriving: ComparedOrder | null = null;

  constructor(private readonly options: ShadowVenueOptions) {
    const { fillModel, mode, tickUnits } = options;
    const markets = [...tickUnits].map(([id, ticks]) =>
      marketConfig({ id: listedMarket(id), title: `Market ${id}`, tickUnits: ticks }),
    );
    this.#venue = new SimulatedVenue({
      exchange: exchangeConfig({
        duplicateWindowMs: 0,
        retention: RETENTION,
        accounts: [accountConfig({ id: ACCOUNT, username: 'bot', balances: { [CURRENCY[mode]]: RICH } })],
        events: [
          eventConfig({
            id: EVENT,
            title: 'Recorded',
            resolutionMode: 'non_exclusive',
            minAmount: 1 as Money,
            maxAmount: RICH,
            markets,
          }),
        ],
      }),
      liquidity: { consumption: untilRefreshed, ...fillModel },
      account: ACCOUNT,
      mode,
      latency: AT_ONCE,
      rateLimit: null,
      bookCacheMs: 0,
      timeoutMs: Infinity,
      now: () => this.#now,
      keyOf: String,
      onTrade: (trade) => this.#traded(trade),
    });
  }

  /** Whether a book of the market was shown. */
  knows(market: MarketId): boolean {
    return this.#shown.has(market);
  }

  /** An order that would trade with another order of ours is refused, and stands nowhere. */
  enter(compared: ComparedOrder): void {
    const { marketId, side, price, requested, placedAt } = compared.order;
    this.#passTo(placedAt);
    this.#arriving = compared;
    const currency = CURRENCY[this.options.mode];
    const order: OrderRequest = {
      marketId: listedMarket(marketId),
      eventId: null,
      side: 'bid',
      position: side === 'bid' ? 'long' : 'short',
      currency,
      price: side === 'bid' ? price : complement(price),
      shares: requested,
      amount: null,
      expiresAt: null,
      cancelConflicting: false,
    };
    const outcome = this.#venue.execute({ kind: 'place-order', account: ACCOUNT, request: null, order });
    this.#arriving = null;
    if (!outcome.ok) return;
    this.#ids.set(compared, outcome.order.id);
    this.#standing.set(outcome.order.id, compared);
  }

  leave(compared: ComparedOrder): void {
    const orderId = this.#ids.get(compared);
    if (orderId === undefined) return;
    this.#venue.execute({ kind: 'cancel-order', account: ACCOUNT, orderId });
    this.#ids.delete(compared);
    this.#standing.delete(orderId);
  }

  /** Shows a recorded change of a book. */
  show(change: BookChange): void {
    const { mode, fillModel, tickUnits } = this.options;
    const { crossing } = fillModel;
    this.#shown.add(change.marketId);
    this.#passTo(change.at);
    const market = { mode, crossing, tickUnits: tickUnits.get(change.marketId)! };
    for (const moment of momentsOf(change, market)) this.#show(moment);
  }

  #show(moment: ForeignMoment): void {
    this.#venue.show(moment);
    this.#venue.publish();
  }

  #passTo(at: Micros): void {
    if (at > this.#now) this.#now = at;
  }

  #traded({ maker, taker, price, shares, at }: TradeEvent): void {
    const made =
      maker.account === ACCOUNT && maker.orderId !== null ? this.#standing.get(maker.orderId) : undefined;
    if (made !== undefined) this.options.onFill(made, { at, price, shares, liquidity: 'maker' });
    if (taker.account === ACCOUNT && this.#arriving !== null)
      this.options.onFill(this.#arriving, { at, price, shares, liquidity: 'taker' });
  }
}
