/** Bugs inside the engine, put over its methods: nothing that a configuration or a start could reach. */
import type { MarketId, OrderId } from '../../../../src/domain/ids.js';
import type { OrderReport } from '../../../../src/domain/orders.js';
import type { Engine } from '../../../../src/core/engine/engine.js';
import type { MarketOrders } from '../../../../src/core/execution/orders/order-blotter.js';
import type { Ownership } from '../../../../src/core/execution/orders/order-life.js';
import type { OwnOrder } from '../../../../src/core/execution/orders/own-order.js';

/** Every fill is booked twice. */
export function doubleFills(engine: Engine): void {
  const { portfolio } = engine['parts'].positions;
  const fill = portfolio.fill.bind(portfolio);
  portfolio.fill = (booked, at) => {
    fill(booked, at);
    fill(booked, at);
  };
}

/** Whatever works in the account is the bot's, whoever placed it. */
export function handsForgotten(engine: Engine): void {
  const { orders } = engine['parts'].desk;
  const own = orders.own.bind(orders);
  orders.own = (market: MarketId): MarketOrders => {
    const all = own(market);
    for (const order of all.working) (order as { ownership: Ownership }).ownership = 'ours';
    return all;
  };
}

/** Shares are shares, whatever they were paid with. */
export function oneCurrency(engine: Engine): void {
  const { positions } = engine['parts'];
  const filled = positions.filled.bind(positions);
  positions.filled = (fill, ...rest) => filled({ ...fill, currency: positions.currency }, ...rest);
}

/** What a listing does not show is gone, and a listing of nothing shows that everything is. */
export function credulous(engine: Engine): void {
  const { orders } = engine['parts'].desk;
  const listed = orders.listed.bind(orders);
  orders.listed = (found, startedAt, at) => {
    const gone = found.length > 0 ? [] : [...orders.markets()].flatMap((id) => [...orders.own(id).working]);
    for (const order of gone) if (order.orderId !== null) orders.reported(canceled(order, order.orderId), at);
    return listed(found, startedAt, at);
  };
}

const canceled = (
  { eventId, marketId, side, position, currency, price, requested, filled, expiresAt }: OwnOrder,
  orderId: OrderId,
): OrderReport => ({
  orderId,
  eventId,
  marketId,
  side,
  position,
  currency,
  price,
  requested,
  filled,
  expiresAt,
  status: 'canceled',
  averageFillPrice: null,
  createdAt: null,
});

/** The private channel never falls silent. */
export function deafToSilence(engine: Engine): void {
  engine['parts'].desk.isPrivateFeedSilent = () => false;
}

/** Orders on the short side that are leaving cannot be in the way of anything on the long side. */
export function blindPlanning(engine: Engine): void {
  const blinded = blinders(engine, (order) => order.position === 'short' && isLeaving(order));
  for (const quoter of engine['quoters'].all()) quoter.replan = blinded(quoter.replan.bind(quoter));
}

/** What an update is under way for, or in doubt, counts for nothing: neither the old order nor the new one. */
export function blindExposure(engine: Engine): void {
  const blinded = blinders(engine, isBeingUpdated);
  const exposure = engine['quoters']['exposure'];
  exposure.tellChanged = blinded(exposure.tellChanged.bind(exposure));
  exposure.mayFill = blinded(exposure.mayFill.bind(exposure));
}

const isLeaving = ({ state }: OwnOrder): boolean => state !== 'live' && state !== 'creating';

const isBeingUpdated = (order: OwnOrder, { working }: MarketOrders): boolean =>
  order.state === 'updating' ||
  order.doubt === 'update' ||
  working.some(({ successor, state }) => successor === order && state !== 'live');

type Hidden = (order: OwnOrder, all: MarketOrders) => boolean;
type Blinded = <Args extends unknown[], Result>(act: (...args: Args) => Result) => (...args: Args) => Result;

/** @returns what makes a function see no hidden orders while it runs */
function blinders(engine: Engine, hidden: Hidden): Blinded {
  const { orders } = engine['parts'].desk;
  const own = orders.own.bind(orders);
  let isBlind = false;
  orders.own = (market: MarketId): MarketOrders => {
    const all = own(market);
    if (!isBlind) return all;
    return { ...all, working: all.working.filter((order) => !hidden(order, all)) };
  };
  return (act) =>
    (...args) => {
      isBlind = true;
      try {
        return act(...args);
      } finally {
        isBlind = false;
      }
    };
}
