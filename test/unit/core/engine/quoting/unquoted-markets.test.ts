import { beforeEach, describe, expect, it } from 'vitest';
import { type MarketId, marketId } from '../../../../../src/domain/ids.js';
import type { EngineParts } from '../../../../../src/core/engine/parts.js';
import { UnquotedMarkets } from '../../../../../src/core/engine/quoting/unquoted-markets.js';
import type { OwnOrder } from '../../../../../src/core/execution/orders/own-order.js';

const QUOTED = marketId(7);
const LEFT_BEHIND = marketId(8);

describe('whether something is to be cleared away in markets that nobody quotes', () => {
  /** Markets whose orders changed, as the registry of orders notes them. */
  let changed: Set<MarketId>;
  let working: readonly OwnOrder[];
  let unquoted: UnquotedMarkets;

  beforeEach(() => {
    changed = new Set();
    working = [{} as OwnOrder];
    const orders = { watch: () => changed, own: () => ({ working }) };
    const parts = { desk: { orders }, quoted: new Map([[QUOTED, {}]]) };
    unquoted = new UnquotedMarkets(parts as unknown as EngineParts);
  });

  it('is not so when an order in a quoted market changed', () => {
    changed.add(QUOTED);
    expect(unquoted.isIdle).toBe(true);
  });

  it('is so from an order that appeared in another market until it is gone', () => {
    changed.add(LEFT_BEHIND);
    expect(unquoted.isIdle).toBe(false);
    expect(unquoted.isIdle).toBe(false);
    working = [];
    changed.add(LEFT_BEHIND);
    expect(unquoted.isIdle).toBe(true);
  });
});
