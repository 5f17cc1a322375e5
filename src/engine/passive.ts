import type { SendEffect } from '../domain/effects.js';
import type { MarketId } from '../domain/ids.js';
import { complement, type PriceUnits } from '../domain/units.js';
import { bookSide, type Position, type Side } from '../domain/vocabulary.js';
import type { Mirror } from '../mirror/mirror.js';
import type { EngineParts } from './parts.js';

/** As much of an order as decides whether it would take. */
interface Standing {
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly price: PriceUnits;
}

/** The venue has no post-only orders: whether an order would rest in the newest book instead of taking from it. */
export function standsPassively({ marketId, side, position, price }: Standing, mirror: Mirror): boolean {
  const { tickUnits } = mirror.market(marketId);
  const touch = mirror.touch(marketId);
  const longPrice = position === 'long' ? price : complement(price);
  if (bookSide(side, position) === 'bid') return touch.ask === null || longPrice < touch.ask * tickUnits;
  return touch.bid === null || longPrice > touch.bid * tickUnits;
}

/**
 * The last word on a request when its first byte is about to leave: quotes that were decided before a stop, or that
 * would take from the newest book, do not leave any more. Cancels and reads always may.
 * @returns a kebab-case reason, or null when it may leave
 */
export function objectionTo({ request }: SendEffect, parts: EngineParts): string | null {
  if (request.kind !== 'create-orders' && request.kind !== 'replace-orders') return null;
  const { life, killSwitch, desk, mirror } = parts;
  if (life.phase !== 'running' || killSwitch.state !== null) return 'not-quoting';
  const standings: readonly (Standing | undefined)[] =
    request.kind === 'create-orders'
      ? request.orders
      : request.replacements.map(({ orderId, price }) => {
          const old = desk.orders.byId(orderId);
          return old === undefined ? undefined : { ...old, price };
        });
  const allStand = standings.every((standing) => standing !== undefined && standsPassively(standing, mirror));
  return allStand ? null : 'would-take';
}
