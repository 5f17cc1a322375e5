import { describe, expect, it } from 'vitest';
import type { Answer, AnswerBody, RequestFailure } from '../../../../../src/domain/answers.js';
import { micros } from '../../../../../src/domain/units.js';
import { Alarms } from '../../../../../src/core/engine/guarding/alarms.js';
import { OrderPace } from '../../../../../src/core/execution/sending/order-pace.js';
import { Notices } from '../../../../../src/core/engine/guarding/notices.js';
import { answered, failed, refusedWith } from '../../../../support/orders/own-order-reports.js';

const HOUR = 3_600_000_000;
const at = (after: number) => micros(1_000_000_000 + after);

const ok = (body: AnswerBody): Answer => answered(1, body, at(0));
const READ: AnswerBody = { kind: 'read-orders', orders: [] };
const CREATED: AnswerBody = { kind: 'create-orders', items: [], canceledIds: [] };

function scene() {
  const notices = new Notices();
  const alarms = new Alarms(notices);
  const fails = (failure: RequestFailure, after = 0): void =>
    alarms.answered(failed(1, failure, at(after)), at(after));
  return { alarms, fails, codes: () => alarms.standing.map(({ code }) => code), said: () => notices.drain() };
}

describe('an alarm', () => {
  it.each(['InvalidHMACKey', 'InvalidHMACSignature', 'NotAuthenticated', 'PermissionDenied'])(
    'is raised once by keys that are refused (%s), and is over when they work again',
    (code) => {
      const { alarms, fails, codes, said } = scene();
      fails(refusedWith(code, 401));
      fails(refusedWith(code, 401), 1);
      expect(codes()).toEqual(['keys-refused']);
      expect(said()).toMatchObject([{ level: 'error', code: 'alarm-keys-refused' }]);
      alarms.answered(ok(READ), at(2));
      expect(codes()).toEqual([]);
    },
  );

  it.each(['read-book', 'read-event'] as const)(
    'about refused keys is not over with a %s, which the venue answers to anybody',
    (kind) => {
      const { alarms, fails, codes } = scene();
      fails(refusedWith('InvalidHMACKey', 401));
      alarms.answered(ok({ kind } as AnswerBody), at(1));
      expect(codes()).toEqual(['keys-refused']);
    },
  );

  it('is raised by a journal without room until an order could be written down again', () => {
    const { alarms, fails, codes } = scene();
    fails({ kind: 'not-sent', reason: 'journal' });
    alarms.answered(ok(READ), at(1));
    expect(codes()).toEqual(['journal']);
    alarms.answered(ok(CREATED), at(2));
    expect(codes()).toEqual([]);
  });

  it('is raised by an hour of 429, and not while nothing stands', () => {
    const { alarms, fails, codes } = scene();
    for (let after = 0; after <= HOUR; after += HOUR / 4) fails(refusedWith('Throttled', 429), after);
    expect(alarms.nextDue(at(1))).toBe(at(HOUR));
    alarms.review(() => true, at(HOUR - 1));
    alarms.review(() => false, at(HOUR));
    expect(codes()).toEqual([]);
    alarms.review(() => true, at(HOUR));
    expect(codes()).toEqual(['throttled']);
    alarms.answered(ok(READ), at(HOUR + 1));
    expect([codes(), alarms.nextDue(at(HOUR + 1))]).toEqual([[], null]);
  });

  it('is raised although the answer to an earlier request came after the first 429', () => {
    const { alarms, fails, codes } = scene();
    fails(refusedWith('Throttled', 429), 10);
    alarms.answered(ok(READ), at(11));
    alarms.review(() => true, at(HOUR + 10));
    expect(codes()).toEqual(['throttled']);
  });

  it('is not raised by what the market does', () => {
    const { fails, codes } = scene();
    fails(refusedWith('MarketClosed'));
    fails({ kind: 'unknown', reason: 'time-out' });
    fails({ kind: 'not-sent', reason: 'would-take' });
    expect(codes()).toEqual([]);
  });

  it('is raised while the limit of orders binds for seconds, and is over with it', () => {
    const { alarms, codes, said } = scene();
    const pace = new OrderPace(60, [], at(0));
    for (const second of [0, 4, 5]) {
      pace.holdsBack(at(second * 1_000_000));
      alarms.paced([pace], at(second * 1_000_000));
      expect(codes()).toEqual(second < 5 ? [] : ['orders-paced']);
    }
    expect(said()).toMatchObject([{ level: 'error', code: 'alarm-orders-paced' }]);
    alarms.paced([pace], at(15_000_000));
    expect(codes()).toEqual([]);
  });
});
