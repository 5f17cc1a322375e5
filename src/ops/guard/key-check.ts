import type { Clock } from '../../core/ports/clock.js';
import { accountId, type AccountId } from '../../domain/ids.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { GuardBudget } from './guard-budget.js';
import type { GuardNews } from './guard-news.js';

export interface KeyCheckOptions {
  readonly rest: Pick<RestClient, 'me'>;
  readonly budget: Pick<GuardBudget, 'isScarce'>;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
}

const WORKING_US = 300_000_000;
const FAILING_US = 30_000_000;

/** Asks the venue from time to time whether the guard's keys still work. */
export class KeyCheck {
  /** Account of the keys; null: not known yet. */
  account: AccountId | null = null;
  #dueAt = -Infinity;
  #told = '';

  constructor(private readonly options: KeyCheckOptions) {}

  /** Asks when it is due. Scarce requests are kept for withdrawing. Does not wait for the answer. */
  review(): void {
    const { clock, budget } = this.options;
    const at = clock.monotonic();
    if (at < this.#dueAt || budget.isScarce) return;
    this.#dueAt = at + WORKING_US;
    void this.#ask();
  }

  /** @param bot account that the bot trades */
  compare(bot: string): void {
    const { account } = this;
    if (account !== null && account !== bot)
      this.#say(`other ${account} ${bot}`, { kind: 'other-account', account, bot });
  }

  async #ask(): Promise<void> {
    const outcome = await this.options.rest.me();
    if (outcome.ok) {
      this.account = accountId(outcome.value.id);
      return this.#say('works', { kind: 'keys-work', account: this.account });
    }
    const { failure } = outcome;
    this.#dueAt = this.options.clock.monotonic() + FAILING_US;
    this.#say(failure.kind === 'refused' ? failure.code : failure.reason, { kind: 'keys-fail', failure });
  }

  /** Reports each state once. */
  #say(state: string, news: GuardNews): void {
    if (state !== this.#told) this.options.tell(news);
    this.#told = state;
  }
}
