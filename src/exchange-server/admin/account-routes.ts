/** What administrators do in the name of accounts, and the test event. */
import type { AccountId, EventId } from '../../domain/ids.js';
import type { Deposit } from '../../exchange/contract.js';
import { DecimalError, readMoney } from '../../venues/futuur/protocol/decimals.js';
import type { InputReading } from '../http/order-input.js';
import { commentBody, depositBody } from './bodies.js';
import { type AdminParts, type AdminRequest, type AdminRoute, commanding, shaped } from './route.js';

export const accountRoutes = (parts: AdminParts): readonly AdminRoute[] => [
  commanding(parts, '/admin/accounts/:id/deposit/', readDeposit),
  commanding(parts, '/admin/events/:id/comments/', (request) =>
    shaped(commentBody, request, ({ user, content }) => ({
      kind: 'post-comment',
      eventId: request.id as EventId,
      account: user as AccountId,
      content,
    })),
  ),
  commanding(parts, '/admin/test-event/', () => ({ ok: true, value: { kind: 'send-test-event' } })),
];

function readDeposit(request: AdminRequest): InputReading<Deposit> {
  try {
    return shaped(depositBody, request, ({ currency, amount }) => ({
      kind: 'deposit',
      account: request.id as AccountId,
      currency,
      amount: readMoney(amount, 'amount'),
    }));
  } catch (error) {
    if (error instanceof DecimalError)
      return { ok: false, fields: { amount: [`must be ${error.expected}`] } };
    throw error;
  }
}
