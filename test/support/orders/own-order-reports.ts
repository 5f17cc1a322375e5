/** Reports and answers as tests write them. */
import { orderId } from '../../../src/domain/ids.js';
import type { Answer, AnswerBody, RequestFailure } from '../../../src/domain/answers.js';
import type { LimitOrder, OrderReport } from '../../../src/domain/orders.js';
import { micros, type Micros, type Shares } from '../../../src/domain/units.js';
import { meaningOfRefusal } from '../../../src/venues/futuur/protocol/errors.js';

const START = 1_000_000_000;

/** So many milliseconds after the start of the test. */
export const ms = (after: number): Micros => micros(START + after * 1_000);

export const reportOf = (order: LimitOrder, id: number, told: Partial<OrderReport> = {}): OrderReport => ({
  orderId: orderId(id),
  marketId: order.marketId,
  eventId: order.eventId,
  side: order.side,
  position: order.position,
  currency: order.currency,
  price: order.price,
  status: 'open',
  requested: order.shares,
  filled: 0 as Shares,
  averageFillPrice: null,
  createdAt: null,
  expiresAt: order.expiresAt,
  ...told,
});

/** The same order as a listing shows it. */
export const listed = (report: OrderReport): OrderReport => ({
  ...report,
  eventId: null,
  filled: null,
  averageFillPrice: null,
});

export const answered = (requestId: number, body: AnswerBody, sentAt: Micros): Answer => ({
  kind: 'answer',
  requestId,
  sentAt,
  outcome: { ok: true, body },
});

export const failed = (requestId: number, failure: RequestFailure, sentAt: Micros | null): Answer => ({
  kind: 'answer',
  requestId,
  sentAt,
  outcome: { ok: false, failure },
});

export const TIMED_OUT: RequestFailure = { kind: 'unknown', reason: 'timed out' };

export const refusedWith = (code: string, status = 400): RequestFailure => ({
  kind: 'refused',
  status,
  code,
  means: meaningOfRefusal({ status, code }),
  detail: '',
  retryAfterMs: null,
});
