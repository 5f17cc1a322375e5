import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../ports/clock.js';
import type { Transport } from '../../venue/rest/transport.js';

const MINUTE = 60_000_000;

/**
 * The same transport, one request at a time and in no minute more than so many: what a guard may send of the venue's
 * allowance. A request that is over it waits; none is dropped.
 */
export function pacedTransport(transport: Transport, perMinute: number, clock: Clock): Transport {
  const sentAt: number[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const allowed = async (): Promise<void> => {
    const oldest = sentAt.length < perMinute ? undefined : sentAt.shift();
    const due = oldest === undefined ? 0 : oldest + MINUTE - clock.monotonic();
    if (due > 0) await new Promise<void>((go) => clock.at((clock.now() + due) as Micros, go));
    sentAt.push(clock.monotonic());
  };
  return {
    send: (request) => {
      const sent = turn.then(allowed).then(() => transport.send(request));
      turn = sent.catch(() => undefined);
      return sent;
    },
    close: () => transport.close(),
  };
}
