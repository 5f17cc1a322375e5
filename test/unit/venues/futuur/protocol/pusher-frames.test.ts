import { describe, expect, it } from 'vitest';
import {
  CLOSE_CODES,
  closeReaction,
  byteLength,
  errorText,
  establishedText,
  eventText,
  parseClientFrame,
  parseServerFrame,
  PING_TEXT,
  PONG_TEXT,
  refusedText,
  subscribedText,
  subscribeText,
  unsubscribeText,
} from '../../../../../src/venues/futuur/protocol/pusher-frames.js';

describe('frames of the server', () => {
  it('have their data encoded twice, as protocol 7 wants it', () => {
    expect(establishedText('12.34', 120)).toBe(
      '{"event":"pusher:connection_established","data":"{\\"socket_id\\":\\"12.34\\",\\"activity_timeout\\":120}"}',
    );
    expect(subscribedText('event-873')).toBe(
      '{"event":"pusher_internal:subscription_succeeded","channel":"event-873","data":"{}"}',
    );
    expect(eventText('order-update', 'private-user-1', '{"price":0.10,"t":"é\\""}')).toBe(
      '{"event":"order-update","channel":"private-user-1","data":"{\\"price\\":0.10,\\"t\\":\\"é\\\\\\"\\"}"}',
    );
    expect(errorText(4201, 'Pong reply not received')).toBe(
      '{"event":"pusher:error","data":{"code":4201,"message":"Pong reply not received"}}',
    );
  });

  it.each([
    [establishedText('12.34', 120), { kind: 'established', socketId: '12.34', activityTimeoutS: 120 }],
    [subscribedText('event'), { kind: 'subscribed', channel: 'event' }],
    [
      refusedText('private-user-2', 403, 'another account'),
      { kind: 'refused', channel: 'private-user-2', status: 403, reason: 'another account' },
    ],
    [errorText(null, 'no'), { kind: 'error', code: null, message: 'no' }],
    [PING_TEXT, { kind: 'ping' }],
    [PONG_TEXT, { kind: 'pong' }],
    [
      eventText('test-event', 'test-channel', '{"a":[1,"x"]}'),
      { kind: 'event', event: 'test-event', channel: 'test-channel', data: { a: [1, 'x'] } },
    ],
    [
      '{"event":"x","channel":"event","data":"no json"}',
      { kind: 'event', event: 'x', channel: 'event', data: 'no json' },
    ],
    [
      '{"event":"x","channel":"event","data":"null"}',
      { kind: 'event', event: 'x', channel: 'event', data: null },
    ],
    ['{"event":"x","channel":"event"}', { kind: 'event', event: 'x', channel: 'event', data: undefined }],
  ])('%s is read by a client', (text, frame) => {
    expect(parseServerFrame(text)).toEqual({ ok: true, value: frame });
  });

  it.each([
    ['', 'the frame is not a JSON object with an event'],
    ['[]', 'the frame is not a JSON object with an event'],
    ['{"data":{}}', 'the frame is not a JSON object with an event'],
    ['{"event":"x"}', 'x without a channel'],
    ['{"event":"pusher:connection_established","data":"{}"}', 'a handshake without socket_id'],
  ])('%s is refused by a client', (text, reason) => {
    expect(parseServerFrame(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) as string });
  });
});

describe('frames of a client', () => {
  it.each([
    [subscribeText('event', null), { kind: 'subscribe', channel: 'event', auth: null }],
    [subscribeText('event', 'unused'), { kind: 'subscribe', channel: 'event', auth: null }],
    [subscribeText('private-user-1', 'k:s'), { kind: 'subscribe', channel: 'private-user-1', auth: 'k:s' }],
    [unsubscribeText('event'), { kind: 'unsubscribe', channel: 'event' }],
    [PING_TEXT, { kind: 'ping' }],
    [PONG_TEXT, { kind: 'pong' }],
    ['{"event":"pusher:ping","data":"{}"}', { kind: 'ping' }],
    [
      '{"event":"pusher:subscribe","data":"{\\"channel\\":\\"event\\"}"}',
      { kind: 'subscribe', channel: 'event', auth: null },
    ],
    [
      '{"event":"client-hello","channel":"private-user-1","data":{}}',
      { kind: 'client-event', event: 'client-hello', channel: 'private-user-1' },
    ],
  ])('%s is read by a server', (text, frame) => {
    expect(parseClientFrame(text)).toEqual({ ok: true, value: frame });
  });

  it.each([
    ['no json', 'the frame is not a JSON object with an event'],
    ['null', 'the frame is not a JSON object with an event'],
    ['{"event":5}', 'the frame is not a JSON object with an event'],
    ['{"event":"pusher:subscribe","data":{}}', 'pusher:subscribe without a channel'],
    ['{"event":"pusher:subscribe","data":{"channel":7}}', 'pusher:subscribe without a channel'],
    ['{"event":"order-update","data":{"channel":"event"}}', 'unknown event order-update'],
  ])('%s is refused by a server', (text, reason) => {
    expect(parseClientFrame(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) as string });
  });
});

it.each(['', 'plain', 'é', '€', '🎲', 'a é € 🎲 z'])('the length of %j is counted in UTF-8 bytes', (text) => {
  expect(byteLength(text)).toBe(Buffer.byteLength(text));
});

describe('close codes', () => {
  it.each([
    [1000, 'as-lost'],
    [1002, 'back-off'],
    [1004, 'back-off'],
    [1006, 'as-lost'],
    [4000, 'tls-only'],
    [4001, 'ended'],
    [4099, 'ended'],
    [4100, 'back-off'],
    [4200, 'at-once'],
    [4299, 'at-once'],
    [4300, 'ended'],
    [5000, 'ended'],
  ])('%i: a client takes the connection %s', (code, reaction) => {
    expect(closeReaction(code)).toBe(reaction);
  });

  it('that the exchange sends never switch a client to TLS', () => {
    expect(Object.values(CLOSE_CODES).map(closeReaction)).not.toContain('tls-only');
  });
});
