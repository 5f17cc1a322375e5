import { MONEY_ONE, type Money, SHARE_ONE } from '../domain/units.js';
import { NO_PROFIT, type Profit, addProfit } from '../core/portfolio/market-account.js';
import { profitFigures, requireIdentity } from './accounts.js';
import type { AccountFigures, GroupFigures, SideFigures, VolumeFigures } from './analysis.js';
import type { EquityMeter } from './equity.js';
import { type Depth, executableValue, NO_DEPTH } from './executable.js';
import { FlowSums } from './flow.js';
import type { MarketAnalyst } from './market-analyst.js';
import { addTimes, noTimes, quotingFigures } from './quoting-meter.js';
import { scoreFigures } from './scores.js';

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
export function groupFigures(group: Group, closing: Closing): GroupFigures {
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
