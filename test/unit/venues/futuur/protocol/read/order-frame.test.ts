import { describe, expect, test } from 'vitest';
import { eventText } from '../../../../../../src/venues/futuur/protocol/pusher-frames.js';
import { frameInput } from '../../../../../../src/venues/futuur/protocol/read/frames.js';
import { readOrderFrame } from '../../../../../../src/venues/futuur/protocol/read/order-frame.js';
import { REALTIME_EVENT_NAMES } from '../../../../../../src/venues/futuur/protocol/realtime/events.js';
import { messageOf } from '../../../../../../src/exchange-server/realtime/publisher.js';
import { ALICE, BOB, TestVenue } from '../../../../../support/exchange/test-venue.js';
import { PAYLOADS } from '../samples.js';

const CHANNEL = 'private-user-1';

/** The frames about orders that the exchange sends after the latest command, as it writes them. */
function framesOf(venue: TestVenue): string[] {
  return venue.events.flatMap((event) => {
    const message = messageOf(event, venue.exchange);
    if (message?.event !== 'order-update') return [];
    return message.channels.map((channel) =>
      eventText(message.event, channel, JSON.stringify(message.payload())),
    );
  });
}

const otherwise = (text: string): unknown => {
  const { event, channel, data } = JSON.parse(text) as Record<'event' | 'channel' | 'data', string>;
  return { event, channel, input: frameInput(event, channel, JSON.parse(data)) };
};

/** Each is read from its text, as everybody else would read it. @returns what they say of the order's status */
function read(venue: TestVenue): string[] {
  return framesOf(venue).map((text) => {
    const frame = readOrderFrame(text);
    expect(frame).toStrictEqual(otherwise(text));
    return frame!.input.report.status;
  });
}

describe('the scan reads what the exchange sends', () => {
  test('of an order that opens, is filled in part, and is cancelled', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 7 @ 0.6', { expiresAt: venue.after(3_600) });
    expect(read(venue)).toEqual(['open']);
    venue.placed(BOB, 'bid short 3.01 @ 0.4');
    expect(read(venue)).toEqual(['open', 'partial_filled', 'filled']);
    venue.cancel(ALICE, bid.id);
    expect(read(venue)).toEqual(['canceled']);
  });

  test('of an order that is filled at several prices, so that its average has many digits', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 1 @ 0.61');
    venue.placed(ALICE, 'bid long 2 @ 0.6');
    venue.placed(BOB, 'bid short 3 @ 0.5');
    expect(framesOf(venue).join('\n')).toContain('0.3966666666666');
    expect(read(venue)).toEqual(['open', 'filled', 'filled', 'filled']);
  });

  test('of an order that the venue ends', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 7 @ 0.6');
    venue.resolve({ 100: 'long', 101: 'short' });
    expect(framesOf(venue)).toEqual([expect.stringContaining('is_system_initiated')]);
    expect(read(venue)).toEqual(['canceled']);
  });
});

test.each(REALTIME_EVENT_NAMES.filter((name) => name !== 'order-update'))(
  'what looks like an update of an order is none where it is called %s',
  (name) => {
    const payload = { ...PAYLOADS['order-update'], expired_at: '2026-02-01T00:00:00.000Z' };
    const text = (event: string): string => eventText(event, CHANNEL, JSON.stringify(payload));
    expect(readOrderFrame(text('order-update'))).not.toBeNull();
    expect(readOrderFrame(text(name))).toBeNull();
  },
);
