/** Why a Pusher connection ends, and what `pusher-js` 8.6 then does (protocol 7, observed behaviour). */

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
