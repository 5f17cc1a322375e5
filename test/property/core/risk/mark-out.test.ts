import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../../src/domain/ids.js';
import { type Micros, micros, money, priceUnits } from '../../../../src/domain/units.js';
import { type MarkOutChange, MarkOutWatch, WaitingFills } from '../../../../src/core/risk/mark-out.js';
import { fillOf } from '../../../support/orders/fills.js';

const HERE = marketId(2231);
const START = 1_000_000_000;
const HORIZON_MS = 60_000;

const watchOf = (fills: number): MarkOutWatch =>
  new MarkOutWatch({ horizonMs: HORIZON_MS, fills, maxLoss: priceUnits(100), reduceTo: 0.5 });

interface Course {
  readonly watch: MarkOutWatch;
  readonly filled: number;
  /** Fills told of when it stopped; Infinity: never. */
  readonly filledAtStop: number;
  /** When it stopped; Infinity: never. */
  readonly stoppedAt: number;
}

/** Bids that are hit after such pauses, all bought at 0.50, while the mid is said after each and then until all is judged. */
function course(fills: number, pausesMs: readonly number[], midAfter: number): Course {
  const watch = watchOf(fills);
  let [now, filled, stoppedAt, filledAtStop] = [START, 0, Infinity, Infinity];
  const look = (): void => {
    const change: MarkOutChange | null = watch.marked(HERE, midAfter, now as Micros);
    if (change?.kind !== 'stopped' || stoppedAt < Infinity) return;
    [stoppedAt, filledAtStop] = [now, filled];
  };
  for (const pauseMs of pausesMs) {
    now += pauseMs * 1_000;
    look();
    filled += 1;
    watch.filled(fillOf(50, 1, { orderId: orderId(filled) }), micros(now));
  }
  for (let due = watch.dueAt(HERE); due !== null; due = watch.dueAt(HERE)) {
    now = due;
    look();
  }
  return { watch, filled, filledAtStop, stoppedAt };
}

const pauses = fc
  .tuple(
    fc.constantFrom(0, 1, 50, 3_000, 30_000),
    fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 200, size: 'max' }),
  )
  .map(([unitMs, steps]) => steps.map((step) => step * unitMs));

describe('the mark-out limit, at any rate of fills', () => {
  it('judges every fill exactly once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), pauses, (fills, pausesMs) => {
        const { watch, filled } = course(fills, pausesMs, 4_800);
        expect([watch.judged, watch.countOf(HERE).fills]).toEqual([filled, filled % fills]);
      }),
    );
  });

  it('stops no later on fills that all lose where fewer are judged together', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 })),
        pauses,
        ([one, other], pausesMs) => {
          const stricter = course(Math.min(one, other), pausesMs, 4_800);
          const looser = course(Math.max(one, other), pausesMs, 4_800);
          expect(stricter.stoppedAt).toBeLessThanOrEqual(looser.stoppedAt);
          expect(stricter.filledAtStop).toBeLessThanOrEqual(looser.filledAtStop);
        },
      ),
    );
  });

  it('stops at the horizon of the fill that completes the second lot', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 20_000 }), (fills, pauseMs) => {
        const pausesMs = Array.from({ length: 100 }, () => pauseMs);
        const { stoppedAt } = course(fills, pausesMs, 4_800);
        const due = START + (2 * fills * pauseMs + HORIZON_MS) * 1_000;
        // It is looked at with the next fill, or when it is due.
        expect(stoppedAt).toBeGreaterThanOrEqual(due);
        expect(stoppedAt).toBeLessThan(due + Math.max(1, pauseMs * 1_000));
      }),
    );
  });
});

describe('fills without end', () => {
  const MANY = 100_000;
  const endless = (everyUs: number, waiting: Pick<WaitingFills, 'add'>): Micros => {
    for (let filled = 0; filled < MANY; filled += 1)
      waiting.add(
        fillOf(50, 1, { orderId: orderId(1 + (filled % 3_000)) }),
        micros(START + filled * everyUs),
      );
    return micros(START + (MANY - 1) * everyUs + HORIZON_MS * 1_000);
  };

  it('wait in bounded memory, each till its horizon, the last thousandth of it aside', () => {
    const waiting = new WaitingFills(HORIZON_MS);
    const last = endless(100, waiting);
    expect(waiting.length).toBeLessThanOrEqual(2_002);
    const judged = { fills: 0, net: 0, cost: 0 };
    for (let now = micros(START); waiting.dueAt !== null; now = micros(Math.min(now + HORIZON_MS, last))) {
      for (let due = waiting.takeDue(now); due !== null; due = waiting.takeDue(now)) {
        for (const key of ['fills', 'net', 'cost'] as const) judged[key] += due[key];
        const came = (now - START - HORIZON_MS * 1_000) / 100 + 1;
        expect(judged.fills).toBeGreaterThan(came - 601);
        expect(judged.fills).toBeLessThanOrEqual(came);
      }
    }
    expect(judged).toEqual({ fills: MANY, net: MANY * 100, cost: MANY * 500_000 });
  });

  it('wait in bounded memory while nobody knows the mid, and are judged together then', () => {
    const waiting = new WaitingFills(HORIZON_MS);
    const last = endless(HORIZON_MS / 2, waiting);
    expect(waiting.length).toBeLessThanOrEqual(2_002);
    let fills = 0;
    for (let due = waiting.takeDue(last); due !== null; due = waiting.takeDue(last)) fills += due.fills;
    expect([fills, waiting.dueAt]).toEqual([MANY, null]);
  });

  it('still find the order whose price is told better', () => {
    const waiting = new WaitingFills(HORIZON_MS);
    const last = endless(10, waiting);
    waiting.reprice(fillOf(0, 0, { orderId: orderId(5), amount: money(-7) }));
    let cost = 0;
    for (let due = waiting.takeDue(last); due !== null; due = waiting.takeDue(last)) cost += due.cost;
    expect(cost).toBe(MANY * 500_000 - 7);
  });

  it('are concluded on lots that are as large as asked for, or a little larger', () => {
    const watch = watchOf(10);
    const last = endless(100, { add: (fill, at) => watch.filled({ ...fill, fills: 1 }, at) });
    expect(watch.marked(HERE, 4_800, last)).toMatchObject({ kind: 'stopped' });
    expect([watch.judged, watch.restriction(HERE).out]).toEqual([MANY, 'mark-out']);
  });
});
