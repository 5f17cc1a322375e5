/** Which inputs speak of the statuses of markets, and of which markets. */
import type { MarketId } from '../../domain/ids.js';
import type { Input } from '../../domain/inputs.js';

const NONE: readonly MarketId[] = [];

/** Whether it may tell that a market was resolved, cancelled, or that this was taken back. */
export function speaksOfStatus(input: Input): boolean {
  const { kind } = input;
  if (kind === 'answer') return input.outcome.ok && input.outcome.body.kind === 'read-event';
  return kind === 'market-status-change' || kind === 'live-data-update' || kind === 'price-change';
}

/** Markets whose own status it states. */
export function statusesStatedBy(input: Input): readonly MarketId[] {
  if (input.kind === 'market-status-change')
    return input.marketId === null || input.status === undefined ? NONE : [input.marketId];
  if (input.kind === 'price-change') return input.markets.map(({ marketId }) => marketId);
  if (input.kind !== 'answer' || !input.outcome.ok || input.outcome.body.kind !== 'read-event') return NONE;
  return input.outcome.body.event.markets.map(({ id }) => id);
}
