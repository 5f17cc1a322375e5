/** Why a Pusher connection ends, and what `pusher-js` 8.6 then does (protocol 7, observed behaviour). */
import { isPrivateChannel } from './realtime/channels.js';
import type { Placed } from './read/placed.js';

/** Codes the bundled exchange may send. 4000 is missing on purpose: it switches a client to TLS for good. */
export const CLOSE_CODES = {
  unknownApplication: 4001,
  unsupportedVersion: 4006,
  unsupportedProtocol: 4007,
  noProtocol: 4008,
  unauthorized: 4009,
  overCapacity: 4100,
  reconnect: 4200,
  pongTimeout: 4201,
  inactive: 4202,
} as const;
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];

/**
 * `tls-only` switches to TLS, `ended` never reconnects, `back-off` waits a second or more, `at-once`
 * reconnects immediately, `as-lost` treats it like any lost connection.
 */
export type CloseReaction = 'tls-only' | 'ended' | 'back-off' | 'at-once' | 'as-lost';

/** What a client does with a close code. */
export function closeReaction(code: number): CloseReaction {
  if (code < 4000) return code >= 1002 && code <= 1004 ? 'back-off' : 'as-lost';
  if (code === 4000) return 'tls-only';
  if (code < 4100) return 'ended';
  if (code < 4200) return 'back-off';
  return code < 4300 ? 'at-once' : 'ended';
}

/**
 * Pusher protocol 7 without IO, for both sides: what a text frame says, and the text of a frame. `data` is
 * encoded twice: a JSON text inside the JSON frame; clients send it as an object, which is accepted too.
 */

export const PUSHER_PROTOCOL = 7;
/** Where a client connects: `/app/<key>?protocol=7&client=...`. */
export const PUSHER_PATH_PREFIX = '/app/';

const ESTABLISHED = 'pusher:connection_established';
const ERROR = 'pusher:error';
const PING = 'pusher:ping';
const PONG = 'pusher:pong';
const SUBSCRIBE = 'pusher:subscribe';
const UNSUBSCRIBE = 'pusher:unsubscribe';
const SUBSCRIBED = 'pusher_internal:subscription_succeeded';
const REFUSED = 'pusher:subscription_error';
const CLIENT_PREFIX = 'client-';

/** What a client says. `client-event` is a `client-...` event: legitimate framing that this venue refuses. */
export type ClientFrame =
  | { readonly kind: 'subscribe'; readonly channel: string; readonly auth: string | null }
  | { readonly kind: 'unsubscribe'; readonly channel: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'client-event'; readonly event: string; readonly channel: string };

/** What a server says. `data` of an event is parsed once more; text that is no JSON stays text. */
export type ServerFrame =
  | { readonly kind: 'established'; readonly socketId: string; readonly activityTimeoutS: number }
  | { readonly kind: 'subscribed'; readonly channel: string }
  | { readonly kind: 'refused'; readonly channel: string; readonly status: number; readonly reason: string }
  | { readonly kind: 'error'; readonly code: number | null; readonly message: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'event'; readonly event: string; readonly channel: string; readonly data: unknown };

/** Server side: reads a client's frame. */
export function parseClientFrame(text: string): Placed<ClientFrame> {
  const frame = parseEnvelope(text);
  if (frame === null) return { ok: false, reason: 'the frame is not a JSON object with an event' };
  const data = members(frame.data);
  const channel = textOf(data['channel']);
  if (frame.event === PING) return { ok: true, value: { kind: 'ping' } };
  if (frame.event === PONG) return { ok: true, value: { kind: 'pong' } };
  if (frame.event.startsWith(CLIENT_PREFIX)) {
    return { ok: true, value: { kind: 'client-event', event: frame.event, channel: frame.channel ?? '' } };
  }
  if (channel === null) return { ok: false, reason: `${frame.event} without a channel` };
  if (frame.event === UNSUBSCRIBE) return { ok: true, value: { kind: 'unsubscribe', channel } };
  if (frame.event !== SUBSCRIBE) return { ok: false, reason: `unknown event ${frame.event.slice(0, 64)}` };
  return { ok: true, value: { kind: 'subscribe', channel, auth: textOf(data['auth']) } };
}

/** Client side: reads a server's frame. */
export function parseServerFrame(text: string): Placed<ServerFrame> {
  const frame = parseEnvelope(text);
  if (frame === null) return { ok: false, reason: 'the frame is not a JSON object with an event' };
  if (frame.event === PING || frame.event === PONG) {
    return { ok: true, value: { kind: frame.event === PING ? 'ping' : 'pong' } };
  }
  if (frame.event === ERROR) return { ok: true, value: errorFrame(members(frame.data)) };
  if (frame.event === ESTABLISHED) return establishedFrame(members(frame.data));
  const { channel, event, data } = frame;
  if (channel === null) return { ok: false, reason: `${event.slice(0, 64)} without a channel` };
  if (event === SUBSCRIBED) return { ok: true, value: { kind: 'subscribed', channel } };
  if (event === REFUSED) return { ok: true, value: refusedFrame(channel, members(data)) };
  return { ok: true, value: { kind: 'event', event, channel, data } };
}

/** @param activityTimeoutS seconds of silence after which the client pings */
export const establishedText = (socketId: string, activityTimeoutS: number): string =>
  frameText(ESTABLISHED, null, JSON.stringify({ socket_id: socketId, activity_timeout: activityTimeoutS }));

export const subscribedText = (channel: string): string => frameText(SUBSCRIBED, channel, '{}');

/** A refused subscription. @param status HTTP status of the reason: 401 or 403 for a bad authorisation */
export const refusedText = (channel: string, status: number, reason: string): string =>
  frameText(REFUSED, channel, JSON.stringify({ type: 'AuthError', error: reason, status }));

/** Unlike the others, the data of an error is an object (protocol 7). */
export const errorText = (code: number | null, message: string): string =>
  JSON.stringify({ event: ERROR, data: { code, message } });

/** @param json the payload as JSON text, serialised once however many subscribers there are */
export const eventText = (event: string, channel: string, json: string): string =>
  frameText(event, channel, json);

export const PING_TEXT = JSON.stringify({ event: PING, data: {} });
export const PONG_TEXT = JSON.stringify({ event: PONG, data: {} });

/** A client's subscription. @param auth needed on private channels only */
export function subscribeText(channel: string, auth: string | null): string {
  const data = isPrivateChannel(channel) && auth !== null ? { auth, channel } : { channel };
  return JSON.stringify({ event: SUBSCRIBE, data });
}

export const unsubscribeText = (channel: string): string =>
  JSON.stringify({ event: UNSUBSCRIBE, data: { channel } });

/** UTF-8 bytes of a message's data: what Pusher's limit counts. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Two units of a surrogate pair make four bytes, other units up to three.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

interface Envelope {
  readonly event: string;
  readonly channel: string | null;
  readonly data: unknown;
}

function parseEnvelope(text: string): Envelope | null {
  const frame = members(parsed(text));
  const event = textOf(frame['event']);
  if (event === null) return null;
  const { data } = frame;
  const decoded = typeof data === 'string' ? parsed(data) : data;
  return { event, channel: textOf(frame['channel']), data: decoded === undefined ? data : decoded };
}

function establishedFrame(data: Readonly<Record<string, unknown>>): Placed<ServerFrame> {
  const socketId = textOf(data['socket_id']);
  const timeout = data['activity_timeout'];
  if (socketId === null || typeof timeout !== 'number') {
    return { ok: false, reason: 'a handshake without socket_id or activity_timeout' };
  }
  return { ok: true, value: { kind: 'established', socketId, activityTimeoutS: timeout } };
}

const errorFrame = (data: Readonly<Record<string, unknown>>): ServerFrame => ({
  kind: 'error',
  code: typeof data['code'] === 'number' ? data['code'] : null,
  message: textOf(data['message']) ?? '',
});

const refusedFrame = (channel: string, data: Readonly<Record<string, unknown>>): ServerFrame => ({
  kind: 'refused',
  channel,
  status: typeof data['status'] === 'number' ? data['status'] : 0,
  reason: textOf(data['error']) ?? '',
});

/** The double encoding: `json` becomes a JSON string inside the JSON frame. */
function frameText(event: string, channel: string | null, json: string): string {
  const head = `{"event":${JSON.stringify(event)}`;
  const place = channel === null ? '' : `,"channel":${JSON.stringify(channel)}`;
  return `${head}${place},"data":${JSON.stringify(json)}}`;
}

/** undefined when it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const members = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
