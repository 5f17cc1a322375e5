import type { Answer, RequestFailure } from '../../../domain/answers.js';
import type { Micros } from '../../../domain/units.js';
import type { EngineParts } from '../parts.js';

/** Mostly everything is gone by then. */
const FIRST_AFTER = 5_000_000;
const AGAIN_AFTER = 30_000_000;
const MICROS_PER_SECOND = 1_000_000;

/** While everything is being withdrawn a person waits: what for is told when it takes long, and again now and then. */
export class WithdrawalNews {
  #tellAt: number | null = null;
  /** What the venue answered last, where that was no success. */
  #failure: string | null = null;

  constructor(private readonly parts: Pick<EngineParts, 'desk' | 'life' | 'notices'>) {}

  answered({ outcome }: Answer): void {
    this.#failure = outcome.ok ? null : (wordsOf(outcome.failure) ?? this.#failure);
  }

  review(at: Micros): void {
    if (this.parts.desk.withdrawal.state !== 'withdrawing') {
      this.#tellAt = null;
      return;
    }
    this.#tellAt ??= at + FIRST_AFTER;
    if (at < this.#tellAt) return;
    this.#tellAt = at + AGAIN_AFTER;
    this.parts.notices.warn('withdrawing', this.#text(at), null, at);
  }

  #text(at: Micros): string {
    const { desk, life } = this.parts;
    const { left, overAt } = desk.withdrawal;
    const orders = `${left} ${left === 1 ? 'order' : 'orders'} may stand`;
    const failure = this.#failure === null ? '' : `; the venue answered last: ${this.#failure}`;
    const seconds = Math.max(0, Math.ceil((overAt - at) / MICROS_PER_SECOND));
    const until =
      life.phase === 'stopping' ? `given up in ${seconds} s at the earliest` : 'until it is proved';
    return `still withdrawing: ${orders}${failure}; it is asked on, ${until}`;
  }
}

/** Null where the venue said nothing: our last look let it not leave. */
function wordsOf(failure: RequestFailure): string | null {
  if (failure.kind === 'unknown') return failure.reason;
  return failure.kind === 'refused' ? `${failure.status} ${failure.code}` : null;
}
