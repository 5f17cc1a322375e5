import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import type { Random } from '../../ports/random.js';
import type { Decision } from '../../strategy/instance.js';
import type { QuotingInstance } from '../options.js';
import type { Quoter } from './quoter.js';

/** The outcomes of one event that an event strategy quotes: all are looked at, then the strategy is asked once. */
export class EventQuoter {
  readonly outcomes: Quoter[] = [];
  /** What the takes that it wants now cost at their worst prices. */
  taking = 0;

  constructor(
    readonly owner: QuotingInstance,
    private readonly random: Random,
    /** Hands out the intents of a decision. */
    private readonly decided: (event: EventQuoter, decision: Decision, now: Micros) => void,
  ) {}

  get markets(): readonly MarketId[] {
    return this.outcomes.map(({ marketId }) => marketId);
  }

  quote(now: Micros): void {
    const books = this.outcomes.map((outcome) => outcome.begin(now));
    const open = this.outcomes.filter(({ halt }) => halt === null);
    if (open.length > 0) this.ask(open, books, now);
    for (const outcome of this.outcomes) outcome.finish(now);
  }

  private ask(open: readonly Quoter[], books: readonly ReturnType<Quoter['begin']>[], now: Micros): void {
    const { instance } = this.owner;
    const contexts = open.map((outcome) => outcome.asked(books[this.outcomes.indexOf(outcome)]!, now));
    const [first] = contexts;
    const context = {
      event: first!.event,
      markets: contexts,
      get nowMs() {
        return first!.nowMs;
      },
      random: this.random,
      log: first!.log,
    };
    const decision = instance.decideEvent(context, this.markets);
    this.decided(this, decision, now);
    for (const outcome of open) outcome.answered(decision, now);
  }
}
