import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventId, type MarketId, marketId, orderId } from '../../../../src/domain/ids.js';
import type { LimitOrder } from '../../../../src/domain/orders.js';
import { micros, type Money, money, priceUnits, shares } from '../../../../src/domain/units.js';
import { bookSide, POSITIONS } from '../../../../src/domain/vocabulary.js';
import { Positions } from '../../../../src/core/engine/accounting/positions.js';
import type { EngineParts } from '../../../../src/core/engine/parts.js';
import { BarredOrders } from '../../../../src/core/engine/quoting/barred-orders.js';
import { Exposure } from '../../../../src/core/engine/quoting/exposure.js';
import { MarketExposure } from '../../../../src/core/engine/quoting/market-exposure.js';
import { MarketGate } from '../../../../src/core/engine/quoting/market-gate.js';
import type { OwnOrder } from '../../../../src/core/execution/orders/own-order.js';
import { longPriceOf } from '../../../../src/core/execution/planning/order-rows.js';
import {
  type ApprovedPlan,
  approvePlan,
  type Gate,
} from '../../../../src/core/execution/planning/approval.js';
import { NO_PLAN, type Plan } from '../../../../src/core/execution/planning/plan.js';
import { Portfolio } from '../../../../src/core/portfolio/portfolio.js';
import type { EventEndings } from '../../../../src/core/portfolio/worst-case.js';
import {
  KillSwitch,
  Proposal,
  type Reckoning,
  type RiskLimits,
  type RiskRule,
  rulesOf,
  type Wanted,
} from '../../../../src/core/risk/index.js';
import { termsOf } from '../../../support/orders/desk-world.js';
import { fillOf } from '../../../support/orders/fills.js';
import { limitsOf, orderOf } from '../../../support/bot/risk-view.js';

const EVENT = eventId(1);
const MARKETS = [marketId(1), marketId(2)];
const NOW = micros(1_000_000);
const NOTHING = new Proposal();

/** What a run may find itself in. */
interface Setting {
  readonly endings: EventEndings;
  readonly limits: RiskLimits;
  readonly fee: Money;
  readonly fair: number | null;
  readonly mid: number | null;
  readonly sent: number;
  readonly isKilled: boolean;
  readonly held: readonly { readonly market: number; readonly cents: number; readonly lots: number }[];
  readonly working: readonly Terms[];
  readonly barred: Terms | null;
}

interface Terms {
  readonly market: number;
  readonly side: 'bid' | 'ask';
  readonly position: 'long' | 'short';
  readonly price: number;
  readonly lots: number;
}

/** A plan of one market: so many of its orders are moved. Afterwards those of the plan leave that the numbers name. */
interface Step {
  readonly market: number;
  readonly moves: readonly Terms[];
  readonly creates: readonly Terms[];
  readonly leaving: readonly number[];
}

const terms: fc.Arbitrary<Terms> = fc.record({
  market: fc.nat(1),
  side: fc.constantFrom('bid', 'ask'),
  position: fc.constantFrom('long', 'short'),
  price: fc.oneof(
    { weight: 30, arbitrary: fc.integer({ min: 30, max: 70 }).map((cents) => cents * 100) },
    { weight: 1, arbitrary: fc.constantFrom(0, 4_850, 10_000) },
  ),
  lots: fc.integer({ min: 1, max: 12 }),
});

/** Mostly so loose that other limits bind. */
const limit = <Value>(loose: Value, tight: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(loose) }, { weight: 1, arbitrary: tight });
const upTo = (most: number) => fc.integer({ min: 0, max: most });

const limits: fc.Arbitrary<RiskLimits> = fc
  .record({
    maxOrderShares: limit(shares(1e9), upTo(1_200).map(shares)),
    maxOrderAmount: limit(money(1e12), upTo(8_000_000).map(money)),
    maxPositionShares: limit(shares(1e9), upTo(5_000).map(shares)),
    maxEventLoss: limit(money(1e12), upTo(30_000_000).map(money)),
    maxLocked: limit<Money | null>(null, upTo(30_000_000).map(money)),
    coherentQuotes: limit(true, fc.boolean()),
    priceCollar: limit(priceUnits(10_000), upTo(2_000).map(priceUnits)),
    ordersPerMinute: limit(1e9, upTo(12)),
  })
  .map(limitsOf);

const settings: fc.Arbitrary<Setting> = fc.record({
  endings: fc.record({
    resolutionMode: fc.constantFrom('exclusive', 'non_exclusive'),
    nonePossible: fc.boolean(),
    voidPossible: fc.boolean(),
  }),
  limits,
  fee: fc.integer({ min: 0, max: 5_000 }).map(money),
  fair: fc.option(fc.integer({ min: 35, max: 65 }).map((cents) => cents / 100)),
  mid: fc.option(fc.integer({ min: 35, max: 65 }).map((cents) => cents / 100)),
  sent: fc.nat(5),
  isKilled: limit(false, fc.boolean()),
  held: fc.array(fc.record({ market: fc.nat(1), cents: upTo(98), lots: fc.integer({ min: 1, max: 20 }) }), {
    maxLength: 2,
  }),
  working: fc.array(terms, { maxLength: 5 }),
  barred: limit<Terms | null>(null, terms),
});

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    market: fc.nat(1),
    moves: fc.array(terms, { maxLength: 4 }),
    creates: fc.array(terms, { maxLength: 5 }),
    leaving: fc.array(fc.nat(8), { maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 4 },
);

const orderOfTerms = ({ side, position, price, lots }: Terms, market: MarketId): LimitOrder =>
  orderOf({
    eventId: EVENT,
    marketId: market,
    side,
    position,
    price: priceUnits(price),
    shares: shares(lots * 100),
  });

const workingOrder = (terms: Terms, index: number): OwnOrder => {
  const order = orderOfTerms(terms, MARKETS[terms.market]!);
  const bookSideOf = bookSide(order.side, order.position);
  const { shares: requested } = order;
  return {
    ...order,
    orderId: orderId(index + 1),
    requested,
    remaining: requested,
    bookSide: bookSideOf,
    longPrice: longPriceOf(order),
  } as never;
};

/** The gates of a run's markets, as they stand over everything that they look at. */
class Run {
  readonly refusals: string[] = [];
  readonly #working: readonly OwnOrder[];
  readonly #parts: EngineParts;
  readonly #exposure: Exposure;
  readonly #gates: readonly MarketGate[];

  constructor(
    readonly setting: Setting,
    readonly rules: (limits: RiskLimits) => readonly RiskRule[],
  ) {
    this.#working = setting.working.map(workingOrder);
    this.#parts = this.#partsOf(setting);
    this.#exposure = new Exposure(this.#parts);
    this.#exposure.now = NOW;
    this.#gates = MARKETS.map(
      (market) =>
        new MarketGate(this.#parts, this.#exposure, {
          marketId: market,
          rules: rules(setting.limits),
        }),
    );
  }

  #partsOf({ endings, fee, fair, mid, sent, isKilled, held, barred }: Setting): EngineParts {
    const portfolio = new Portfolio(() => ({ ...endings, mayExclude: true, markets: MARKETS }), 1_000);
    for (const { market, cents, lots } of held)
      portfolio.fill(fillOf(cents, lots, { eventId: EVENT, marketId: MARKETS[market]! }), NOW);
    const marketTerms = new Map(
      MARKETS.map((market) => [market, { ...termsOf(market), takerFee: fee, makerFee: fee }] as const),
    );
    const mirror = { market: () => ({ event: { id: EVENT } }) } as never;
    const barredOrders = new BarredOrders();
    if (barred !== null) barredOrders.bar(orderOfTerms(barred, MARKETS[barred.market]!), 'no reason', NOW);
    const killSwitch = new KillSwitch();
    if (isKilled) killSwitch.latch('operator', NOW);
    return {
      terms: marketTerms,
      positions: new Positions(portfolio, 'OOM', mirror, marketTerms, null),
      funds: { heed: () => undefined, locked: () => money(1_000_000) },
      desk: {
        orders: {
          watch: () => new Set(MARKETS),
          own: (market: MarketId) => ({ working: this.#working.filter((one) => one.marketId === market) }),
          unheardEnds: () => [],
        },
      },
      quoted: new Map(MARKETS.map((market) => [market, { fair: fair === null ? null : { p: fair }, mid }])),
      tally: { ordersLastMinute: () => sent, ordersFallTo: () => NOW, refused: () => undefined },
      notices: { info: (_code: string, text: string) => void this.refusals.push(text) },
      barredOrders,
      killSwitch,
      observer: null,
    } as never;
  }

  planOf({ market, moves, creates }: Step): Plan {
    const id = MARKETS[market]!;
    const working = this.#working.filter((one) => one.marketId === id);
    const replacements = working.slice(0, moves.length).map((order, index) => {
      const { price, lots } = moves[index]!;
      const to = { ...orderOfTerms({ ...moves[index]!, ...order, price, lots }, id) };
      return { order, to };
    });
    return { ...NO_PLAN, replacements, creates: creates.map((one) => orderOfTerms(one, id)) };
  }

  /** @param ways how the plan is judged */
  judge(plan: Plan, step: Step, ways: 'at-once-if-it-passes' | 'one-by-one'): ApprovedPlan {
    const gate = this.#gates[step.market]!;
    const oneByOne: Gate = {
      together: () => null,
      create: (order) => gate.create(order),
      replace: (to, replaced) => gate.replace(to, replaced),
    };
    gate.begin();
    return approvePlan(MARKETS[step.market]!, plan, ways === 'one-by-one' ? oneByOne : gate);
  }

  leave({ items, creates }: ApprovedPlan, { leaving }: Step): void {
    const chosen = <Item>(list: readonly Item[]) => list.filter((_, index) => leaving.includes(index));
    this.#exposure.promised.left({ kind: 'replace-orders', replacements: chosen(items) });
    this.#exposure.promised.left({ kind: 'create-orders', orders: chosen(creates) });
  }

  /** Everything that the next plan will be judged by. */
  get ground() {
    const { promised } = this.#exposure;
    const markets = MARKETS.map((market) => {
      const view = new MarketExposure(this.#parts, this.#exposure, market);
      const rooms = POSITIONS.map((position) => view.quoteRoom(position));
      return [view.netRange(), view.heldRange(), rooms, view.eventLossWith(NOTHING), promised.of(market)];
    });
    return { markets, count: promised.count, locked: promised.locked, claimed: promised.claimed };
  }
}

const agreeOnAll = (rules: (limits: RiskLimits) => readonly RiskRule[]) =>
  fc.property(settings, steps, (setting, plans) => {
    const [fast, oracle] = [new Run(setting, rules), new Run(setting, rules)];
    for (const step of plans) {
      const plan = fast.planOf(step);
      const approved = fast.judge(plan, step, 'at-once-if-it-passes');
      const expected = oracle.judge(plan, step, 'one-by-one');
      // How the last word gets to know where it lies is no matter of what passes.
      expect({ ...approved, span: null }).toEqual(expected);
      expect(fast.refusals).toEqual(oracle.refusals);
      expect(fast.ground).toEqual(oracle.ground);
      fast.leave(approved, step);
      oracle.leave(expected, step);
      expect(fast.ground).toEqual(oracle.ground);
    }
  });

it('a plan judged at once is approved, refused and promised as its orders are one by one', () => {
  fc.assert(agreeOnAll(rulesOf), { numRuns: 1_500 });
});

it('finds a rule that lets pass together what it refuses one by one', () => {
  const onlyPairs: RiskRule = {
    name: 'only-pairs',
    check: ({ count }) =>
      count > 1 ? null : { rule: 'only-pairs', unit: 'count', found: 1, limit: 0, text: '' },
  };
  expect(fc.check(agreeOnAll(() => [onlyPairs])).failed).toBe(true);
});

const read = Reflect.get(Proposal.prototype, 'read');
const FIRST = new Proposal();

/** What the first of the orders comes to by itself. */
const ofTheFirst = ({ replacements, creates }: Wanted, by: Reckoning): Proposal => {
  const first = replacements.slice(0, 1);
  return read.call(FIRST, { replacements: first, creates: creates.slice(0, 1 - first.length) }, by);
};

describe('a judgement of all orders of a plan', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    'count',
    'lowest',
    'highest',
    'offGrid',
    'lowestLong',
    'highestLong',
    'dearestLong',
    'dearestShort',
    'mostShares',
    'highestAmount',
    'bought',
    'sold',
    'locked',
    'claimed',
    'costs',
  ] as const)('is found out where it takes from the first of them: %s', (member) => {
    vi.spyOn(Proposal.prototype, 'read').mockImplementation(function (this: Proposal, wanted, by) {
      read.call(this, wanted, by);
      return Object.assign(this, { [member]: ofTheFirst(wanted, by)[member] });
    });
    expect(fc.check(agreeOnAll(rulesOf), { numRuns: 3_000 }).failed).toBe(true);
  });
});
