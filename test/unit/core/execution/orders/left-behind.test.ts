import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../../../src/domain/ids.js';
import type { MarketId } from '../../../../../src/domain/ids.js';
import type { LimitOrder } from '../../../../../src/domain/orders.js';
import type { MarketOwnership } from '../../../../../src/domain/vocabulary.js';
import { leftBehind, signedAt, workIn } from '../../../../../src/core/execution/orders/left-behind.js';
import type { JournalRecord, OrderClaims } from '../../../../../src/core/ports/journal.js';
import { approved } from '../../../../support/bot/effects.js';
import { limitOrder, MARKET } from '../../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../../support/orders/own-order-reports.js';

const WINDOW_US = 60_000_000;
const OTHER = marketId(999_999);
const ASKED = limitOrder(40, 10);

type Ownership = MarketOwnership | null;

const shared = (market: MarketId): Ownership => (market === MARKET ? 'shared' : null);
const exclusive = (market: MarketId): Ownership => (market === MARKET ? 'exclusive' : null);

const creating = (...orders: readonly LimitOrder[]): JournalRecord => ({
  kind: 'request',
  requestId: 1,
  key: 'k-1',
  at: ms(0),
  request: { kind: 'create-orders', orders: orders.map(approved) },
  body: '',
});
const naming = (...ids: readonly number[]): JournalRecord => ({
  kind: 'own-orders',
  orderIds: ids.map(orderId),
});

const claiming = (known: Partial<OrderClaims>): JournalRecord => ({
  kind: 'claims',
  ours: [],
  foreign: [],
  ambiguous: [],
  ended: [],
  ...known,
});

const listed = (id: number, order: LimitOrder = ASKED, createdAt = ms(500)) =>
  reportOf(order, id, { createdAt });
const idsOf = (orders: readonly { readonly orderId: string }[]): string[] =>
  orders.map((order) => order.orderId);

function sorted(records: readonly JournalRecord[], orders: Parameters<typeof leftBehind>[0], owner = shared) {
  const { ours, ambiguous } = leftBehind(orders, owner, workIn(records, 0), WINDOW_US);
  return { ours: idsOf(ours), ambiguous: idsOf(ambiguous) };
}

describe('what a bot left behind', () => {
  it('is everything in a market that is its own, and nothing in one that it does not trade', () => {
    const strange = { ...listed(2), marketId: OTHER };
    expect(sorted([], [listed(1), strange], exclusive)).toEqual({ ours: ['1'], ambiguous: [] });
  });

  it('is in one that is not traded any more what the journal names, and what fits a lost create', () => {
    const strange = [2, 3, 4].map((id) => ({ ...listed(id), marketId: OTHER }));
    const lost = { ...limitOrder(41, 10), marketId: OTHER };
    const came = { ...listed(5, limitOrder(41, 10)), marketId: OTHER };
    const records = [naming(1, 3), creating(lost)];
    expect(sorted(records, [...strange, came], exclusive)).toEqual({ ours: ['3', '5'], ambiguous: [] });
  });

  it('is in a shared market what the journal names', () => {
    expect(sorted([naming(1, 3)], [listed(1), listed(2)])).toEqual({ ours: ['1'], ambiguous: [] });
  });

  it('is also the order of a create whose answer nobody heard', () => {
    const other = listed(3, limitOrder(41, 10));
    expect(sorted([creating(ASKED)], [listed(2), other])).toEqual({ ours: ['2'], ambiguous: [] });
  });

  it('is in doubt about one of the same terms that is older or younger than the request can explain, unless another is not', () => {
    const old = listed(2, ASKED, ms(-61_000));
    const young = listed(3, ASKED, ms(61_000));
    expect(sorted([creating(ASKED)], [old, young])).toEqual({ ours: [], ambiguous: ['2', '3'] });
    expect(sorted([creating(ASKED)], [old, young, listed(4)])).toEqual({ ours: ['4'], ambiguous: [] });
    expect(sorted([creating(ASKED, ASKED)], [old, listed(4)])).toEqual({ ours: ['4'], ambiguous: ['2'] });
  });

  it('is none that it knew to be another’s, and in doubt about what it doubted itself', () => {
    const known = claiming({ foreign: [orderId(2)] });
    expect(sorted([creating(ASKED), known], [listed(2), listed(3)])).toEqual({ ours: ['3'], ambiguous: [] });
    const doubted = claiming({ ambiguous: [orderId(2)] });
    expect(sorted([doubted], [listed(2), listed(3)])).toEqual({ ours: [], ambiguous: ['2'] });
    expect(sorted([creating(ASKED), doubted], [listed(2), listed(3)])).toEqual({
      ours: [],
      ambiguous: ['2', '3'],
    });
  });

  it('is what it found of a lost create, which explains no other order of its terms', () => {
    const { expiresAt: _, ...terms } = ASKED;
    const found = claiming({ ours: [{ ...terms, orderId: orderId(2) }] });
    expect(sorted([creating(ASKED), found], [listed(2), listed(3)])).toEqual({ ours: ['2'], ambiguous: [] });
    const over = claiming({ ours: [{ ...terms, orderId: null }] });
    expect(sorted([creating(ASKED, ASKED), over], [listed(3)])).toEqual({ ours: ['3'], ambiguous: [] });
  });

  it('is in doubt when more orders fit than were lost', () => {
    expect(sorted([creating(ASKED)], [listed(2), listed(3)])).toEqual({ ours: [], ambiguous: ['2', '3'] });
    expect(sorted([creating(ASKED, ASKED)], [listed(2), listed(3)])).toEqual({
      ours: ['2', '3'],
      ambiguous: [],
    });
  });

  it('is not in doubt about an order that the journal names beside one that was lost', () => {
    expect(sorted([creating(ASKED), naming(2)], [listed(2), listed(3)])).toEqual({
      ours: ['2', '3'],
      ambiguous: [],
    });
  });

  it('is what fits when the clock of the reader is another than that of the writer', () => {
    const asked = creating(ASKED) as Extract<JournalRecord, { kind: 'request' }>;
    const came = listed(2, ASKED, ms(600_500));
    const oursBy = (record: JournalRecord, venueAhead: number): string[] =>
      idsOf(leftBehind([came], shared, workIn([record], venueAhead), WINDOW_US).ours);
    const ofRight = { ...asked, venueAhead: 0 };
    expect([oursBy(ofRight, -600_000_000), oursBy(ofRight, 0)]).toEqual([['2'], []]);
    expect(signedAt({ ...asked, venueAhead: 7 }, 5)).toBe(ms(0) + 2);
    // An earlier version did not say.
    expect(signedAt(asked, 5)).toBe(ms(0));
  });

  it('is the replacement of an update whose answer nobody heard, in its place', () => {
    const { price, shares } = ASKED;
    const updating: JournalRecord = {
      kind: 'request',
      requestId: 2,
      key: 'k-2',
      at: ms(0),
      request: {
        kind: 'replace-orders',
        replacements: [
          approved({ orderId: orderId(1), place: ASKED, price, shares, expiresAt: null, says: 'price' }),
        ],
      },
      body: '',
    };
    const other = listed(4, limitOrder(41, 10));
    expect(sorted([updating, naming(1)], [listed(2), other])).toEqual({ ours: ['2'], ambiguous: [] });
    const byHand: Partial<LimitOrder>[] = [
      { position: 'short' },
      { side: 'ask' },
      { currency: 'USDC' },
      { marketId: OTHER },
    ];
    for (const terms of byHand)
      expect(sorted([updating], [listed(3, { ...ASKED, ...terms })])).toEqual({ ours: [], ambiguous: [] });
  });
});
