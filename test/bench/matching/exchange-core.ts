import type { OrderId } from '../../../src/exchange/contract/ids.js';
import type { ExchangeEvent } from '../../../src/exchange/contract.js';
import { CoreRun, FollowedTargets, type Targets } from '../../support/exchange/core-flow.js';
import { coreTotals } from '../../support/exchange/core-totals.js';
import type { Ofw1Case } from '../../support/matching/ofw1.js';
import type { Engine, EngineRun, PassTotals } from './engine.js';
import type { Flow } from './flow-file.js';

/** The whole core of the bundled exchange: each operation is one command with all its checks, money and events. */
export function exchangeCore(flowCase: Ofw1Case): Engine {
  let known: KnownTargets | null = null;
  return {
    start: (flow) => {
      known ??= findTargets(flowCase, flow);
      return new Run(new CoreRun(flowCase, flow, known));
    },
    check: (flow) => coreTotals(flowCase, flow),
  };
}

/** Runs a flow once to learn which order each operation means: to look that up is not the core's work. */
function findTargets(flowCase: Ofw1Case, flow: Flow): KnownTargets {
  const followed = new FollowedTargets(flow);
  const run = new CoreRun(flowCase, flow, followed);
  const ids = new Int32Array(flow.count);
  for (let at = 0; at < flow.count; at++) {
    ids[at] = followed.of(at);
    run.step(at);
  }
  return new KnownTargets(ids);
}

/** What operations mean, by operation. */
class KnownTargets implements Targets {
  constructor(private readonly ids: Int32Array) {}

  of(operation: number): OrderId {
    return this.ids[operation] as OrderId;
  }

  note(): void {
    // The exchange gives the same ids again.
  }
}

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
