import { bookOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import { type Micros, micros } from '../../../../../src/domain/units.js';
import { FairValues } from '../../../../../src/core/engine/quoting/fair-values.js';
import type { BookView } from '../../../../../src/core/strategy/contract.js';
import { MARKET, OTHER_MARKET } from '../../../../support/bot/strategy-context.js';

const at = (ms: number): Micros => micros(1_786_000_000_000_000 + ms * 1_000);
const book = (bid: number | null, ask: number | null, ageMs = 0): BookView => ({
  ...bookOf(bid, ask),
  ageMs,
});
const hidden = (view: BookView): BookView => ({ ...view, hidden: { bids: false, asks: true } });
const fromOutside = (p: number, ms: number) => ({
  kind: 'fair-value' as const,
  marketId: MARKET,
  p,
  confidence: 0.7,
  at: at(ms),
});

describe('the fair value', () => {
  it('is the weighted mid of the foreign book, and does not age with a silent one', () => {
    const values = new FairValues();
    expect(values.of(MARKET, book(0.4, 0.5, 250), at(0))).toEqual({ p: 0.45, ageMs: 0, confidence: 1 });
    expect(values.of(MARKET, book(0.4, 0.5, 300_250), at(300_000))).toEqual({
      p: 0.45,
      ageMs: 0,
      confidence: 1,
    });
  });

  it('is unknown on a one-sided book', () => {
    const values = new FairValues();
    values.of(MARKET, book(0.4, 0.5), at(0));
    expect(values.of(MARKET, book(0.4, null), at(1))).toBeNull();
    expect(values.of(MARKET, hidden(book(0.4, null)), at(2))).toBeNull();
  });

  it('stands and ages while our own orders hide a side, whatever may be behind', () => {
    const values = new FairValues();
    values.of(MARKET, book(0.4, 0.5), at(0));
    const looks = [hidden(book(0.3, null)), hidden(book(0.3, 0.9)), book(0.3, 0.9)];
    const seen = looks.map((look, second) => values.of(MARKET, look, at(300_000 + 1_000 * second)));
    expect(seen).toEqual([
      { p: 0.45, ageMs: 0, confidence: 1 },
      { p: 0.45, ageMs: 1_000, confidence: 1 },
      { p: 0.6, ageMs: 0, confidence: 1 },
    ]);
    expect(values.of(MARKET, hidden(book(0.3, 0.9)), at(400_000))?.ageMs).toBe(0);
    expect(values.of(MARKET, hidden(book(0.3, 0.9)), at(402_000))?.ageMs).toBe(2_000);
  });

  it('is unknown while a side is hidden that was never seen', () => {
    expect(new FairValues().of(MARKET, hidden(book(0.4, null)), at(0))).toBeNull();
    const values = new FairValues();
    values.of(OTHER_MARKET, book(0.4, 0.5), at(0));
    expect(values.of(MARKET, hidden(book(0.4, null)), at(0))).toBeNull();
  });

  it('comes from outside where there is a source, the newest of its values', () => {
    const values = new FairValues();
    values.update(fromOutside(0.6, 10));
    values.update(fromOutside(0.2, 5));
    expect(values.of(MARKET, book(0.4, 0.5), at(60))).toEqual({
      p: 0.6,
      ageMs: 50,
      confidence: 0.7,
      source: 'outside',
    });
    expect(values.of(OTHER_MARKET, book(0.4, 0.5), at(60))?.p).toBe(0.45);
  });
});

describe('the fair value of a market with a source', () => {
  const source = (whenStale: 'halt' | 'unknown') =>
    new FairValues(new Map([[MARKET, { name: 'model', maxAgeMs: 1_000, whenStale }]]));

  it('is the value of the source as long as it is young enough, and never the mid', () => {
    const values = source('halt');
    expect(values.of(MARKET, book(0.4, 0.5), at(0))).toBeNull();
    values.update(fromOutside(0.6, 0));
    expect(values.of(MARKET, book(0.4, 0.5), at(1_000))).toEqual({
      p: 0.6,
      ageMs: 1_000,
      confidence: 0.7,
      source: 'model',
    });
    expect(values.of(MARKET, book(0.4, 0.5), at(1_001))).toBeNull();
    expect(values.of(OTHER_MARKET, book(0.4, 0.5), at(1_001))?.p).toBe(0.45);
  });

  it('says when it will be too old', () => {
    const values = source('halt');
    expect(values.expiresAt(MARKET, at(0))).toBeNull();
    values.update(fromOutside(0.6, 0));
    const expiry = values.expiresAt(MARKET, at(0))!;
    expect(values.of(MARKET, book(0.4, 0.5), micros(expiry - 1))).not.toBeNull();
    expect(values.of(MARKET, book(0.4, 0.5), expiry)).toBeNull();
    expect(values.expiresAt(MARKET, expiry)).toBeNull();
  });

  it('halts its market where it is missing or too old, unless the strategy is to be asked', () => {
    const halts = (values: FairValues) => [
      values.haltOf(MARKET, at(0)),
      (values.update(fromOutside(0.6, 0)), values.haltOf(MARKET, at(1_000))),
      values.haltOf(MARKET, at(1_001)),
      values.haltOf(OTHER_MARKET, at(1_001)),
    ];
    expect(halts(source('halt'))).toEqual(['fair-value-missing', null, 'fair-value-stale', null]);
    expect(halts(source('unknown'))).toEqual([null, null, null, null]);
  });
});
