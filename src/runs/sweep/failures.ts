/** Which ends of a backtest are failures of its configuration: what it came to is no profit that it could have made. */
import type { StopFigures } from '../../analytics/guard-stops.js';
import { STRATEGY_FAULT } from '../../core/engine/guarding/halts.js';
import { stoppedBy } from '../../report/guard-lines.js';
import type { ScenarioTotals } from '../backtest/scenario-totals.js';

/** How one scenario went. */
export interface ScenarioCourse {
  readonly outcome: ScenarioTotals['outcome'];
  /** What guards stopped. */
  readonly stops: readonly StopFigures[];
  /** What stopped strategies, a line for each instance. */
  readonly strategyFaults: readonly string[];
}

/** The one stop that is no limit of the file: the venue would not let it trade on. */
const VENUE_REFUSAL = 'venue-refusal';

/**
 * A line for each: strategies that failed, a venue that let it trade no more, and an end without proof that nothing of it
 * stands. Limits of the file that stopped it (losses, fills, mark-outs) are none: they are what is tried, and what they
 * cost is in the profit.
 */
export const failuresOf = ({ outcome, stops, strategyFaults }: ScenarioCourse): readonly string[] => [
  ...strategyFaults,
  ...stops.flatMap(({ rule, text }) => (rule === VENUE_REFUSAL ? [`stopped by ${rule}: ${text}`] : [])),
  ...(outcome === 'clean' ? [] : [`the run did not end clean: ${outcome}`]),
];

/** Why it is not what its strategy would have come to: rules of guards, `strategy-fault`, and an end that was not clean. */
export const stopRulesOf = ({ outcome, stops, strategyFaults }: ScenarioCourse): readonly string[] => [
  ...stoppedBy(stops),
  ...(strategyFaults.length === 0 ? [] : [STRATEGY_FAULT]),
  ...(outcome === 'clean' ? [] : [outcome]),
];
