import { describe, expect, it } from 'vitest';
import { OrderReactions } from '../../../../src/engine/accounting/order-reactions.js';
import type { EngineParts } from '../../../../src/engine/parts.js';
import type { OwnOrder } from '../../../../src/execution/orders/own-order.js';
import { ms } from '../../../support/own-order-reports.js';

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
    } as unknown as EngineParts);
    const order = { side, marketId: 11 } as unknown as OwnOrder;
    reactions.heard([{ kind: 'refused', order, code: 'UserNotEnoughBalance' }], ms(1));
    expect(doubts).toEqual(doubted);
  });
});
