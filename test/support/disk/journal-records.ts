/** Journal records and their parts, as short as tests want them. */
import type { VenueRequest } from '../../../src/domain/effects.js';
import { eventId, marketId, orderId } from '../../../src/domain/ids.js';
import type { Answer, AnswerBody } from '../../../src/domain/answers.js';
import type { OrderReport } from '../../../src/domain/orders.js';
import { micros, priceUnits, shares } from '../../../src/domain/units.js';
import type { OrderStatus } from '../../../src/domain/vocabulary.js';
import type { JournalRecord, OrderClaims } from '../../../src/core/ports/journal.js';
import { meaningOfRefusal } from '../../../src/venues/futuur/protocol/errors.js';

const AT = micros(1_700_000_000_000_000);

export const run = (runId: string): JournalRecord => ({ kind: 'run', runId, at: AT, configHash: 'cafe' });
export const end = (outcome: string): JournalRecord => ({ kind: 'end', at: AT, outcome });
export const ownOrders = (...ids: number[]): JournalRecord => ({
  kind: 'own-orders',
  orderIds: ids.map(orderId),
});

export const claims = (known: Partial<OrderClaims>): JournalRecord => ({
  kind: 'claims',
  ours: [],
  foreign: [],
  ambiguous: [],
  ended: [],
  ...known,
});

export function request(
  requestId: number,
  asked: VenueRequest = { kind: 'create-orders', orders: [] },
): JournalRecord {
  return {
    kind: 'request',
    requestId,
    key: `run-${requestId}`,
    at: AT,
    request: asked,
    body: '{"orders":[]}',
  };
}

export const replaceRequest = (requestId: number, ...ids: number[]): JournalRecord =>
  request(requestId, {
    kind: 'replace-orders',
    replacements: ids.map((id) => approvedReplacement(id)),
  });

type Replacements = Extract<VenueRequest, { kind: 'replace-orders' }>['replacements'];

/** Only the risk gate approves; a journal that is read back has no gate to pass. */
const approvedReplacement = (id: number): Replacements[number] =>
  ({
    orderId: orderId(id),
    price: priceUnits(5_000),
    shares: shares(100),
    expiresAt: null,
  }) as Replacements[number];

const answer = (requestId: number, outcome: Answer['outcome']): JournalRecord => ({
  kind: 'answer',
  requestId,
  at: AT,
  outcome,
});

export const answered = (requestId: number, body: AnswerBody): JournalRecord =>
  answer(requestId, { ok: true, body });

export const unknown = (requestId: number): JournalRecord =>
  answer(requestId, { ok: false, failure: { kind: 'unknown', reason: 'time-out' } });

export const notSent = (requestId: number): JournalRecord =>
  answer(requestId, { ok: false, failure: { kind: 'not-sent', reason: 'deadline' } });

export const refused = (requestId: number, code: string, status = 400): JournalRecord =>
  answer(requestId, {
    ok: false,
    failure: {
      kind: 'refused',
      status,
      code,
      means: meaningOfRefusal({ status, code }),
      detail: '',
      retryAfterMs: null,
    },
  });

export const created = (requestId: number, ...ids: number[]): JournalRecord =>
  answered(requestId, {
    kind: 'create-orders',
    items: ids.map((id) => ({ ok: true, value: report(id) })),
    canceledIds: [],
  });

export const canceled = (requestId: number, ...ids: number[]): JournalRecord =>
  answered(requestId, {
    kind: 'cancel-orders',
    items: ids.map((id) => ({ ok: true, value: orderId(id) })),
  });

export const report = (id: number, status: OrderStatus = 'open'): OrderReport => ({
  orderId: orderId(id),
  marketId: marketId(2231),
  eventId: eventId(873),
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  price: priceUnits(5_200),
  status,
  requested: shares(1_300),
  filled: shares(0),
  averageFillPrice: null,
  createdAt: AT,
  expiresAt: null,
});
