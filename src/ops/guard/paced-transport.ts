import type { Clock } from '../../core/ports/clock.js';
import type { Transport } from '../../venues/futuur/rest/transport.js';
import { pauseFor } from './clearance.js';
import type { GuardShare } from './guard-share.js';

/** Why a request did not leave that still waited when the end came. */
export const ENDING = 'ending';

export interface Pacing {
  readonly share: Pick<GuardShare, 'take'>;
  readonly clock: Clock;
  /** Ends the wait of requests that have not left. */
  readonly signal: AbortSignal;
}

/**
 * The same transport, one request at a time and within a guard's share of the venue's allowance. A request that is over
 * it waits; none is dropped before the signal.
 */
export function pacedTransport(transport: Transport, { share, clock, signal }: Pacing): Transport {
  let turn: Promise<unknown> = Promise.resolve();
  /** @returns whether it may leave */
  const allowed = async (): Promise<boolean> => {
    for (let wait = share.take(); wait > 0; wait = share.take()) {
      if (signal.aborted) return false;
      await pauseFor(clock, Math.ceil(wait / 1_000), signal);
    }
    return true;
  };
  return {
    send: (request) => {
      const sent = turn
        .then(allowed)
        .then((mayLeave) =>
          mayLeave ? transport.send(request) : { kind: 'not-sent' as const, reason: ENDING },
        );
      turn = sent.catch(() => undefined);
      return sent;
    },
    close: () => transport.close(),
  };
}
