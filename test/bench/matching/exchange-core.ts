import type { ExchangeEvent } from '../../../src/exchange/contract.js';
import { CoreRun } from '../../support/exchange/core-flow.js';
import { coreTotals } from '../../support/exchange/core-totals.js';
import type { Ofw1Case } from '../../support/ofw1.js';
import type { Engine, EngineRun, PassTotals } from './engine.js';

/** The whole core of the bundled exchange: each operation is one command with all its checks, money and events. */
export const exchangeCore = (flowCase: Ofw1Case): Engine => ({
  start: (flow) => new Run(new CoreRun(flowCase, flow)),
  check: (flow) => coreTotals(flowCase, flow),
});

class Run implements EngineRun {
  private trades = 0;
  private volume = 0;

  constructor(private readonly run: CoreRun) {}

  operations(from: number, to: number): void {
    for (let at = from; at < to; at++) this.count(this.run.step(at));
  }

  totals(): PassTotals {
    return { trades: this.trades, volume: this.volume };
  }

  private count(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.kind !== 'trade') continue;
      this.trades++;
      this.volume += event.shares;
    }
  }
}
