import {
  DEFAULT_UPTIME,
  type DescribedEvent,
  type RunDescription,
  UNSAID,
} from '../../../analytics/observer.js';
import type { EventId, MarketId } from '../../../domain/ids.js';
import type { EventDescription } from '../../../domain/market.js';
import type { Micros } from '../../../domain/units.js';
import type { EngineOptions } from '../options.js';
import { describedInstances } from './describe-instances.js';

/** What the options of an engine do not say about its run. */
export interface RunSetting {
  /** `live`, or the fill scenario of a backtest. */
  readonly scenario: string;
  readonly startedAt: Micros;
  readonly assumptions: readonly string[];
  /** What recordings tell of events; a live run has none. */
  readonly recorded?: ReadonlyMap<EventId, RecordedEvent>;
}

/** An event as its recordings show it. */
export interface RecordedEvent {
  /** What it is about. */
  readonly underlying: string;
  /** Time of the last that they tell of it. */
  readonly until: Micros;
  /** SHA-256 of the recordings, sorted. */
  readonly recordings?: readonly string[];
  /** SHA-256 of what is noted beside them, in the same order; null: nothing is. */
  readonly notes?: readonly string[] | null;
}

/** What an analyst has to know of a run, from what its engine is made of. Markets that nobody quotes are left out. */
export function describeRun(options: EngineOptions, setting: RunSetting): RunDescription {
  return {
    runId: options.runId,
    scenario: setting.scenario,
    currency: options.terms.currency,
    startedAt: setting.startedAt,
    callsBefore: options.callsBefore,
    events: describedEvents(options, setting.recorded),
    instances: () => describedInstances(options),
    uptime: DEFAULT_UPTIME,
    takerFee: options.terms.takerFee,
    assumptions: setting.assumptions,
  };
}

/** Events of which an instance quotes a market now. */
export function describedEvents(
  options: EngineOptions,
  recordings: ReadonlyMap<EventId, RecordedEvent> = new Map(),
): readonly DescribedEvent[] {
  const strategies = new Map(
    options.instances.flatMap(({ instance, markets }) =>
      markets.map((market) => [market, instance.name] as const),
    ),
  );
  return options.events
    .map((event) => {
      const recorded = recordings.get(event.id);
      const underlying = options.underlyings.get(event.id) ?? recorded?.underlying ?? UNSAID;
      return describeEvent(event, strategies, { underlying, recorded });
    })
    .filter(({ markets }) => markets.length > 0);
}

/** What is known of an event besides itself. */
interface About {
  readonly underlying: string;
  readonly recorded: RecordedEvent | undefined;
}

const describeEvent = (
  event: EventDescription,
  strategies: ReadonlyMap<MarketId, string>,
  { underlying, recorded }: About,
): DescribedEvent => ({
  eventId: event.id,
  title: event.title,
  underlying,
  recordedUntil: recorded?.until ?? null,
  recordings: recorded?.recordings ?? null,
  notes: recorded?.notes ?? null,
  markets: event.markets.flatMap(({ id, title, tickUnits }) => {
    const strategy = strategies.get(id);
    return strategy === undefined ? [] : [{ marketId: id, title, tickUnits, strategy }];
  }),
});
