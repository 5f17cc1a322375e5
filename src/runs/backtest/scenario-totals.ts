import type { ScenarioEnd, ScenarioRun } from './scenario-run.js';
import { type Depth, executableValue, NO_DEPTH } from '../../analytics/series.js';
import { type MarketId, marketId, type OrderId } from '../../exchange/contract/ids.js';
import { type MarketId as NamedMarket, marketId as nameOfMarket } from '../../domain/ids.js';
import { currencyUnits, type Micros, type Shares, wholeShares } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { HoldingRow, TradeEvent } from '../../exchange/contract.js';
import type { ScenarioName } from '../../settings/index.js';
import { ACCOUNT, type BacktestSetup } from './backtest-setup.js';

/** Result of one scenario by the ledger of the simulated venue; currency units and whole shares. */
export interface ScenarioTotals {
  readonly scenario: ScenarioName;
  readonly outcome: ScenarioEnd['outcome'];
  readonly fills: number;
  readonly shares: number;
  /** Fees less rebates. */
  readonly fees: number;
  /** Cash gained plus {@link openValue}. Equals the report's `executable`, except for fills that the bot had not heard of. */
  readonly profit: number;
  /** Value of open positions: pairs of long and short at one, the rest at what the last book would pay. */
  readonly openValue: number;
  /** Open shares, long and short together. */
  readonly openShares: number;
  readonly inputs: number;
  readonly decisions: ScenarioEnd['decisions'];
}

/** Counts the bot's trades. What one order takes at one time is one fill, as in its answer. */
export class TradeTotals {
  fills = 0;
  private shares = 0;
  private fees = 0;
  private lastTaker: OrderId | null = null;
  private takenAt = 0;

  take({ taker, maker, shares, at }: TradeEvent): void {
    for (const party of [taker, maker]) {
      if (party.account !== ACCOUNT) continue;
      if (party === maker || !this.isSameTaker(party.orderId, at)) this.fills += 1;
      this.shares += shares;
      this.fees += party.fee;
    }
  }

  private isSameTaker(order: OrderId | null, at: Micros): boolean {
    const isSame = order === this.lastTaker && at === this.takenAt;
    this.lastTaker = order;
    this.takenAt = at;
    return isSame;
  }

  /** @param run one that has finished */
  total(scenario: ScenarioName, run: ScenarioRun, end: ScenarioEnd, setup: BacktestSetup): ScenarioTotals {
    const { cash, shares } = accountOf(run, setup);
    const openValue = valueOf(shares, closingDepth(run, setup), setup);
    const gained = cash - setup.backtest.balance;
    return {
      scenario,
      outcome: end.outcome,
      fills: this.fills,
      shares: wholeShares(this.shares as never),
      fees: currencyUnits(this.fees as never),
      profit: currencyUnits((gained + openValue) as never),
      openValue: currencyUnits(openValue as never),
      openShares: wholeShares(shares.reduce((sum, row) => sum + row.shares, 0) as never),
      inputs: end.inputs,
      decisions: end.decisions,
    };
  }
}

/** The book that the bot could sell into at the end; null for an unknown market. */
export const closingDepth =
  ({ venue }: ScenarioRun, { settings }: BacktestSetup) =>
  (market: NamedMarket): Depth | null =>
    venue.exchange.depth(marketId(market), settings.currencyMode, ACCOUNT);

function accountOf(
  { venue }: ScenarioRun,
  { settings }: BacktestSetup,
): { readonly cash: number; readonly shares: readonly HoldingRow[] } {
  const row = venue.exchange
    .ledger()
    .accounts.find(({ id, currency }) => id === ACCOUNT && currency === settings.currency);
  return { cash: row === undefined ? 0 : row.cash + row.locked, shares: row?.shares ?? [] };
}

/** Value of positions as the report counts it: a pair of long and short is one, the rest what the book would pay. */
function valueOf(
  rows: readonly HoldingRow[],
  depthOf: (market: NamedMarket) => Depth | null,
  { venue, settings }: BacktestSetup,
): number {
  const takerFee = venue.fees[settings.currencyMode].taker;
  const markets = [...new Set(rows.map(({ marketId }) => marketId))];
  return markets.reduce((sum, market) => {
    const held = { long: heldAs(rows, market, 'long'), short: heldAs(rows, market, 'short') };
    return sum + executableValue(held, depthOf(nameOfMarket(market)) ?? NO_DEPTH, takerFee);
  }, 0);
}

const heldAs = (rows: readonly HoldingRow[], market: MarketId, position: Position): Shares =>
  (rows.find((row) => row.marketId === market && row.position === position)?.shares ?? 0) as Shares;

/** Says what the profits do not: unclean ends and open positions. Empty when every scenario ended clean and flat. */
export const endLines = (scenarios: readonly ScenarioTotals[]): readonly string[] => [
  ...unclean(scenarios),
  ...stillHeld(scenarios),
];

function unclean(scenarios: readonly ScenarioTotals[]): readonly string[] {
  const found = scenarios.filter(({ outcome }) => outcome !== 'clean');
  if (found.length === 0) return [];
  const names = found.map(({ scenario, outcome }) => `${outcome} (${scenario})`);
  return [`the run did not end clean: ${names.join(', ')}`];
}

/** A thin book pays little for open shares, and nothing for what it does not take. */
function stillHeld(scenarios: readonly ScenarioTotals[]): readonly string[] {
  const found = scenarios.filter(({ openShares }) => openShares !== 0);
  if (found.length === 0) return [];
  const values = found.map(
    ({ scenario, openShares, openValue }) =>
      `${openShares.toFixed(2)} shares at ${openValue.toFixed(2)} (${scenario})`,
  );
  return [`not sold at the end, counted at what the book would pay: ${values.join(', ')}`];
}
