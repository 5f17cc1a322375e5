import type { EngineView, MarketStateView } from '../../core/engine/observing/view.js';

/** Whether a bot does its work; `reasons` is empty exactly when it is ready. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** Ready: it runs, the venue is reached, nothing was killed, and every quoted market that is open has its book. */
export function readinessOf(view: EngineView | null): Readiness {
  const reasons = view === null ? ['the engine has not started'] : reasonsAgainst(view);
  return { ready: reasons.length === 0, reasons };
}

function reasonsAgainst({ phase, connection, killed, alarms, instances, markets }: EngineView): string[] {
  const faults = instances.flatMap(({ name, fault }) =>
    fault === null ? [] : [`instance ${name}: ${fault}`],
  );
  return [
    ...(phase === 'running' ? [] : [`the engine is ${phase}`]),
    ...(connection.state === 'connected'
      ? []
      : [`the connection is ${connection.state}: ${connection.reason}`]),
    ...alarms.map(({ text }) => text),
    ...(killed === null ? [] : [`the kill switch is latched: ${killed}`]),
    ...faults,
    ...markets
      .filter(lacksBook)
      .map(({ marketId, book }) => `the book of market ${marketId} is ${book.freshness}`),
  ];
}

/** A `hidden` side is seen through the last signed read, so its book still serves. */
const USABLE: readonly string[] = ['live', 'hidden'];
const SHUT: readonly string[] = ['paused', 'closed'];

const lacksBook = ({ instance, tradability, book }: MarketStateView): boolean =>
  instance !== null && !SHUT.includes(tradability) && !USABLE.includes(book.freshness);
