import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import type { HoldingReport } from '../../../../src/domain/orders.js';
import { type Micros, type Money, type Shares, micros, shares } from '../../../../src/domain/units.js';
import { HoldingWitness } from '../../../../src/core/portfolio/holding-witness.js';

const NAME = { eventId: eventId(1), marketId: marketId(2), position: 'long', currency: 'OOM' } as const;
const PRICE = 4_800;
const at = (ms: number) => micros(ms * 1_000);

const report = (whole: number, purchasesAmount: number | null = null): HoldingReport => ({
  ...NAME,
  shares: shares(whole * 100),
  purchasesAmount,
});

class Ours {
  shares = 0 as Shares;
  filledAt: Micros | null = null;
  readonly witness = new HoldingWitness(1_000, {
    shares: () => this.shares,
    filledAt: () => this.filledAt,
  });

  /** @param said whole shares of the venue's last word */
  fill(whole: number, ms: number, said: number | null = null): void {
    this.shares = (this.shares + whole * 100) as Shares;
    this.filledAt = at(ms);
    const bought = shares(whole * 100);
    const fill = { ...NAME, shares: bought, amount: (bought * PRICE) as Money };
    this.witness.filled(fill, said === null ? null : shares(said * 100), at(ms));
  }

  read(reports: readonly HoldingReport[], sentMs: number, answeredMs = sentMs, isExplained = false) {
    const held = this.shares === 0 ? [] : [NAME];
    return this.witness.read(reports, held, () => isExplained, at(sentMs), at(answeredMs));
  }
}

describe('comparing holdings with the venue', () => {
  it('a report before its fill is no difference once the fill is known', () => {
    const ours = new Ours();
    ours.witness.reported(report(5), at(0));
    expect(ours.witness.readDue).toBe(at(1_000));
    ours.fill(5, 400);
    expect(ours.witness.readDue).toBeNull();
  });

  it('a fill before its report is none either', () => {
    const ours = new Ours();
    ours.fill(5, 0);
    ours.witness.reported(report(5), at(10));
    expect(ours.witness.readDue).toBeNull();
  });

  it('a fill that leads away from the last report is one unless a report or a read follows that confirms it', () => {
    const ours = new Ours();
    ours.fill(5, 0, 0);
    expect(ours.witness.readDue).toBe(at(1_000));
    ours.witness.reported(report(5), at(10));
    expect(ours.witness.readDue).toBeNull();
    ours.fill(3, 20, 5);
    expect(ours.read([report(8)], 1_020)).toEqual([]);
    expect(ours.witness.readDue).toBeNull();
  });

  it('a fill alone establishes nothing: two reads do, the grace period apart', () => {
    const ours = new Ours();
    ours.fill(5, 0, 0);
    expect(ours.read([], 5_000)).toEqual([]);
    expect(ours.read([], 5_999)).toEqual([]);
    expect(ours.read([], 6_000)).toMatchObject([{ ours: 500, venue: 0, since: at(5_000) }]);
  });

  it('a read that was sent before a fill says nothing about it', () => {
    const ours = new Ours();
    ours.fill(5, 100);
    expect(ours.read([], 50, 5_000)).toEqual([]);
    expect(ours.witness.readDue).toBeNull();
  });

  it('waits while fills are known that nobody has booked yet, and is none once they are', () => {
    const ours = new Ours();
    ours.read([report(5)], 0);
    expect(ours.read([report(5)], 2_000, 2_000, true)).toEqual([]);
    ours.fill(5, 2_500);
    expect(ours.read([report(5)], 3_000)).toEqual([]);
    expect(ours.witness.readDue).toBeNull();
  });

  it('is another one when it turns round: the fill that did it may be told of any moment', () => {
    const ours = new Ours();
    ours.fill(8, 0);
    expect(ours.read([report(10)], 100)).toEqual([]);
    ours.witness.reported(report(2), at(1_500));
    expect(ours.read([report(2)], 1_600)).toEqual([]);
    ours.fill(-8, 1_700);
    expect(ours.read([report(2)], 2_000)).toEqual([]);
    expect(ours.read([report(2)], 3_000)).toMatchObject([{ ours: 0, venue: 200 }]);
  });

  it('is established by a read sent the grace period after it was first seen', () => {
    const ours = new Ours();
    expect(ours.read([report(5, 2.4)], 0)).toEqual([]);
    expect(ours.read([report(5, 2.4)], 999)).toEqual([]);
    expect(ours.read([report(5, 2.4)], 1_000)).toEqual([
      { ...NAME, ours: 0, venue: 500, venuePrice: 4_800, since: at(0) },
    ]);
  });

  it('is established too where the venue holds nothing and we do', () => {
    const ours = new Ours();
    ours.fill(5, 0);
    ours.read([], 1);
    expect(ours.read([], 2_000)).toEqual([{ ...NAME, ours: 500, venue: 0, venuePrice: null, since: at(1) }]);
  });

  it('goes when neither side holds it any more: a resolved market is in no report', () => {
    const ours = new Ours();
    ours.shares = 0 as Shares;
    ours.witness.reported(report(5), at(0));
    expect(ours.read([], 900)).toEqual([]);
    expect(ours.witness.readDue).toBeNull();
  });

  it('goes when the venue agrees after all, or when it is settled', () => {
    const ours = new Ours();
    ours.read([report(5)], 0);
    ours.witness.reported(report(0), at(10));
    expect(ours.witness.readDue).toBeNull();
    ours.read([report(5)], 20);
    ours.witness.settled(NAME);
    expect(ours.witness.readDue).toBeNull();
  });
});
