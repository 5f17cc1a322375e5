import type { Answer, AnswerBody, RequestFailure } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import { reactionToRefusal } from '../../execution/reactions.js';
import type { Notices } from './notices.js';

/** Something that only a person can mend, while quotes may stand. It lasts until it is mended. */
export interface Alarm {
  /** Stable, kebab-case. */
  readonly code: 'keys-refused' | 'throttled' | 'journal' | 'realtime-refused';
  readonly text: string;
}

/** So long may the venue turn every request away before quotes that nobody can move are an alarm. */
const THROTTLED_US = 3_600_000_000;
const TOO_MANY_REQUESTS = 429;
/** What the venue answers whoever asks (specification 4): such an answer says nothing about keys. */
const PUBLIC: ReadonlySet<AnswerBody['kind']> = new Set(['read-book', 'read-event']);

/** What pages a person: said once as an error, and shown as long as it lasts. */
export class Alarms {
  readonly #notices: Notices;
  readonly #standing = new Map<Alarm['code'], Alarm>();
  /** When the venue began to turn every request away; null while it answers. */
  #throttledSince: Micros | null = null;

  constructor(notices: Notices) {
    this.#notices = notices;
  }

  get standing(): readonly Alarm[] {
    return [...this.#standing.values()];
  }

  /** Whether {@link review} has nothing to wait for. */
  get isCalm(): boolean {
    return this.#throttledSince === null;
  }

  answered({ outcome, sentAt }: Answer, at: Micros): void {
    if (!outcome.ok) return this.#failed(outcome.failure, at);
    if (!PUBLIC.has(outcome.body.kind)) this.#standing.delete('keys-refused');
    if (outcome.body.kind === 'create-orders') this.#standing.delete('journal');
    this.#heardOf(sentAt ?? at);
  }

  /** Nobody tries again: what the venue objects to is in the configuration, or with the venue. */
  realtimeRefused(reason: string, at: Micros): void {
    const text = `${reason}. Nothing is quoted, and no further attempt is made: mend it, then start the bot again`;
    this.#raise('realtime-refused', text, at);
  }

  /** @param isQuoted asked when it matters: whether orders of ours may stand */
  review(isQuoted: () => boolean, at: Micros): void {
    const since = this.#throttledSince;
    if (since === null || at < since + THROTTLED_US || !isQuoted()) return;
    this.#raise(
      'throttled',
      'the venue has turned every request away for an hour; quotes stand unattended',
      at,
    );
  }

  /** When time alone may raise one; null when it cannot. */
  nextDue(at: Micros): Micros | null {
    if (this.#throttledSince === null) return null;
    const due = (this.#throttledSince + THROTTLED_US) as Micros;
    return due > at ? due : null;
  }

  /** What was sent before the first request was turned away may be answered later: that ends no silence. */
  #heardOf(sentAt: Micros): void {
    if (this.#throttledSince !== null && sentAt < this.#throttledSince) return;
    this.#throttledSince = null;
    this.#standing.delete('throttled');
  }

  #failed(failure: RequestFailure, at: Micros): void {
    if (failure.kind === 'not-sent') {
      if (failure.reason === 'journal')
        this.#raise('journal', 'the journal takes no records: no order is created any more', at);
      return;
    }
    if (failure.kind !== 'refused') return;
    if (failure.status === TOO_MANY_REQUESTS) this.#throttledSince ??= at;
    else if (reactionToRefusal(failure).kind === 'keys-refused')
      this.#raise(
        'keys-refused',
        `the venue refuses the keys (${failure.code}): cancel by hand what stands there`,
        at,
      );
  }

  #raise(code: Alarm['code'], text: string, at: Micros): void {
    if (this.#standing.has(code)) return;
    this.#standing.set(code, { code, text });
    this.#notices.error(`alarm-${code}`, text, at);
  }
}
