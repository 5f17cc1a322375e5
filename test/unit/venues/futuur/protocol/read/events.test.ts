import { describe, expect, it } from 'vitest';
import { readEvent, readEventPage } from '../../../../../../src/venues/futuur/protocol/read/events.js';
import { EVENT, pageOf } from '../samples.js';

const tickUnitsOf = (id: string): number => (id === '2231' ? 10 : 100);

describe('an event', () => {
  it('is described with its markets, and the tick that configuration states', () => {
    expect(readEvent(EVENT, tickUnitsOf)).toEqual({
      ok: true,
      value: {
        id: '873',
        title: 'Who wins?',
        slug: 'who-wins',
        status: 'open',
        resolutionMode: 'exclusive',
        isLive: null,
        betStart: null,
        betEnd: Date.parse('2026-03-01T00:00:00Z') * 1_000,
        eventStart: null,
        eventEnd: null,
        markets: [
          {
            id: '2231',
            eventId: '873',
            title: 'Candidate A',
            tickUnits: 10,
            status: 'active',
            disabled: null,
            betStart: null,
            betEnd: null,
            resolution: null,
            longLabel: 'Yes',
            shortLabel: 'No',
          },
          {
            id: '2232',
            eventId: '873',
            title: 'Candidate B',
            tickUnits: 100,
            status: 'resolved',
            disabled: null,
            betStart: null,
            betEnd: null,
            resolution: 'short',
            longLabel: '',
            shortLabel: '',
          },
        ],
      },
    });
  });

  it.each([
    ['o', 'open'],
    ['s', 'stopped'],
    ['c', 'resolved'],
    ['x', 'cancelled'],
    ['p', 'paused'],
    ['r', 'reversed'],
    ['paused', 'paused'],
  ])('may spell its status %s', (letter, status) => {
    expect(readEvent({ ...EVENT, status: letter }, tickUnitsOf)).toMatchObject({ value: { status } });
  });

  it.each([
    ['exclusive', 'exclusive'],
    ['non_exclusive', 'non_exclusive'],
    ['other', 'non_exclusive'],
    [null, null],
    [undefined, null],
  ])('whose resolution mode is %s is read as %s: an unknown word as the riskier', (word, mode) => {
    expect(readEvent({ ...EVENT, resolution_mode: word }, tickUnitsOf)).toMatchObject({
      value: { resolutionMode: mode },
    });
  });

  it.each([
    ['no body', undefined, 'body must be object'],
    ['no markets', { ...EVENT, markets: undefined }, 'markets'],
    ['an unknown status', { ...EVENT, status: 'closed' }, 'status: unknown word "closed"'],
    [
      'a market of unknown status',
      { ...EVENT, markets: [{ id: 1, title: 'x', status: 'q' }] },
      'markets.status',
    ],
    [
      'an unknown resolution',
      { ...EVENT, markets: [{ ...EVENT.markets[0], resolution: 'yes' }] },
      'resolution',
    ],
  ])('with %s cannot be placed', (_, received, reason) => {
    expect(readEvent(received, tickUnitsOf)).toEqual({
      ok: false,
      reason: expect.stringContaining(reason) as string,
    });
  });
});

it('a listing of events says how many there are', () => {
  expect(readEventPage(pageOf(EVENT), tickUnitsOf)).toMatchObject({
    ok: true,
    value: { total: 1, nextOffset: null, events: [{ id: '873' }] },
  });
});
