import type { MarketId } from '../../../domain/ids.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import { currencyUnits, type Micros, type Money, PRICE_ONE } from '../../../domain/units.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { Random } from '../../ports/random.js';
import { outcomeFor } from '../../strategy/context.js';
import type { Decision } from '../../strategy/instance.js';
import type { Tally } from '../accounting/tally.js';
import type { Guards } from '../guarding/guards.js';
import type { Notices } from '../guarding/notices.js';
import type { EngineOptions, QuotingInstance } from '../options.js';
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
    readonly decided: (event: EventQuoter, decision: Decision, now: Micros) => void,
  ) {}

  get markets(): readonly MarketId[] {
    return this.outcomes.map(({ marketId }) => marketId);
  }

  quote(now: Micros): void {
    const books = this.outcomes.map((outcome) => outcome.begin(now));
    const open = this.outcomes.filter(({ halt }) => halt === null);
    if (open.length > 0) this.ask(open, books, now);
    else this.taking = 0;
    for (const outcome of this.outcomes) outcome.finish(now);
  }

  private ask(open: readonly Quoter[], books: readonly ReturnType<Quoter['begin']>[], now: Micros): void {
    const { instance } = this.owner;
    const contexts = open.map((outcome) =>
      outcomeFor(outcome.asked(books[this.outcomes.indexOf(outcome)]!, now)),
    );
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

/** What this part of the engine works with. */
export interface EventQuotersParts {
  readonly options: EngineOptions;
  readonly mirror: Mirror;
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly guards: Guards;
  readonly tally: Tally;
  readonly notices: Notices;
}

/** What quotes the events of instances with an event strategy. */
export class EventQuoters {
  private readonly byMarket = new Map<MarketId, EventQuoter>();

  constructor(
    private readonly parts: EventQuotersParts,
    private readonly decided: EventQuoter['decided'],
  ) {}

  /** undefined where the market is quoted by itself. */
  of(market: MarketId): EventQuoter | undefined {
    return this.byMarket.get(market);
  }

  /** As the options name markets by now. An event that an instance quotes before and after keeps what quotes it, with its chance. */
  arrange(quoterOf: (market: MarketId) => Quoter): void {
    const { mirror, options } = this.parts;
    const before = new Set(this.byMarket.values());
    this.byMarket.clear();
    for (const owner of options.instances) {
      const { instance, markets } = owner;
      if (!('quote' in instance.strategy) || instance.strategy.scope !== 'event') continue;
      const byEvent = new Map(
        [...before]
          .filter((event) => event.owner === owner)
          .map((event) => [mirror.market(event.markets[0]!).event.id, event] as const),
      );
      for (const event of byEvent.values()) event.outcomes.length = 0;
      for (const market of markets) {
        const { id } = mirror.market(market).event;
        const random = () => options.random.fork(`${instance.name}/event ${id}`);
        const event = byEvent.get(id) ?? new EventQuoter(owner, random(), this.decided);
        byEvent.set(id, event);
        event.outcomes.push(quoterOf(market));
        this.byMarket.set(market, event);
      }
    }
  }

  /** Leaves out all takes where what may be taken within the hour does not cover them together. */
  withinTaking(event: EventQuoter, decision: Decision & { readonly ok: true }, now: Micros): Decision {
    const { guards, tally, notices } = this.parts;
    const limit = event.owner.limits.taking ?? 0;
    let elsewhere = 0;
    for (const other of new Set(this.byMarket.values()))
      if (other !== event && other.owner === event.owner) elsewhere += other.taking;
    const wanted = decision.intents.reduce((sum, intent) => sum + this.costOfTake(intent), 0);
    event.taking = guards.takenWithin(now) + elsewhere + wanted <= limit ? wanted : 0;
    if (event.taking === wanted) return decision;
    tally.refused('taking');
    const text = `taking: ${currencyUnits(wanted as Money)} exceeds what limits.taking leaves of ${currencyUnits(limit as Money)}`;
    notices.info('refused-taking', text, null, now);
    return { ...decision, intents: decision.intents.map(withoutTake) };
  }

  private costOfTake({ marketId, take, bids, asks }: QuoteIntent): number {
    const [level] = take === 'bid' ? bids : asks;
    if (take === undefined || level === undefined) return 0;
    const price = level.price * this.parts.terms.get(marketId)!.tickUnits;
    return (take === 'bid' ? price : PRICE_ONE - price) * level.shares;
  }
}

const withoutTake = ({ take, ...intent }: QuoteIntent): QuoteIntent => {
  if (take === undefined) return intent;
  return take === 'bid' ? { ...intent, bids: [] } : { ...intent, asks: [] };
};
