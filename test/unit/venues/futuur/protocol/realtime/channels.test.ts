import { describe, expect, it } from 'vitest';
import { accountId, eventId } from '../../../../../../src/domain/ids.js';
import {
  eventChannel,
  GLOBAL_CHANNEL,
  isChannelName,
  isPrivateChannel,
  parseChannel,
  subscriptionChange,
  TEST_CHANNEL,
  userChannel,
} from '../../../../../../src/venues/futuur/protocol/realtime/channels.js';

describe('channel names', () => {
  it('are built and read back', () => {
    expect(parseChannel(GLOBAL_CHANNEL)).toEqual({ kind: 'global' });
    expect(parseChannel(TEST_CHANNEL)).toEqual({ kind: 'test' });
    expect(eventChannel(eventId(873))).toBe('event-873');
    expect(parseChannel('event-873')).toEqual({ kind: 'event', eventId: '873' });
    expect(userChannel(accountId(1))).toBe('private-user-1');
    expect(parseChannel('private-user-1')).toEqual({ kind: 'user', userId: '1' });
  });

  it.each([
    '',
    'events',
    'event-',
    'event-x',
    'event-01',
    'event--1',
    'event-1.5',
    'event-9007199254740993',
    'private-user-',
    'private-user-1-2',
    'private-event-1',
    'user-1',
    'Event',
  ])('%j stands for nothing', (name) => {
    expect(parseChannel(name)).toEqual({ kind: 'unknown' });
  });

  it('are private by their prefix', () => {
    expect(isPrivateChannel('private-user-1')).toBe(true);
    expect(isPrivateChannel('event-1')).toBe(false);
  });

  it.each([
    ['private-user-1', { kind: 'account' }],
    ['event-873', { kind: 'event', eventId: '873' }],
    [GLOBAL_CHANNEL, { kind: 'other' }],
    ['event-x', { kind: 'other' }],
  ])('%s is told to the core as %j', (channel, about) => {
    expect(subscriptionChange(channel, 'refused', 'no')).toEqual({
      kind: 'subscription',
      channel,
      about,
      state: 'refused',
      reason: 'no',
    });
  });

  it('hold the characters that Pusher allows, and not too many', () => {
    expect(isChannelName('private-user-1')).toBe(true);
    expect(isChannelName('')).toBe(false);
    expect(isChannelName('a b')).toBe(false);
    expect(isChannelName('x'.repeat(165))).toBe(false);
  });
});
