import { dayName, dayOf } from '../domain/days.js';
import type { EventId, MarketId } from '../domain/ids.js';
import { MONEY_ONE, type Micros, PRICE_ONE, SHARE_ONE, type Money } from '../domain/units.js';
import type {
  DayFigures,
  EventFigures,
  FillSample,
  GroupFigures,
  GuardFigures,
  InstanceFigures,
  MarketFigures,
  MarketSeries,
  RunAnalysis,
  AccountFigures,
  SideFigures,
  VolumeFigures,
} from './analysis.js';
import type { DayFills, DayProfit, EquityMeter } from './equity.js';
import { type Depth, type Series, executableValue, NO_DEPTH } from './series.js';
import { type MarketAnalyst, profitFigures, requireIdentity } from './market-analyst.js';
import { type RequestMeter, FlowSums } from './flow.js';
import type { RunDescription } from './observer.js';
import { NO_PROFIT, type Profit, addProfit } from '../core/portfolio/market-account.js';
import { addTimes, noTimes, quotingFigures, scoreFigures } from './quoting-meter.js';

/** How open inventory is marked, for those who read the figures. */
const MARK_RULE =
  'mid of the best bid and ask of others; while a side is empty the last mid stands, and before the first mid the price of the first fill';

interface AnalysedMarket {
  readonly analyst: MarketAnalyst;
  readonly equity: EquityMeter;
}

/** What an analyst knows when its run is over. */
export interface FinishedRun {
  readonly description: RunDescription;
  readonly at: Micros;
  readonly markets: readonly AnalysedMarket[];
  readonly events: ReadonlyMap<EventId, EquityMeter>;
  /** The least that events could have brought at any time, money units; an event left out never had anything open. */
  readonly worst: ReadonlyMap<EventId, number>;
  /** Events of which there was a price, a quote or a fill. */
  readonly seen: ReadonlySet<EventId>;
  readonly strategies: ReadonlyMap<string, EquityMeter>;
  readonly run: EquityMeter;
  readonly equity: Series;
  readonly underwater: Series;
  readonly fillsOfDays: ReadonlyMap<number, DayFills>;
  /** As the run began. */
  readonly instances: readonly InstanceFigures[];
  readonly requests: RequestMeter;
  readonly amountTraded: (event: EventId) => number | null;
  readonly depth: (market: MarketId) => Depth | null;
  readonly guards: GuardFigures;
  readonly markOutMid: RunAnalysis['markOutMid'];
}

/** @throws InvariantError when a group does not keep the identity of the attribution */
export function runAnalysis(run: FinishedRun): RunAnalysis {
  const { description, at } = run;
  const closing: Closing = {
    at,
    depth: ({ market }) => run.depth(market.marketId),
    takerFee: description.takerFee,
  };
  const total = groupFigures(wholeRun(run), closing);
  return {
    format: 1,
    runId: description.runId,
    scenario: description.scenario,
    currency: description.currency,
    startedAt: description.startedAt,
    endedAt: at,
    markRule: MARK_RULE,
    uptimeRule: {
      maxSpread: description.uptime.maxSpread / PRICE_ONE,
      minShares: description.uptime.minShares / SHARE_ONE,
    },
    assumptions: description.assumptions,
    guards: run.guards,
    instances: withChanges(run.instances, description.instances()),
    markOutMid: run.markOutMid,
    total,
    events: eventsOf(run).map((event) => eventFigures(run, event, closing)),
    strategies: strategiesOf(run).map((name) => strategyFigures(run, name, closing)),
    markets: run.markets.map((market) => marketFigures(market, closing)),
    days: run.run.days(at).map((day) => dayFigures(day, run.fillsOfDays.get(day.day))),
    requests: run.requests.figures(at, total.fills.count),
    equity: run.equity.columns(MONEY_ONE),
    underwater: run.underwater.columns(MONEY_ONE),
  };
}

const dayFigures = ({ day, profit, drawdown }: DayProfit, fills: DayFills | undefined): DayFigures => ({
  day: dayName(day),
  profit: profit / MONEY_ONE,
  fills: fills?.fills ?? 0,
  shares: (fills?.shares ?? 0) / SHARE_ONE,
  amount: (fills?.amount ?? 0) / MONEY_ONE,
  fees: (fills?.fees ?? 0) / MONEY_ONE,
  drawdown: drawdown / MONEY_ONE,
});

/** Parameters may be tuned while a run goes on. */
const withChanges = (
  began: readonly InstanceFigures[],
  ended: readonly InstanceFigures[],
): readonly InstanceFigures[] =>
  began.map((instance, place) => ({
    ...instance,
    parameters: instance.parameters.map((setting, at) => {
      const atEnd = ended[place]?.parameters[at]?.value;
      return atEnd === undefined || atEnd === setting.value ? setting : { ...setting, atEnd };
    }),
  }));

/** As they were described, those without a quoted market left out. */
const eventsOf = ({ description, events }: FinishedRun): readonly EventId[] =>
  description.events.map(({ eventId }) => eventId).filter((id) => events.has(id));

/** In the order of their first market. */
const strategiesOf = (run: FinishedRun): readonly string[] => [
  ...new Set(analystsOf(run).map(({ market }) => market.strategy)),
];

const analystsOf = ({ markets }: FinishedRun): readonly MarketAnalyst[] =>
  markets.map(({ analyst }) => analyst);

function wholeRun(run: FinishedRun): Group {
  const amounts = [...run.events.keys()].map((event) => run.amountTraded(event));
  const amountTraded = amounts.every((amount) => amount !== null) ? sum(amounts) : null;
  return { id: 'run', title: 'whole run', markets: analystsOf(run), equity: run.run, amountTraded };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function eventFigures(run: FinishedRun, id: EventId, closing: Closing): EventFigures {
  const {
    title,
    underlying,
    recordedUntil,
    recordings = null,
    notes = null,
  } = run.description.events.find(({ eventId }) => eventId === id)!;
  const markets = analystsOf(run).filter(({ event }) => event.eventId === id);
  const equity = run.events.get(id)!;
  const group: Group = { id, title, markets, equity, amountTraded: run.amountTraded(id) };
  const ends = markets.map(({ resolvedAt }) => resolvedAt);
  const isResolved = ends.every((end) => end !== null);
  const endedAt = isResolved ? Math.max(...ends) : (recordedUntil ?? closing.at);
  return {
    ...groupFigures(group, closing),
    underlying,
    day: dayName(dayOf(endedAt)),
    isResolved,
    recordings,
    notes,
    isUnseen: !run.seen.has(id),
    worstCase: (run.worst.get(id) ?? 0) / MONEY_ONE,
  };
}

function strategyFigures(run: FinishedRun, name: string, closing: Closing): GroupFigures {
  const markets = analystsOf(run).filter(({ market }) => market.strategy === name);
  const equity = run.strategies.get(name)!;
  return groupFigures({ id: name, title: name, markets, equity, amountTraded: null }, closing);
}

function marketFigures({ analyst, equity }: AnalysedMarket, closing: Closing): MarketFigures {
  const { market, event, accounts } = analyst;
  const id = market.marketId;
  const group: Group = { id, title: market.title, markets: [analyst], equity, amountTraded: null };
  const { mark, resolution } = accounts.whole;
  return {
    ...groupFigures(group, closing),
    marketId: market.marketId,
    eventId: event.eventId,
    strategy: market.strategy,
    tick: market.tickUnits / PRICE_ONE,
    resolution,
    resolvedAt: analyst.resolvedAt,
    lastMark: mark === null ? null : mark / PRICE_ONE,
    inventory: analyst.inventory.figures(closing.at),
    series: marketSeries(analyst),
    fillSample: fillSample(analyst),
  };
}

const marketSeries = ({ series, depth }: MarketAnalyst): MarketSeries => ({
  bid: series.bid.columns(PRICE_ONE),
  ask: series.ask.columns(PRICE_ONE),
  bidHalf: depth.bidHalf.columns(PRICE_ONE),
  bidFar: depth.bidFar.columns(PRICE_ONE),
  askHalf: depth.askHalf.columns(PRICE_ONE),
  askFar: depth.askFar.columns(PRICE_ONE),
  ownBid: series.ownBid.columns(PRICE_ONE),
  ownAsk: series.ownAsk.columns(PRICE_ONE),
  inventory: series.inventory.columns(SHARE_ONE),
  profit: series.profit.columns(MONEY_ONE),
});

const fillSample = ({ fills }: MarketAnalyst): FillSample => ({
  every: fills.every,
  fills: fills.items.map(({ at, side, price, shares, mid }) => ({
    at,
    side,
    price: price / PRICE_ONE,
    shares: shares / SHARE_ONE,
    mid: mid === null ? null : mid / PRICE_ONE,
  })),
});

/** A market, an event, a strategy or the run, while its figures are made. */
export interface Group {
  readonly id: string;
  readonly title: string;
  readonly markets: readonly MarketAnalyst[];
  readonly equity: EquityMeter;
  /** What everybody traded by amount, where the venue tells of amounts only; null elsewhere. */
  readonly amountTraded: number | null;
}

/** What is asked once, when a run is over. */
export interface Closing {
  readonly at: number;
  /** The book at the end; null where there is none to sell into. */
  readonly depth: (market: MarketAnalyst) => Depth | null;
  readonly takerFee: Money;
}

/** @throws InvariantError when the sums over the markets do not keep the identity */
function groupFigures(group: Group, closing: Closing): GroupFigures {
  const { id, title, markets, equity } = group;
  const flow = sumOfFlows(markets, ['bid', 'ask']);
  const times = noTimes();
  for (const { quoting } of markets) addTimes(times, quoting.times(closing.at));
  return {
    id,
    title,
    profit: accountFigures(group, closing),
    sides: [sideFigures(markets, 'bid'), sideFigures(markets, 'ask')],
    ...flow.figures(),
    volume: volumeFigures(group, flow),
    quoting: quotingFigures(times),
    capital: equity.capital(closing.at),
    drawdown: equity.drawdown(),
    ratios: equity.ratios(closing.at),
    ownScore: scoreFigures(markets.flatMap(({ ownScore }) => ownScore ?? [])),
    marketScore: scoreFigures(markets.flatMap(({ marketScore }) => marketScore ?? [])),
  };
}

function accountFigures({ markets, id }: Group, closing: Closing): AccountFigures {
  const profit = sumOfProfits(markets, 'whole');
  requireIdentity(profit, `group ${id}`);
  const gap = markets.reduce((sum, market) => sum + gapToExecutable(market, closing), 0);
  return {
    ...profitFigures(profit),
    realised: profit.realised / MONEY_ONE,
    unrealised: profit.unrealised / MONEY_ONE,
    executable: Math.round(profit.total - gap) / MONEY_ONE,
  };
}

/** What the mark says that holdings are worth, less what the book would pay. */
function gapToExecutable(market: MarketAnalyst, { depth, takerFee }: Closing): number {
  const { whole } = market.accounts;
  const [long, short] = [whole.holding('long'), whole.holding('short')];
  if (long.shares === 0 && short.shares === 0) return 0;
  const atMark = whole.profit().unrealised + long.cost + short.cost;
  const book = depth(market) ?? NO_DEPTH;
  return atMark - executableValue({ long: long.shares, short: short.shares }, book, takerFee);
}

function sideFigures(markets: readonly MarketAnalyst[], side: 'bid' | 'ask'): SideFigures {
  const profit = sumOfProfits(markets, side);
  return { side, profit: profitFigures(profit), ...sumOfFlows(markets, [side]).figures() };
}

function volumeFigures({ markets, amountTraded }: Group, flow: FlowSums): VolumeFigures {
  const others = markets.reduce((sum, { othersShares }) => sum + othersShares, 0);
  const all = others + flow.shares;
  const byShares = others === 0 ? null : flow.shares / all;
  const byAmount = amountTraded === null || amountTraded === 0 ? null : flow.amount / amountTraded;
  return {
    ownShares: flow.shares / SHARE_ONE,
    othersShares: others / SHARE_ONE,
    share: byShares ?? byAmount,
  };
}

function sumOfFlows(markets: readonly MarketAnalyst[], sides: readonly ('bid' | 'ask')[]): FlowSums {
  const sum = new FlowSums();
  for (const { flows } of markets) for (const side of sides) sum.add(flows[side]);
  return sum;
}

const sumOfProfits = (markets: readonly MarketAnalyst[], account: 'whole' | 'bid' | 'ask'): Profit =>
  markets.map(({ accounts }) => accounts[account].profit()).reduce(addProfit, NO_PROFIT);
