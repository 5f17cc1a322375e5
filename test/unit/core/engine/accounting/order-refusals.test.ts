import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../../src/domain/ids.js';
import { OrderReactions } from '../../../../../src/core/engine/accounting/order-reactions.js';
import { BarredOrders } from '../../../../../src/core/engine/quoting/venue-rules.js';
import type { EngineParts } from '../../../../../src/core/engine/parts.js';
import type { OwnOrder } from '../../../../../src/core/execution/orders/own-order.js';
import { ms } from '../../../../support/orders/own-order-reports.js';

describe('a refusal for a rule that nobody can place', () => {
  it('bars the order, with what the venue said of it', () => {
    const barredOrders = new BarredOrders();
    const reactions = new OrderReactions({
      barredOrders,
      life: { phase: 'running' },
    } as unknown as EngineParts);
    const order = { marketId: '11', side: 'bid', position: 'long', price: 5_000, requested: 100 } as never;
    const detail = 'Market 11 does not belong to event 8.';
    reactions.heard(
      [{ kind: 'refused', order, code: 'ValidationError', means: 'invalid', detail, fields: ['event'] }],
      ms(1),
    );
    const terms = {
      marketId: marketId(11),
      side: 'bid',
      position: 'long',
      price: 5_000,
      shares: 100,
    } as never;
    expect(barredOrders.barredUntil(terms, ms(2))).toBe(ms(600_001));
    expect(barredOrders.reasonIn(marketId(11))).toBe(`ValidationError: ${detail}`);
  });
});

describe('a refusal for want of balance', () => {
  it.each([
    ['bid', 'has what there is of cash doubted', ['cash']],
    ['ask', 'has holdings read: it is shares that are not there', ['holdings']],
  ] as const)('of a %s %s', (side, _what, doubted) => {
    const doubts: string[] = [];
    const reactions = new OrderReactions({
      funds: { refused: () => doubts.push('cash') },
      mirror: { distrust: (part: string) => doubts.push(part) },
      barredOrders: {},
      life: { phase: 'running' },
    } as unknown as EngineParts);
    const order = { side, marketId: '11' } as unknown as OwnOrder;
    reactions.heard([{ kind: 'refused', order, code: 'UserNotEnoughBalance', means: 'no-funds' }], ms(1));
    expect(doubts).toEqual(doubted);
  });
});
