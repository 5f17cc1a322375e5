import { describe, expect, it } from 'vitest';
import {
  EVENT_CHANNELS,
  isRealtimeEventName,
  REALTIME_EVENT_NAMES,
  REALTIME_SHAPES,
} from '../../../../../../src/venues/futuur/protocol/realtime/events.js';
import { PAYLOADS } from '../samples.js';

it('knows the eleven events of the venue and the test event', () => {
  expect(REALTIME_EVENT_NAMES.toSorted()).toEqual(Object.keys(PAYLOADS).toSorted());
  expect(REALTIME_EVENT_NAMES).toHaveLength(12);
  expect(isRealtimeEventName('order-update')).toBe(true);
  expect(isRealtimeEventName('toString')).toBe(false);
});

it('each event travels on the channels of specification 6.2', () => {
  expect(EVENT_CHANNELS).toMatchObject({
    'best-prices-change': ['global', 'event'],
    'market-status-change': ['global', 'event'],
    'order-book-update': ['event'],
    'order-update': ['user'],
    'test-event': ['test'],
  });
});

describe('payloads', () => {
  it.each(REALTIME_EVENT_NAMES)('%s is accepted as the specification writes it', (name) => {
    expect(REALTIME_SHAPES[name].problems(PAYLOADS[name])).toEqual({});
  });

  it.each(REALTIME_EVENT_NAMES)('%s is refused when it is no object', (name) => {
    for (const other of [null, 'text', 7, [PAYLOADS[name]]]) {
      expect(REALTIME_SHAPES[name].accepts(other)).toBe(false);
    }
  });

  /** Members that the specification calls optional or nullable may be missing; these may not. */
  const needed = {
    'best-prices-change': ['market_id', 'event_id', 'currency_mode', 'best_ask', 'best_bid'],
    'price-change': ['id', 'status', 'currency_mode', 'is_wagerable', 'markets'],
    'new-market': ['id', 'title', 'event', 'status'],
    'live-data-update': ['id', 'status', 'is_live'],
    'market-comment': ['id', 'content', 'created_on', 'user', 'question'],
    'order-book-update': ['market_id', 'event_id', 'currency_mode', 'top_n', 'ask', 'bid', 'timestamp'],
    'balance-changed': ['timestamp'],
    'deposit-success': ['amount', 'currency'],
    'order-update': ['order_id', 'market_id', 'status', 'side', 'position', 'price', 'shares_filled'],
    'position-update': ['market_id', 'event_id', 'position', 'currency', 'shares'],
  } as const;
  const cases = Object.entries(needed).flatMap(([name, members]) =>
    members.map((member) => ({ name: name as keyof typeof needed, member })),
  );

  it.each(cases)('$name needs $member', ({ name, member }) => {
    const { [member]: _missing, ...rest } = PAYLOADS[name] as Readonly<Record<string, unknown>>;
    expect(REALTIME_SHAPES[name].problems(rest)).toEqual({ [member]: ['is required'] });
  });
});
