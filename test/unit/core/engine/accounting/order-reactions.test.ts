import { expect, it } from 'vitest';
import type { Fill } from '../../../../../src/domain/fill.js';
import { marketId } from '../../../../../src/domain/ids.js';
import type { Micros } from '../../../../../src/domain/units.js';
import { OrderReactions } from '../../../../../src/core/engine/accounting/order-reactions.js';
import type { EngineParts } from '../../../../../src/core/engine/parts.js';
import type { OrderNews } from '../../../../../src/core/execution/orders/own-order.js';

/** Who heard of a fill of an order of these hands in that currency, where the run trades in USDC. */
function hearersOf(ownership: 'ours' | 'foreign', currency: 'USDC' | 'USD'): readonly string[] {
  const hearers: string[] = [];
  const noting = (name: string) => ({ filled: () => void hearers.push(name) });
  const guards = { filled: () => (hearers.push('guards'), [marketId(12)]) };
  const parts = {
    positions: { currency: 'USDC', ...noting('positions') },
    tally: noting('tally'),
    observer: noting('observer'),
    guards,
    quoted: new Map(),
    life: { phase: 'running' },
    mirror: { event: () => ({ markets: [{ id: marketId(11) }, { id: marketId(12) }] }) },
  } as unknown as EngineParts;
  const fill = { marketId: marketId(11), currency, liquidity: 'maker' } as Fill;
  const news = { kind: 'filled', fill, order: { ownership }, presumed: 0 } as unknown as OrderNews;
  const looked = new OrderReactions(parts).heard([news], 1 as Micros);
  // Whose limits it uses up is the whole event's business.
  expect(looked).toEqual(currency === 'USDC' ? ['11', '12'] : ['11']);
  return hearers;
}

it('a fill of an order of ours is counted by guards and screens', () => {
  expect(hearersOf('ours', 'USDC')).toEqual(['positions', 'observer', 'tally', 'guards']);
});

it('a fill of other hands changes what is held, and is none that guards or screens count', () => {
  expect(hearersOf('foreign', 'USDC')).toEqual(['positions', 'observer']);
});

it.each(['ours', 'foreign'] as const)(
  'a fill in another currency is booked there, and enters no figure of the run (%s)',
  (ownership) => {
    expect(hearersOf(ownership, 'USD')).toEqual(['positions']);
  },
);
