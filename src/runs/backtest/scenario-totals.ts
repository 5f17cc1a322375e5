import type { ScenarioEnd } from './scenario-run.js';
import type { ScenarioRun } from './scenario-run.js';
import { type Depth, executableValue, NO_DEPTH } from '../../analytics/series.js';
import { type MarketId, marketId, type OrderId } from '../../exchange/contract/ids.js';
import { type MarketId as NamedMarket, marketId as nameOfMarket } from '../../domain/ids.js';
import { currencyUnits, type Micros, type Shares, wholeShares } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { HoldingRow, TradeEvent } from '../../exchange/contract.js';
import type { ScenarioName } from '../../settings/index.js';
import { ACCOUNT, type BacktestStage } from './stage.js';

/** What one scenario came to, by the books of the simulated venue; currency units and whole shares. */
export interface ScenarioTotals {
  readonly scenario: ScenarioName;
  readonly outcome: ScenarioEnd['outcome'];
  readonly fills: number;
  readonly shares: number;
  /** Paid as fees; negative when rebates were more. */
  readonly fees: number;
  /** Cash gained, with {@link openValue}. The same as the report's `executable`, but for fills of which the bot had not heard when it ended. */
  readonly profit: number;
  /** What is still held: pairs of long and short at one, the rest at what the book at the end would pay for it. */
  readonly openValue: number;
  /** Shares still held, long and short ones together. */
  readonly openShares: number;
  readonly inputs: number;
  readonly decisions: ScenarioEnd['decisions'];
}

/** Counts what the bot traded. What one order takes at one time is one fill, as its answer tells of it. */
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
  total(scenario: ScenarioName, run: ScenarioRun, end: ScenarioEnd, stage: BacktestStage): ScenarioTotals {
    const { cash, shares } = accountOf(run, stage);
    const openValue = valueOf(shares, closingDepth(run, stage), stage);
    const gained = cash - stage.backtest.balance;
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

/** What the bot could have sold into at once when its scenario ended; null for a market that is not there. */
export const closingDepth =
  ({ venue }: ScenarioRun, { settings }: BacktestStage) =>
  (market: NamedMarket): Depth | null =>
    venue.exchange.depth(marketId(market), settings.currencyMode, ACCOUNT);

function accountOf(
  { venue }: ScenarioRun,
  { settings }: BacktestStage,
): { readonly cash: number; readonly shares: readonly HoldingRow[] } {
  const row = venue.exchange
    .ledger()
    .accounts.find(({ id, currency }) => id === ACCOUNT && currency === settings.currency);
  return { cash: row === undefined ? 0 : row.cash + row.locked, shares: row?.shares ?? [] };
}

/** Market by market, as the report counts it: a pair of long and short counts one, the rest what the book would pay. */
function valueOf(
  rows: readonly HoldingRow[],
  depthOf: (market: NamedMarket) => Depth | null,
  { venue, settings }: BacktestStage,
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
