/** The eleven events of the venue and the test event, by name (specification 6.2). */
import type { Static } from 'typebox';
import { shape, type Shape } from '../shape.js';
import { BalanceChanged, DepositSuccess, OrderUpdate, PositionUpdate } from './account-payloads.js';
import { LiveDataUpdate, MarketComment, PriceChange, TestEvent } from './event-payloads.js';
import type { MarketStatusChange } from './market-payloads.js';
import { AnyMarketStatusChange, BestPricesChange, NewMarket, OrderBookUpdate } from './market-payloads.js';

/** What each event carries when sent. */
export interface RealtimePayloads {
  readonly 'best-prices-change': Static<typeof BestPricesChange>;
  readonly 'price-change': Static<typeof PriceChange>;
  readonly 'new-market': Static<typeof NewMarket>;
  readonly 'live-data-update': Static<typeof LiveDataUpdate>;
  readonly 'market-status-change': MarketStatusChange;
  readonly 'market-comment': Static<typeof MarketComment>;
  readonly 'order-book-update': Static<typeof OrderBookUpdate>;
  readonly 'balance-changed': Static<typeof BalanceChanged>;
  readonly 'deposit-success': Static<typeof DepositSuccess>;
  readonly 'order-update': Static<typeof OrderUpdate>;
  readonly 'position-update': Static<typeof PositionUpdate>;
  readonly 'test-event': Static<typeof TestEvent>;
}
export type RealtimeEventName = keyof RealtimePayloads;

/** What each event must look like when received: as sent, but `market-status-change` may be any object. */
export type ReceivedPayloads = Omit<RealtimePayloads, 'market-status-change'> & {
  readonly 'market-status-change': Static<typeof AnyMarketStatusChange>;
};

export const REALTIME_SHAPES: { readonly [Name in RealtimeEventName]: Shape<ReceivedPayloads[Name]> } = {
  'best-prices-change': shape(BestPricesChange),
  'price-change': shape(PriceChange),
  'new-market': shape(NewMarket),
  'live-data-update': shape(LiveDataUpdate),
  'market-status-change': shape(AnyMarketStatusChange),
  'market-comment': shape(MarketComment),
  'order-book-update': shape(OrderBookUpdate),
  'balance-changed': shape(BalanceChanged),
  'deposit-success': shape(DepositSuccess),
  'order-update': shape(OrderUpdate),
  'position-update': shape(PositionUpdate),
  'test-event': shape(TestEvent),
};

/** Which kinds of channel carry an event (specification 6.2). */
export const EVENT_CHANNELS: {
  readonly [Name in RealtimeEventName]: readonly ('global' | 'event' | 'user' | 'test')[];
} = {
  'best-prices-change': ['global', 'event'],
  'price-change': ['global'],
  'new-market': ['global'],
  'live-data-update': ['global'],
  'market-status-change': ['global', 'event'],
  'market-comment': ['global'],
  'order-book-update': ['event'],
  'balance-changed': ['user'],
  'deposit-success': ['user'],
  'order-update': ['user'],
  'position-update': ['user'],
  'test-event': ['test'],
};

export const REALTIME_EVENT_NAMES = Object.keys(REALTIME_SHAPES).filter(isRealtimeEventName);

/** Whether the venue has an event of this name. */
export function isRealtimeEventName(name: string): name is RealtimeEventName {
  return Object.hasOwn(REALTIME_SHAPES, name);
}

/** Realtime writes positions in the short form, REST in words (facts, "Events and markets"). */
export const POSITION_LETTERS = { long: 'l', short: 's' } as const;
