/** Which inputs speak of the statuses of markets, and of which markets. */
import type { MarketId } from '../domain/ids.js';
import type { Input } from '../domain/inputs.js';

const NONE: readonly MarketId[] = [];

/** Whether it may tell that a market was resolved, cancelled, or that this was taken back. */
export const speaksOfStatus = (input: Input): boolean =>
  input.kind === 'market-status-change' ||
  input.kind === 'live-data-update' ||
  input.kind === 'price-change' ||
  (input.kind === 'answer' && input.outcome.ok && input.outcome.body.kind === 'read-event');

/** Markets whose own status it states. */
export function statusesStatedBy(input: Input): readonly MarketId[] {
  if (input.kind === 'market-status-change')
    return input.marketId === null || input.status === undefined ? NONE : [input.marketId];
  if (input.kind === 'price-change') return input.markets.map(({ marketId }) => marketId);
  if (input.kind !== 'answer' || !input.outcome.ok || input.outcome.body.kind !== 'read-event') return NONE;
  return input.outcome.body.event.markets.map(({ id }) => id);
}
