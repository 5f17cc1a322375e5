import type { MarketId } from '../../../domain/ids.js';
import type { Answer, AnswerBody, RequestFailure } from '../../../domain/answers.js';
import type { Micros } from '../../../domain/units.js';
import { reactionToRefusal } from '../../execution/reactions.js';
import type { OrderPace } from '../../execution/sending/order-pace.js';
import type { Notices } from './notices.js';

/** How long after refused orders may be asked for again it shows whether they are refused again, in microseconds. */
const ASKED_AGAIN = 60_000_000;
/** How long the venue may turn every request away before that is an alarm, in microseconds. */
const TURNED_AWAY = 3_600_000_000;

/** A problem that only a person can solve, while quotes may stand. The alarm lasts until the problem is solved. */
export interface Alarm {
  /** Stable, kebab-case. */
  readonly code:
    'keys-refused' | 'throttled' | 'journal' | 'realtime-refused' | 'orders-refused' | 'orders-paced';
  readonly text: string;
}

/** How long the limit of orders has to bind before that is an alarm, in microseconds. */
const PACED = 5_000_000;

/** A venue may answer these without keys: such an answer proves nothing about keys. */
const PUBLIC: ReadonlySet<AnswerBody['kind']> = new Set(['read-book', 'read-event']);

/** Alarms: each is said once as an error, and shown as long as it lasts. */
export class Alarms {
  readonly #notices: Notices;
  readonly #standing = new Map<Alarm['code'], Alarm>();
  /** When the venue began to turn every request away; null while it answers otherwise. */
  #throttledSince: Micros | null = null;
  /** Markets whose orders the venue refuses by rules that we do not know. */
  readonly #refusing = new Map<MarketId, { readonly text: string; readonly until: number }>();

  constructor(notices: Notices) {
    this.#notices = notices;
  }

  get standing(): readonly Alarm[] {
    return [...this.#standing.values()];
  }

  answered({ outcome, sentAt }: Answer, at: Micros): void {
    if (!outcome.ok) return this.#failed(outcome.failure, at);
    if (!PUBLIC.has(outcome.body.kind)) this.#standing.delete('keys-refused');
    if (outcome.body.kind === 'create-orders') this.#standing.delete('journal');
    this.#heardOf(sentAt ?? at);
  }

  /** The connection is not tried again: the cause lies in the configuration, or with the venue. */
  realtimeRefused(reason: string, at: Micros): void {
    const text = `${reason}. Nothing is quoted, and no further attempt is made: mend it, then start the bot again`;
    this.#raise('realtime-refused', text, at);
  }

  /**
   * The venue refuses orders by rules that are not configured, so less is quoted than intended.
   * @param refused what it refuses, for people; no such order is sent before `until`
   */
  ordersRefused(
    market: MarketId,
    refused: { readonly text: string; readonly until: Micros },
    at: Micros,
  ): void {
    const { text, until } = refused;
    this.#refusing.set(market, { text, until: until + ASKED_AGAIN });
    this.#raise('orders-refused', this.#refusals(), at);
    this.#standing.set('orders-refused', { code: 'orders-refused', text: this.#refusals() });
  }

  /** A person resumed, or rules changed: orders are asked for again. */
  ordersMayPass(): void {
    this.#refusing.clear();
    this.#standing.delete('orders-refused');
  }

  /** Quotes of an instance stand, but move less often than wanted. */
  paced(paces: readonly OrderPace[], at: Micros): void {
    const binding = paces.filter((pace) => at - (pace.bindsSince(at) ?? at) >= PACED);
    if (binding.length === 0) return void this.#standing.delete('orders-paced');
    const limits = binding.map(({ perMinute }) => perMinute).join(', ');
    const text =
      `limits.ordersPerMinute (${limits}) binds: quotes stand but move less often than wanted, the most mispriced ` +
      'first. Raise it, quote fewer markets, or raise quoting.toleranceTicks or quoting.minRestMs';
    this.#raise('orders-paced', text, at);
  }

  /** @param isQuoted whether own orders may stand; called only when it matters */
  review(isQuoted: () => boolean, at: Micros): void {
    for (const [market, { until }] of this.#refusing) if (at >= until) this.#passes(market);
    const since = this.#throttledSince;
    if (since === null || at < since + TURNED_AWAY || !isQuoted()) return;
    this.#raise(
      'throttled',
      'the venue has turned every request away for an hour; quotes stand unattended',
      at,
    );
  }

  /** When time alone may raise an alarm; null when it cannot. */
  nextDue(at: Micros): Micros | null {
    const throttled = this.#throttledSince === null ? Infinity : this.#throttledSince + TURNED_AWAY;
    let due = throttled > at ? throttled : Infinity;
    for (const { until } of this.#refusing.values()) due = Math.min(due, until);
    return due === Infinity ? null : (due as Micros);
  }

  #passes(market: MarketId): void {
    this.#refusing.delete(market);
    if (this.#refusing.size === 0) return this.ordersMayPass();
    this.#standing.set('orders-refused', { code: 'orders-refused', text: this.#refusals() });
  }

  #refusals(): string {
    const markets = [...this.#refusing].map(([market, { text }]) => `market ${market}: ${text}`);
    return `the venue refuses orders by rules that are not configured: ${markets.join('; ')}. Configure them, or resume`;
  }

  /** A request sent before the first refusal may be answered later: that does not end the silence. */
  #heardOf(sentAt: Micros): void {
    if (this.#throttledSince !== null && sentAt < this.#throttledSince) return;
    this.#throttledSince = null;
    this.#standing.delete('throttled');
  }

  #failed(failure: RequestFailure, at: Micros): void {
    if (failure.kind === 'not-sent') {
      if (failure.reason === 'journal')
        this.#raise(
          'journal',
          'the journal takes no records, as on a full disk or when it was removed (the log says why): no order is created until it does',
          at,
        );
      return;
    }
    if (failure.kind !== 'refused') return;
    if (failure.means === 'throttled') this.#throttledSince ??= at;
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
