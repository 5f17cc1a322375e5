import type { LinkInput } from '../../../domain/inputs.js';
import type { Micros } from '../../../domain/units.js';
import type { Alarms } from './alarms.js';
import type { Notices } from './notices.js';
import type { Effect } from '../../../domain/effects.js';
import type { Desk } from '../../execution/desk.js';

/** What this part of the engine works with. */
export interface ConnectionParts {
  readonly desk: Desk;
  readonly notices: Notices;
}

/** Tells a person when the realtime connection is lost, refused or back. */
export class ConnectionNews {
  private wasLost = false;

  constructor(
    private readonly notices: Notices,
    private readonly alarms: Alarms,
  ) {}

  changed({ state, reason }: LinkInput, at: Micros): void {
    if (state === 'refused') return this.alarms.realtimeRefused(reason, at);
    if (state === 'lost') this.lost(reason, at);
    else if (this.wasLost) this.notices.info('connection-back', 'the realtime connection is back', null, at);
    this.wasLost = state === 'lost';
  }

  private lost(reason: string, at: Micros): void {
    const text = `the realtime connection is lost (${reason}); nothing is quoted until it is back and everything was read anew`;
    this.notices.warn('connection-lost', text, null, at);
  }
}

/** How long to wait for a private frame after the quotes were cancelled, in microseconds; then the channel is joined anew. */
const SILENCE_PROBE = 5_000_000;

const SILENT = 'orders were accepted and no private frame tells of them; nothing is quoted until one does';
const REASON = 'the private channel is silent';

/**
 * Handles a private channel that has fallen silent. Quotes are withdrawn, and without orders no frame would ever prove that
 * the channel works again. So it is joined anew over a new connection, once for every silence.
 */
export class PrivateSilence {
  #since: Micros | null = null;
  #isAsked = false;

  constructor(private readonly parts: ConnectionParts) {}

  /** Says that fills may go unheard. @returns the connection to be made anew, once in every silence */
  review(at: Micros): Effect | null {
    const { desk, notices } = this.parts;
    if (!desk.isPrivateFeedSilent(at)) return this.#over();
    this.#since ??= at;
    notices.error('private-feed-silent', SILENT, at);
    if (this.#isAsked || at < this.#since + SILENCE_PROBE) return null;
    this.#isAsked = true;
    return { kind: 'reconnect', reason: REASON };
  }

  /** When {@link review} may have something to do; null when only a frame changes anything. */
  nextDue(): Micros | null {
    return this.#since === null || this.#isAsked ? null : ((this.#since + SILENCE_PROBE) as Micros);
  }

  #over(): null {
    this.#since = null;
    this.#isAsked = false;
    return null;
  }
}
