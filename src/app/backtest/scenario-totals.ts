import type { ScenarioEnd, ScenarioRun } from '../../backtest/index.js';
import type { OrderId } from '../../domain/ids.js';
import { currencyUnits, type Micros, wholeShares } from '../../domain/units.js';
import type { TradeEvent } from '../../exchange/contract.js';
import type { ScenarioName } from './scenario-names.js';
import { ACCOUNT, type BacktestStage } from './stage.js';

/** What one scenario came to, by the books of the simulated venue; currency units and whole shares. */
export interface ScenarioTotals {
  readonly scenario: ScenarioName;
  readonly outcome: ScenarioEnd['outcome'];
  readonly fills: number;
  readonly shares: number;
  /** Paid as fees; negative when rebates were more. */
  readonly fees: number;
  /** Cash gained, with what is still held valued at what the book at the end would pay for it. */
  readonly profit: number;
  /** Of the profit, what is still held. */
  readonly openValue: number;
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
    const openValue = valueOfHoldings(run, stage);
    const gained = cashOf(run, stage) - stage.backtest.balance;
    return {
      scenario,
      outcome: end.outcome,
      fills: this.fills,
      shares: wholeShares(this.shares as never),
      fees: currencyUnits(this.fees as never),
      profit: currencyUnits((gained + openValue) as never),
      openValue: currencyUnits(openValue as never),
      inputs: end.inputs,
      decisions: end.decisions,
    };
  }
}

function cashOf({ exchange }: ScenarioRun, { settings }: BacktestStage): number {
  const row = exchange
    .ledger()
    .accounts.find(({ id, currency }) => id === ACCOUNT && currency === settings.currency);
  return row === undefined ? 0 : row.cash + row.locked;
}

/** What the books would pay for what is held; shares that they cannot take are worth nothing. */
function valueOfHoldings({ exchange }: ScenarioRun, { settings }: BacktestStage): number {
  const { results } = exchange.wagers({
    viewer: ACCOUNT,
    active: true,
    mode: settings.currencyMode,
    limit: 1_000_000,
    offset: 0,
  });
  return results.reduce((sum, { amountOnSell }) => sum + amountOnSell, 0);
}
