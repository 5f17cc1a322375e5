import type { Approved, VenueRequest } from '../domain/effects.js';
import type { MarketId } from '../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../domain/orders.js';
import type { Micros } from '../domain/units.js';
import {
  approveOrder,
  approveReplacement,
  describeRefusal,
  type GateKeeping,
  rulesOf,
  type Verdict,
} from '../risk/index.js';
import type { Decision } from '../strategy/instance.js';
import { Exposure } from './exposure.js';
import { isFeedNews } from './halts.js';
import type { QuotingInstance } from './options.js';
import type { EngineParts } from './parts.js';
import { type PlanGate, Quoter } from './quoter.js';

/** All quoted markets, in the order of the configuration. */
export class Quoters {
  private readonly exposure: Exposure;
  /** Markets that an emission of the present step changed besides the one it was asked for. */
  private readonly touched = new Set<MarketId>();

  /** @param byMarket to be filled; empty */
  constructor(
    private readonly parts: EngineParts,
    private readonly byMarket: Map<MarketId, Quoter>,
  ) {
    this.exposure = new Exposure(parts, (market) => this.byMarket.get(market));
    for (const owner of parts.options.instances)
      for (const market of owner.markets) this.byMarket.set(market, this.open(market, owner));
  }

  all(): IterableIterator<Quoter> {
    return this.byMarket.values();
  }

  get(market: MarketId): Quoter | undefined {
    return this.byMarket.get(market);
  }

  /** Looks at these markets again, each once, in this order. Markets that nobody quotes are left out. */
  requote(markets: Iterable<MarketId>, now: Micros): void {
    this.exposure.now = now;
    for (const market of markets) this.byMarket.get(market)?.requote(now);
    this.replanTouched(now);
  }

  /** A request left: its orders are working from now on. */
  left(request: VenueRequest): void {
    this.exposure.promised.left(request);
  }

  /** Lets time pass for stream strategies. */
  advance(now: Micros): void {
    this.exposure.now = now;
    for (const owner of this.parts.options.instances)
      this.take(owner, owner.instance.advance(now / 1_000), now);
    this.replanTouched(now);
  }

  /** When time alone can change what is quoted; null when it cannot. */
  nextDue(): Micros | null {
    let next = Infinity;
    for (const { instance } of this.parts.options.instances) {
      const due = instance.nextDueMs();
      if (due !== null) next = Math.min(next, Math.ceil(due * 1_000));
    }
    for (const quoter of this.byMarket.values()) {
      next = Math.min(next, quoter.restsUntil ?? Infinity, quoter.stanceUntil ?? Infinity);
    }
    return next === Infinity ? null : (next as Micros);
  }

  /** Markets that are to be looked at because their time has come. */
  due(now: Micros): readonly MarketId[] {
    return [...this.byMarket.values()]
      .filter(
        (quoter) =>
          (quoter.restsUntil !== null && quoter.restsUntil <= now) ||
          (quoter.stanceUntil !== null && quoter.stanceUntil <= now) ||
          isFeedNews(this.parts, quoter, now),
      )
      .map((quoter) => quoter.marketId);
  }

  private open(market: MarketId, owner: QuotingInstance): Quoter {
    const { options, terms, mirror } = this.parts;
    const marketTerms = terms.get(market)!;
    const { toleranceTicks, toleranceShares, minRestMs } = options.quoting;
    return new Quoter(
      {
        terms: marketTerms,
        owner,
        gate: this.gateOf(market, owner),
        policy: {
          shyUnits: toleranceTicks * marketTerms.tickUnits,
          boldUnits: 0,
          missingShares: toleranceShares,
          excessShares: 0,
          minRestMs,
          update: true,
        },
        random: options.random.fork(`${owner.instance.name}/${market}`),
        siblings: () => {
          const { event } = mirror.market(market);
          return [...this.byMarket.values()].filter(
            (one) => one.owner === owner && mirror.market(one.marketId).event === event,
          );
        },
        decided: (quoter, decision) => this.decided(quoter, decision),
      },
      this.parts,
    );
  }

  private gateOf(market: MarketId, owner: QuotingInstance): PlanGate {
    const keeping: GateKeeping = {
      rules: rulesOf(owner.limits),
      view: this.exposure,
      killSwitch: this.parts.killSwitch,
    };
    return {
      begin: () => this.exposure.promised.forget(market),
      create: (order) => this.passed(approveOrder(order, keeping), order),
      replace: (to, replaced) =>
        replaced.orderId === null ? null : this.passed(approveReplacement(to, replaced.orderId, keeping), to),
    };
  }

  private passed<Item extends LimitOrder | OrderReplacement>(
    verdict: Verdict<Item>,
    order: LimitOrder,
  ): Approved<Item> | null {
    if (verdict.ok) {
      this.exposure.promised.add(verdict.approved, order);
      return verdict.approved;
    }
    const { refusal } = verdict;
    this.parts.observer?.refused?.(order, refusal);
    this.parts.tally.refused(refusal.rule);
    const code = `refused-${refusal.rule}`;
    this.parts.notices.info(code, describeRefusal(refusal), order.marketId, this.exposure.now);
    return null;
  }

  private decided(quoter: Quoter, decision: Decision): void {
    this.take(quoter.owner, decision, this.exposure.now);
    this.touched.delete(quoter.marketId);
  }

  /** Hands intents to their markets; a fault withdraws all quotes of its instance. */
  private take(owner: QuotingInstance, decision: Decision, now: Micros): void {
    if (!decision.ok) return this.failed(owner, decision.fault, now);
    for (const intent of decision.intents) {
      const quoter = this.byMarket.get(intent.marketId);
      if (quoter?.owner !== owner) continue;
      quoter.intent = intent;
      this.touched.add(intent.marketId);
    }
  }

  private failed(
    owner: QuotingInstance,
    fault: { readonly code: string; readonly text: string },
    now: Micros,
  ): void {
    const { name } = owner.instance;
    const text = `strategy instance ${name} stopped: ${fault.text} (${fault.code}); its quotes are withdrawn`;
    this.parts.notices.say({ level: 'error', code: 'strategy-fault', text, marketId: null }, now);
    for (const market of owner.markets) this.touched.add(market);
  }

  private replanTouched(now: Micros): void {
    for (const market of this.touched) {
      const quoter = this.byMarket.get(market);
      if (quoter === undefined) continue;
      if (quoter.owner.instance.fault !== null) quoter.halt = 'strategy-fault';
      quoter.replan(now);
    }
    this.touched.clear();
  }
}
