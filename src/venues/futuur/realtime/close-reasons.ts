import { CLOSE_CODES, closeReaction } from '../protocol/pusher-close-codes.js';

/** Why the realtime service ended a connection, as far as it said so. */
export interface CloseReason {
  readonly code: number;
  readonly message: string;
}

const ADVICE: Readonly<Record<number, string>> = {
  [CLOSE_CODES.unknownApplication]: 'check the application key and the cluster or host in the configuration',
  [CLOSE_CODES.unsupportedVersion]: 'the service no longer speaks to this client',
  [CLOSE_CODES.unsupportedProtocol]: 'the service does not speak this protocol',
  [CLOSE_CODES.noProtocol]: 'the service does not speak this protocol',
  [CLOSE_CODES.unauthorized]: 'the application does not admit this connection',
};

/**
 * Whether coming back is pointless: the application, the protocol or the admission is wrong (4001 to 4099), or TLS is
 * demanded where the configuration says none. Codes of 4300 and above are no verdict, though pusher-js ends there.
 */
export const isFinal = ({ code }: CloseReason): boolean => {
  const reaction = closeReaction(code);
  return reaction === 'tls-only' || (reaction === 'ended' && code < CLOSE_CODES.overCapacity);
};

/** For a person: what happened and what to do. */
export function explain({ code, message }: CloseReason): string {
  const said = message === '' ? `code ${code}` : `code ${code}, ${message}`;
  if (!isFinal({ code, message })) return `the realtime service closed the connection (${said})`;
  const advice = closeReaction(code) === 'tls-only' ? 'switch on TLS in the configuration' : ADVICE[code];
  return `the realtime service refuses this client (${said})${advice === undefined ? '' : `: ${advice}`}`;
}
