/** Requests that get no usable answer: each halt has a line that names request, answer and what is done. */
import { describe, expect, it } from 'vitest';
import type { RequestFailure } from '../../../../../src/domain/answers.js';
import type { VenueRequest } from '../../../../../src/domain/effects.js';
import { eventId, orderId } from '../../../../../src/domain/ids.js';
import { micros } from '../../../../../src/domain/units.js';
import { FailingRequests } from '../../../../../src/core/engine/guarding/failing-requests.js';
import { Notices } from '../../../../../src/core/engine/guarding/notices.js';
import { EVENT, MARKET, MirrorDriver } from '../../../../support/mirror/mirror-driver.js';
import { answered, failed, refusedWith } from '../../../../support/orders/own-order-reports.js';

const MINUTE = 60_000_000;
const at = (after: number) => micros(1_000_000_000 + after);
const HTML: RequestFailure = { kind: 'unknown', reason: 'no JSON: <html>' };

function scene(driver = new MirrorDriver().join()) {
  const notices = new Notices();
  const failing = new FailingRequests(notices, driver.mirror);
  const fails = (request: VenueRequest, failure: RequestFailure, after = 0): void =>
    failing.answered(request, failed(1, failure, at(after)), at(after));
  return { failing, fails, texts: () => notices.drain().map(({ text }) => text) };
}

const BALANCES: VenueRequest = { kind: 'read-balances' };
const refused = (code: string): RequestFailure => refusedWith(code, 400);

describe('a request that fails', () => {
  it('is told with its answer and what is done: nothing is quoted before balances are read', () => {
    const { fails, texts } = scene();
    fails(BALANCES, refused('Err-1'));
    expect(texts()).toEqual([
      expect.stringMatching(
        /^the read of balances failed \(the venue answered 400 Err-1.*\): it is asked again, and nothing is quoted until it is answered$/,
      ),
    ]);
  });

  it('is told otherwise where what was read before counts', () => {
    const { fails, texts } = scene(new MirrorDriver().goLive());
    fails(BALANCES, HTML);
    expect(texts()).toEqual([
      'the read of balances failed (no JSON: <html>): it is asked again, and what was known before counts',
    ]);
  });

  it.each<[VenueRequest, string]>([
    [{ kind: 'create-orders', orders: [] }, 'in doubt and count as open'],
    [{ kind: 'replace-orders', replacements: [] }, 'in doubt and count as open'],
    [{ kind: 'cancel-orders', orderIds: [orderId('7')] }, 'count as open, and are cancelled again'],
    [
      { kind: 'cancel-scope', scope: { kind: 'event', eventId: EVENT } },
      'count as open, and are cancelled again',
    ],
    [{ kind: 'read-orders' }, 'nothing is quoted'],
    [{ kind: 'read-holdings' }, 'nothing is quoted'],
    [{ kind: 'read-event', eventId: eventId(EVENT) }, 'what frames say counts'],
    [{ kind: 'read-book', marketId: MARKET, mode: 'play_money' }, 'the market is not quoted'],
  ])('%j is told with what is done', (request, done) => {
    const { fails, texts } = scene();
    fails(request, HTML);
    expect(texts()).toEqual([expect.stringContaining(done)]);
  });

  it('without end is told once a minute, however the answer changes, and counted', () => {
    const { failing, fails, texts } = scene();
    for (let second = 0; second <= 120; second++)
      fails(BALANCES, refused(`Err-${second}`), second * 1_000_000);
    expect(texts()).toEqual([
      expect.stringContaining('Err-0'),
      expect.stringContaining('failed, 61 times in a row'),
      expect.stringContaining('failed, 121 times in a row'),
    ]);
    expect(failing.standing).toEqual([expect.objectContaining({ times: 121 })]);
  });

  it('stands until its kind is answered', () => {
    const { failing, fails, texts } = scene();
    fails(BALANCES, HTML);
    failing.answered(BALANCES, answered(1, { kind: 'read-balances', balances: new Map() }, at(1)), at(1));
    expect(failing.standing).toEqual([]);
    fails(BALANCES, HTML, MINUTE);
    expect(texts()).toHaveLength(2);
  });

  it.each<[string, VenueRequest, RequestFailure]>([
    ['what never left', BALANCES, { kind: 'not-sent', reason: 'journal' }],
    ['refused keys', BALANCES, refusedWith('InvalidHMACKey', 401)],
    ['a venue that asks to wait', BALANCES, refusedWith('Throttled', 429)],
    ['an event that is not shown', { kind: 'read-event', eventId: EVENT }, refusedWith('NotFound', 404)],
    ['refused orders', { kind: 'create-orders', orders: [] }, refused('InvalidShares')],
  ])('leaves %s to other notices', (_what, request, failure) => {
    const { failing, fails, texts } = scene();
    fails(request, failure);
    expect(texts()).toEqual([]);
    expect(failing.standing).toEqual([]);
  });

  it('is told without a page of text', () => {
    const { fails, texts } = scene();
    fails(BALANCES, { kind: 'unknown', reason: 'x'.repeat(5_000) });
    expect(texts()[0]!.length).toBeLessThan(400);
  });
});
