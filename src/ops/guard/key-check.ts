import type { Clock } from '../../core/ports/clock.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { GuardNews } from './guard-news.js';
import type { GuardShare } from './guard-share.js';

export interface KeyCheckOptions {
  readonly rest: Pick<RestClient, 'me'>;
  readonly share: Pick<GuardShare, 'isScarce'>;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
}

const WORKING_US = 300_000_000;
const FAILING_US = 30_000_000;

/** A guard that cannot act when it has to is none: asks the venue now and then whether it still knows the keys. */
export class KeyCheck {
  /** Whose keys they are; null: the venue has not told yet. */
  account: number | null = null;
  private dueAt = -Infinity;
  private state = '';

  constructor(private readonly options: KeyCheckOptions) {}

  /** Asks when it is time to, unless requests are scarce: the rest is for withdrawing. Never waits for the answer. */
  review(): void {
    const { clock, share } = this.options;
    const at = clock.monotonic();
    if (at < this.dueAt || share.isScarce) return;
    this.dueAt = at + WORKING_US;
    void this.ask();
  }

  /** The bot's account, as its heartbeat names it. */
  compare(bot: number): void {
    const { account } = this;
    if (account !== null && account !== bot)
      this.say(`other ${account} ${bot}`, { kind: 'other-account', account, bot });
  }

  private async ask(): Promise<void> {
    const outcome = await this.options.rest.me();
    if (outcome.ok) {
      this.account = outcome.value.id;
      return this.say('works', { kind: 'keys-work', account: this.account });
    }
    const { failure } = outcome;
    this.dueAt = this.options.clock.monotonic() + FAILING_US;
    this.say(failure.kind === 'refused' ? failure.code : failure.reason, { kind: 'keys-fail', failure });
  }

  /** Each state once. */
  private say(state: string, news: GuardNews): void {
    if (state !== this.state) this.options.tell(news);
    this.state = state;
  }
}
