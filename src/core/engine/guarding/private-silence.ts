import type { Effect } from '../../../domain/effects.js';
import type { Micros } from '../../../domain/units.js';
import type { EngineParts } from '../parts.js';
import { SILENCE_PROBE } from '../patience.js';

const SILENT = 'orders were accepted and no private frame tells of them; nothing is quoted until one does';
const REASON = 'the private channel is silent';

/**
 * What is done about a private channel that has fallen silent. Its quotes are withdrawn, and once nothing stands any more no
 * frame would ever say that it speaks again: it is joined anew over a new connection.
 */
export class PrivateSilence {
  #since: Micros | null = null;
  #isAsked = false;

  constructor(private readonly parts: Pick<EngineParts, 'desk' | 'notices'>) {}

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
