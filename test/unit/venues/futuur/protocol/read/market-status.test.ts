import { describe, expect, it } from 'vitest';
import { feedInput } from '../../../../../../src/venues/futuur/protocol/read/frames.js';
import { PAYLOADS } from '../samples.js';

const read = (payload: unknown, channel = 'event-873') => feedInput('market-status-change', channel, payload);

describe('market-status-change', () => {
  it('is understood in full', () => {
    expect(read(PAYLOADS['market-status-change'])).toEqual({
      kind: 'market-status',
      understood: true,
      eventId: '873',
      marketId: '2231',
      status: 'paused',
      betStart: null,
      betEnd: Date.parse('2026-03-01T00:00:00Z') * 1_000,
      disabled: false,
      venueTime: Date.parse('2026-01-31T09:30:00.250Z') * 1_000,
    });
  });

  it('leaves out what the payload does not say', () => {
    expect(read({ event_id: 873, market_id: null, status: 's' })).toEqual({
      kind: 'market-status',
      understood: true,
      eventId: '873',
      marketId: null,
      status: 'stopped',
      venueTime: null,
    });
  });

  it('takes the event from the channel when the payload names none', () => {
    expect(read({ disabled: true })).toMatchObject({ understood: true, eventId: '873', disabled: true });
    expect(read({ disabled: true }, 'event')).toMatchObject({ understood: false, eventId: null });
  });

  it.each([
    ['nothing', {}],
    ['no tradability field', { event_id: 873, market_id: 2231, comment: 'hi' }],
    ['an unknown status', { event_id: 873, market_id: 2231, status: 'frozen' }],
    ['a status that is no text', { event_id: 873, status: 3 }],
    ['an unreadable date', { event_id: 873, status: 'open', bet_end_date: 'soon' }],
    ['a flag that is no flag', { event_id: 873, status: 'open', disabled: 'no' }],
    ['a market that is no id', { event_id: 873, market_id: 'A', status: 'open' }],
    ['no object', 'paused'],
    ['null', null],
    ['a list', [{ event_id: 873, status: 'open' }]],
  ])('that says %s is not understood, but still names the event it concerns', (_, payload) => {
    expect(read(payload)).toMatchObject({ kind: 'market-status', understood: false, eventId: '873' });
  });
});
