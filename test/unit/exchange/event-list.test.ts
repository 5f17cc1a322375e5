import { describe, expect, test } from 'vitest';
import { InvariantError } from '../../../src/domain/errors.js';
import type { ExchangeEvent } from '../../../src/exchange/contract.js';
import { ALICE, BOB, EVENT, order, RED, TestVenue } from '../../support/exchange/test-venue.js';

describe('the events of a command', () => {
  /** One taker against a hundred makers: more than the log has room for at first. */
  function sweep(venue: TestVenue) {
    for (let price = 0; price < 100; price++) venue.placed(BOB, 'bid short 1 @ 0.5');
    return venue.exchange.execute(
      { kind: 'place-order', account: ALICE, request: null, order: order('bid long 100 @ 0.5') },
      venue.at,
    );
  }

  test('can be had one by one, all at once and in turn', () => {
    const { events } = sweep(new TestVenue());
    const all = events.toArray();
    expect(all.length).toBe(events.length);
    expect([...events]).toEqual(all);
    all.forEach((event, place) => {
      expect(events.at(place)).toEqual(event);
      expect(events.kind(place)).toBe(event.kind);
    });
    expect(all.filter(({ kind }) => kind === 'trade')).toHaveLength(100);
  });

  test('are those of one command, and not read after the next', () => {
    const venue = new TestVenue();
    const { events } = sweep(venue);
    const kept: ExchangeEvent[] = events.toArray();
    const later = venue.exchange.execute(
      { kind: 'set-event-status', eventId: EVENT, status: 'paused' },
      venue.at,
    );
    expect(() => events.at(0)).toThrow(InvariantError);
    expect(() => events.kind(0)).toThrow(InvariantError);
    expect(() => events.toArray()).toThrow(InvariantError);
    expect(kept[0]).toMatchObject({ kind: 'order-update' });
    expect(later.events.toArray().every(({ kind }) => kind !== 'trade')).toBe(true);
  });

  test('end where they end', () => {
    const { exchange, at } = new TestVenue();
    const { events } = exchange.execute({ kind: 'set-market-status', marketId: RED, status: 'paused' }, at);
    expect(() => events.at(events.length)).toThrow(InvariantError);
    expect(() => events.at(-1)).toThrow(InvariantError);
  });
});
