import type { ExchangeEvent } from '../../exchange/contract.js';

/** Kinds of which the last one of an observation says everything that the ones before said. */
const ABSOLUTE: ReadonlySet<ExchangeEvent['kind']> = new Set([
  'order-book-update',
  'best-prices-change',
  'price-change',
]);

/** What several commands of one observation said, as one: states in between were never shown to anybody. */
export function asOne(events: readonly ExchangeEvent[]): readonly ExchangeEvent[] {
  const said = new Set<string>();
  const kept: ExchangeEvent[] = [];
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at]!;
    if (ABSOLUTE.has(event.kind) && !isFirst(said, event)) continue;
    kept.push(event);
  }
  return kept.reverse();
}

function isFirst(said: Set<string>, event: ExchangeEvent): boolean {
  const subject = 'marketId' in event ? event.marketId : 'eventId' in event ? event.eventId : '';
  const name = `${event.kind} ${subject} ${'mode' in event ? event.mode : ''}`;
  if (said.has(name)) return false;
  said.add(name);
  return true;
}
