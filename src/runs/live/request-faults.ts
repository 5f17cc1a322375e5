import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import { JournalError, type JournalFault } from '../../core/ports/journal.js';
import type { Logger } from '../../core/ports/logger.js';

/** A fault that went on is told again after so long without it. */
const QUIET_US = 60_000_000;

/** Tells a log of faults on the way of requests; what every request meets while a journal takes nothing, once. */
export function toldFaults(clock: Pick<Clock, 'now'>, logger: Logger): (error: Error) => void {
  const faults = new JournalFaults(clock, logger);
  return (error) => {
    if (error instanceof JournalError) faults.met(error);
    else logger.error('a request met a fault', { err: error });
  };
}

class JournalFaults {
  #fault: JournalFault | null = null;
  #metAt = 0 as Micros;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly logger: Logger,
  ) {}

  met({ fault, message }: JournalError): void {
    const now = this.clock.now();
    const isKnown = fault === this.#fault && now - this.#metAt < QUIET_US;
    this.#fault = fault;
    this.#metAt = now;
    if (isKnown) return;
    this.logger.error(
      `the journal takes no record: ${message}. Cancels leave, no order is created; ${ADVICE[fault]}`,
    );
  }
}

const UNTIL_IT_DOES = 'once it takes records again, orders are';
const ADVICE: Readonly<Record<JournalFault, string>> = {
  'disk-full': `make room: ${UNTIL_IT_DOES}`,
  'write-failed': `look at the disk: ${UNTIL_IT_DOES}`,
  'sync-failed': 'look at the disk, then start the bot again: until then none is',
  removed:
    'stop the bot, which withdraws everything and proves it, and start it again (or put the folder back as it was): ' +
    'after a crash no start would know what stands',
  closed: 'the run is ending',
};
