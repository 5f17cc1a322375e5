/** The bot's own scheduler, fed with the plans that its own reconciler makes. */
import * as ids from '../../../src/domain/ids.js';
import type { Approved } from '../../../src/domain/effects.js';
import type { MarketId, OrderId } from '../../../src/domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../../src/domain/orders.js';
import type { Micros, Money, PriceUnits, Shares } from '../../../src/domain/units.js';
import { approvePlan, type Gate } from '../../../src/core/execution/planning/plan.js';
import type { RequestBudget } from '../../../src/core/execution/sending/budget.js';
import { RequestIds } from '../../../src/core/execution/sending/sent-requests.js';
import { TrackedOrder } from '../../../src/core/execution/orders/tracked-order.js';
import { reconcile, type ReconcilePolicy } from '../../../src/core/execution/planning/reconcile.js';
import { Scheduler } from '../../../src/core/execution/sending/scheduler.js';
import { marketTerms } from '../orders/market-terms.js';
import type { LaggingMarket } from './markets.js';
import { type Moves, movesOf, type Sender } from './senders.js';
import { FUTUUR } from '../../../src/venues/futuur/protocol/profile.js';

const TICK_UNITS = 100;
/** The quotes stand so many ticks from the fair value. */
const DISTANCE = 2;
const POLICY: ReconcilePolicy = {
  shyUnits: 0,
  boldUnits: 0,
  missingShares: 0,
  excessShares: 0,
  minRestMs: 0,
  change: { of: ['price', 'size', 'expiry'] },
};
const SCHEDULING = {
  quoteLifetimeMs: 2_000,
  otherLifetimeMs: 10_000,
  firstPauseMs: 250,
  lastPauseMs: 15_000,
  throttledMs: 1_000,
};
const RICH = { cash: 1e15 as Money, long: 0 as Shares, short: 0 as Shares };
const GATE: Gate = {
  create: (order) => order as Approved<LimitOrder>,
  replace: (to, replaced) => {
    const { price, shares, expiresAt } = to;
    const orderId = replaced.orderId as OrderId;
    const item: OrderReplacement = { orderId, place: to, price, shares, expiresAt, says: 'price' };
    return item as Approved<OrderReplacement>;
  },
};

export class ScheduledSender implements Sender {
  readonly #scheduler: Scheduler;
  readonly #orders: (readonly TrackedOrder[])[];
  #second = 0;

  constructor(
    private readonly markets: readonly LaggingMarket[],
    budget: RequestBudget,
  ) {
    this.#scheduler = new Scheduler(budget, new RequestIds(), FUTUUR, SCHEDULING, () => ({
      bid: null,
      ask: null,
    }));
    this.#orders = markets.map((market) => standing(market, market.quote));
  }

  moved(second: number, at: number): void {
    this.#second = second;
    for (const market of this.markets) this.#offer(market, at);
  }

  due(at: number): readonly Moves[] {
    return this.#scheduler.due(at as Micros).map((effect) => {
      if (effect.request.kind !== 'replace-orders') throw new Error(`a request to ${effect.request.kind}`);
      const concerned = new Set(
        effect.request.replacements.map(({ orderId }) => Math.floor(Number(orderId) / 2)),
      );
      const markets = [...concerned].map((index) => this.markets[index]!);
      for (const { index } of markets) for (const order of this.#orders[index]!) order.state = 'updating';
      return movesOf(effect.requestId, markets, this.#second);
    });
  }

  nextDue(at: number): number {
    return this.#scheduler.nextDue(at as Micros) ?? Infinity;
  }

  answered({ requestId, markets, to }: Moves, at: number): void {
    for (const [place, market] of markets.entries())
      this.#orders[market.index] = standing(market, to[place]!);
    const body = { kind: 'replace-orders', items: [] } as const;
    const answer = { kind: 'answer', requestId, sentAt: at as Micros, outcome: { ok: true, body } } as const;
    this.#scheduler.answered(answer, at as Micros);
    for (const market of markets) this.#offer(market, at);
  }

  #offer(market: LaggingMarket, at: number): void {
    const desired = ordersOf(market, market.path[this.#second]!);
    const now = at as Micros;
    const terms = marketTerms({ marketId: idOf(market), tickUnits: TICK_UNITS });
    const plan = reconcile(
      desired,
      this.#orders[market.index]!,
      { terms, free: RICH, fair: null, now, venueNow: now },
      POLICY,
    );
    this.#scheduler.offer(approvePlan(idOf(market), plan, GATE));
  }
}

/** Orders that rest at the venue, open and untouched; the id says which market they belong to. */
const standing = (market: LaggingMarket, fair: number): readonly TrackedOrder[] =>
  ordersOf(market, fair).map((wanted, side) => {
    const order = new TrackedOrder(wanted, wanted, side, 0 as Micros);
    order.orderId = ids.orderId(2 * market.index + side);
    order.state = 'live';
    order.stage = 'open';
    return order;
  });

/** A bid on long and one on short, each {@link DISTANCE} from fair. */
const ordersOf = (market: LaggingMarket, fair: number): readonly LimitOrder[] =>
  (['long', 'short'] as const).map((position) => ({
    eventId: ids.eventId(1),
    marketId: idOf(market),
    side: 'bid',
    position,
    currency: 'OOM',
    price: priceOf(position, fair),
    shares: (100 * market.size) as Shares,
    expiresAt: null,
  }));

const idOf = ({ index }: LaggingMarket): MarketId => ids.marketId(1 + index);

function priceOf(position: 'long' | 'short', fair: number): PriceUnits {
  const own = position === 'long' ? fair : 100 - fair;
  return ((own - DISTANCE) * TICK_UNITS) as PriceUnits;
}
