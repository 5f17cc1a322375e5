import { describe, expect, it } from 'vitest';
import { DrawnArrivals, RequestTimes } from '../../../../src/runs/shadow/latency.js';
import { orderId } from '../../../../src/domain/ids.js';
import type { AnswerBody, ItemOutcome } from '../../../../src/domain/answers.js';
import type { OrderReport } from '../../../../src/domain/orders.js';
import type { Micros } from '../../../../src/domain/units.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import type { TapedOrderNews } from '../../../../src/storage/index.js';
import { reportOf } from '../../../support/backtest/shadow-inputs.js';
import { second } from '../../../support/tape/tape.js';

const made = (id: number, createdAt: Micros): ItemOutcome<OrderReport> => ({
  ok: true,
  value: reportOf(id, { price: 4_700, shares: 500, createdAt }),
});

function timesOf(...answers: readonly (readonly [sentAt: number, body: AnswerBody])[]): RequestTimes {
  const times = new RequestTimes();
  answers.forEach(([sentAt, body], at) => {
    const input = {
      kind: 'answer',
      requestId: at,
      sentAt: second(sentAt),
      outcome: { ok: true, body },
    } as const;
    times.take({ seq: at, at: second(sentAt + 1), input });
  });
  return times;
}

const news = (kind: 'placed' | 'ended', id: number, s: number): TapedOrderNews =>
  ({ kind, at: second(s), order: { orderId: orderId(id) } }) as unknown as TapedOrderNews;

describe('ways drawn anew', () => {
  const times = timesOf(
    [1, { kind: 'create-orders', items: [made(1, second(1.01)), made(2, second(1.01))], canceledIds: [] }],
    [2, { kind: 'replace-orders', items: [made(3, second(2.02))] }],
    [3, { kind: 'cancel-orders', items: [{ ok: true, value: orderId(2) }] }],
  );
  const constant = (ms: number) => new DrawnArrivals(times, [ms], seededRandom(1));

  it('begin when the request left', () => {
    expect(constant(500).of(news('placed', 1, 1.01))).toBe(second(1.5));
    expect(constant(500).of(news('ended', 2, 3.01))).toBe(second(3.5));
  });

  it('are those of the successor for an order that was replaced', () => {
    expect(constant(500).of(news('ended', 1, 2.02))).toBe(second(2.5));
  });

  it('are as recorded where no answer tells', () => {
    expect(constant(500).of(news('ended', 1, 9))).toBe(second(9));
  });

  it('are drawn once for all that one request did', () => {
    const drawn = new DrawnArrivals(times, [0, 100, 1_000], seededRandom(1));
    const first = drawn.of(news('placed', 1, 1.01));
    expect(drawn.of(news('placed', 2, 1.01))).toBe(first);
    expect(drawn.of(news('placed', 3, 2.02)) - second(2)).not.toBe(first - second(1));
    expect(first).toBeGreaterThanOrEqual(second(1));
    expect(first).toBeLessThanOrEqual(second(2));
  });

  it('may be shorter than nothing where the clock of the venue is behind', () => {
    const drawn = new DrawnArrivals(times, [-40, -20], seededRandom(1));
    const way = drawn.of(news('placed', 1, 0.97)) - second(1);
    expect(way).toBeGreaterThanOrEqual(-40_000);
    expect(way).toBeLessThanOrEqual(-20_000);
    expect(drawn.earliest).toBe(20_000);
  });
});
