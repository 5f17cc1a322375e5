import { bookOf, fillOf, tradeOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { BookView } from '../../../../../src/core/strategy/contract.js';
import type { Computation, SignalLook } from '../../../../../src/core/strategy/signals/computation.js';
import { checkSignals } from '../../../../../src/core/strategy/signals/declared.js';

const START = 1_786_000_000_000;

/** A computation of one signal, shown looks by seconds since the start. */
function computing(declared: object, prints = false) {
  const check = checkSignals({ it: declared });
  if (!check.ok) throw new Error(JSON.stringify(check.issues));
  const computation: Computation = check.signals[0]!.open({ prints, outside: () => null });
  const at = (seconds: number) => START + seconds * 1_000;
  return {
    look: (seconds: number, book: BookView, changes: Partial<SignalLook> = {}) =>
      computation.look({ nowMs: at(seconds), book, fair: null, msToClose: null, ...changes }),
    fill: (seconds: number, ...fill: Parameters<typeof fillOf>) =>
      computation.filled?.(fillOf(...fill), at(seconds)),
    print: (seconds: number, ...trade: Parameters<typeof tradeOf>) =>
      computation.printed?.(tradeOf(...trade), at(seconds)),
    value: (seconds: number) => computation.read(at(seconds))?.value ?? null,
    read: (seconds: number) => computation.read(at(seconds)),
    due: () => (computation.dueMs === null ? null : (computation.dueMs - START) / 1_000),
  };
}
const mid = (price: number): BookView => bookOf(price - 0.01, price + 0.01);
const levels = (
  bids: readonly (readonly [number, number])[],
  asks: readonly (readonly [number, number])[],
): BookView => {
  const side = (of: readonly (readonly [number, number])[]) =>
    of.map(([price, shares]) => ({ price, shares }));
  return { ...bookOf(bids[0]?.[0] ?? null, asks[0]?.[0] ?? null), bids: side(bids), asks: side(asks) };
};

describe('volatility', () => {
  const second = { kind: 'volatility', halfLifeMs: 1_000, sampleMs: 1_000 };

  /** Moves of 0.01, 0.02 and nothing, each half the weight of the next. */
  it('is the weighted mean of squares, per square root of a second', () => {
    const { look, value, read } = computing(second);
    look(0, mid(0.5));
    look(0.5, mid(0.51));
    expect(value(0.9)).toBeNull();
    look(1.5, mid(0.53));
    look(2, mid(0.53));
    expect(value(2.2)).toBeCloseTo(Math.sqrt((0.01 ** 2 / 2 + 0.02 ** 2) / 1.5), 12);
    expect(value(3.2)).toBeCloseTo(Math.sqrt((0.01 ** 2 / 4 + 0.02 ** 2 / 2) / 1.75), 12);
    expect(read(3.2)).toMatchObject({ count: 3, confidence: 0.875, atMs: null });
  });

  it('does not depend on how often the market is looked at', () => {
    const [seldom, often] = [computing(second), computing(second)];
    for (const [at, price] of [
      [0, 0.5],
      [1.3, 0.52],
      [4.1, 0.5],
      [4.2, 0.55],
    ] as const) {
      seldom.look(at, mid(price));
      often.look(at, mid(price));
      for (const later of [0.01, 0.05, 0.09]) often.look(at + later, mid(price));
    }
    for (const at of [4.3, 5, 9]) expect(often.read(at)).toEqual(seldom.read(at));
  });

  it('is of one second though samples are shorter', () => {
    const { look, value } = computing({ ...second, sampleMs: 250 });
    look(0, mid(0.5));
    look(0.1, mid(0.51));
    expect(value(0.25)).toBeCloseTo(0.02, 12);
  });

  it('counts products of neighbours alone as bipower, so that one jump is nothing', () => {
    const { look, value } = computing({ ...second, method: 'bipower' });
    look(0, mid(0.5));
    look(0.5, mid(0.6));
    expect(value(1)).toBeNull();
    expect(value(2)).toBe(0);
    const moving = computing({ ...second, method: 'bipower' });
    moving.look(0, mid(0.5));
    moving.look(0.5, mid(0.51));
    moving.look(1.5, mid(0.52));
    expect(moving.value(2)).toBeCloseTo(0.01 * Math.sqrt(Math.PI / 2), 12);
  });

  it('is of the logit where it is asked for', () => {
    const { look, value } = computing({ ...second, space: 'logit' });
    look(0, mid(0.5));
    look(0.5, mid(0.6));
    expect(value(1)).toBeCloseTo(Math.log(0.6 / 0.4), 12);
  });

  it('stands still and ages while a side of the book is missing', () => {
    const { look, read } = computing(second);
    look(0, mid(0.5));
    look(0.5, mid(0.51));
    look(1, bookOf(0.5, null));
    look(60, mid(0.9));
    expect(read(60)).toMatchObject({ atMs: null, count: 1 });
    expect(read(60)!.value).toBeCloseTo(0.01, 12);
    look(60.1, bookOf(null, null));
    expect(read(63)!.atMs).toBe(START + 60_100);
  });

  it('brings its first value, and one after each move, at the next sample', () => {
    const { look, due } = computing(second);
    look(0.2, mid(0.5));
    expect(due()).toBe(1);
    look(1, mid(0.5));
    expect(due()).toBeNull();
    look(1.3, mid(0.51));
    expect(due()).toBe(2);
    look(2, mid(0.51));
    expect(due()).toBeNull();
  });

  /** Design notes, "Binary outcomes": (.5, 1) .398942; (.1, 1) .175498. */
  it.each([
    [0.5, 0.398942],
    [0.1, 0.175498],
  ])('is local without a parameter: at %s one second before the close %s', (p, expected) => {
    const { look, value } = computing({ kind: 'volatility', method: 'local', leastMs: 1_000 });
    look(0, bookOf(null, null), { fair: { p, ageMs: 0, confidence: 1 }, msToClose: 1_000 });
    expect(value(0)).toBeCloseTo(expected, 6);
  });

  it('is divided by the slope in logit space when local', () => {
    const { look, read, due } = computing({ kind: 'volatility', method: 'local', space: 'logit' });
    look(0, bookOf(null, null), { fair: { p: 0.1, ageMs: 200, confidence: 0.4 }, msToClose: 100_000 });
    expect(read(0)).toMatchObject({ confidence: 0.4, atMs: START - 200 });
    expect(read(0)!.value).toBeCloseTo(0.175498 / 10 / 0.09, 6);
    expect(due()).toBe(1);
    look(2, bookOf(null, null));
    expect([read(2), due()]).toEqual([null, null]);
  });
});

describe('jump', () => {
  it('is the last move within the window that is large enough, with its age', () => {
    const { look, read, value } = computing({ kind: 'jump', least: 0.03, deviations: 0 });
    look(0, mid(0.5));
    look(10, mid(0.52));
    expect(value(10)).toBeNull();
    look(11, mid(0.53));
    expect(read(11)).toMatchObject({
      value: expect.closeTo(0.03, 9) as number,
      count: 1,
      atMs: START + 11_000,
    });
    // From where it ended: two cents back are none.
    look(12, mid(0.51));
    expect(read(12)).toMatchObject({ count: 1, atMs: START + 11_000 });
    look(12.5, mid(0.5));
    expect(read(13)).toMatchObject({ value: expect.closeTo(-0.03, 9) as number, count: 2 });
  });

  it('is none where the move takes longer than the window', () => {
    const { look, value } = computing({ kind: 'jump', least: 0.03, deviations: 0, windowMs: 2_000 });
    [0.5, 0.51, 0.52, 0.53, 0.54].forEach((price, at) => look(1.5 * at, mid(price)));
    expect(value(6)).toBeNull();
  });

  it('has to exceed what the market does anyway, by the volatility before it', () => {
    const jumped = (step: number) => {
      const { look, value } = computing({ kind: 'jump', least: 0.02, deviations: 4, halfLifeMs: 20_000 });
      for (let at = 0; at <= 60; at += 1) look(at, mid(0.4 + (at % 2) * step));
      look(61.5, mid(0.45));
      return value(61.5);
    };
    // Moves of a tenth of a cent, and of a cent: bipower sigma is sqrt(pi / 2) of them.
    expect(jumped(0.001)).toBeCloseTo(0.05, 9);
    expect(jumped(0.01)).toBeNull();
  });

  it('counts from before a side went missing, within the window', () => {
    const after = (seconds: number) => {
      const { look, value } = computing({ kind: 'jump', least: 0.03, deviations: 0, windowMs: 2_000 });
      look(0, mid(0.5));
      look(5, bookOf(null, 0.51));
      look(5 + seconds, mid(0.55));
      return value(5 + seconds);
    };
    expect(after(1)).toBeCloseTo(0.05, 9);
    expect(after(3)).toBeNull();
  });
});

describe('microprice', () => {
  /** Design notes, "Quoting practice": .48 x 300 / .52 x 100 gives .51. */
  it('is the mid weighted by the touch', () => {
    const { look, read, value } = computing({ kind: 'microprice' });
    look(
      0,
      levels(
        [
          [0.48, 300],
          [0.47, 500],
        ],
        [
          [0.52, 100],
          [0.53, 900],
        ],
      ),
    );
    expect(value(0)).toBeCloseTo(0.51, 12);
    look(1, bookOf(0.48, null));
    expect(read(5)).toMatchObject({ atMs: START + 1_000, count: 1 });
  });

  it('weighs more levels where it is asked to', () => {
    const { look, value } = computing({ kind: 'microprice', levels: 2 });
    look(
      0,
      levels(
        [
          [0.48, 300],
          [0.47, 500],
        ],
        [
          [0.52, 100],
          [0.53, 100],
        ],
      ),
    );
    expect(value(0)).toBeCloseTo(0.52 * 0.8 + 0.48 * 0.2, 12);
  });
});

describe('orderFlow', () => {
  it('adds up the changes of the touch', () => {
    const { look, value, read } = computing({ kind: 'orderFlow', halfLifeMs: 1_000 });
    look(0, levels([[0.48, 100]], [[0.52, 100]]));
    expect(value(0)).toBe(0);
    // More at the bid: 130 - 100.
    look(1, levels([[0.48, 130]], [[0.52, 100]]));
    expect(value(1)).toBe(30);
    // The bid rises to 50 shares, half of the 30 is left.
    look(2, levels([[0.49, 50]], [[0.52, 100]]));
    expect(value(2)).toBe(65);
    // The ask falls to 20 shares: -20.
    look(2, levels([[0.49, 50]], [[0.51, 20]]));
    expect(value(2)).toBe(45);
    // The ask rises again: what was there counts for the buyers.
    look(2, levels([[0.49, 50]], [[0.52, 70]]));
    expect(value(2)).toBe(65);
    expect(read(2)).toMatchObject({ count: 4, confidence: 0.75, atMs: null });
  });

  it('begins anew behind a side that is missing', () => {
    const { look, value, read } = computing({ kind: 'orderFlow', halfLifeMs: 1_000 });
    look(0, levels([[0.48, 100]], [[0.52, 100]]));
    look(1, levels([], [[0.52, 100]]));
    look(2, levels([[0.45, 10]], [[0.52, 100]]));
    expect([value(2), read(2)!.count]).toEqual([0, 0]);
  });
});

describe('takerFlow', () => {
  it('takes what left the best levels for trades, at half the confidence', () => {
    const { look, value, read } = computing({ kind: 'takerFlow', halfLifeMs: 1_000 });
    look(
      0,
      levels(
        [
          [0.48, 100],
          [0.47, 50],
        ],
        [
          [0.52, 100],
          [0.53, 40],
        ],
      ),
    );
    expect(read(0)).toBeNull();
    // The best ask is gone, and ten of the next: bought.
    look(
      1,
      levels(
        [
          [0.48, 100],
          [0.47, 20],
        ],
        [[0.53, 30]],
      ),
    );
    expect(value(1)).toBe(110);
    expect(read(1)).toMatchObject({ confidence: 0.5, count: 1, atMs: START + 1_000 });
    expect(value(2)).toBe(55);
  });

  it('knows own fills, and leaves out what we took ourselves', () => {
    const { look, fill, value, read } = computing({ kind: 'takerFlow', halfLifeMs: 1_000 });
    look(0, levels([[0.48, 100]], [[0.52, 100]]));
    fill(1, { side: 'bid', shares: 30 });
    fill(1, { side: 'bid', shares: 60, liquidity: 'taker' });
    look(1, levels([[0.48, 100]], [[0.52, 30]]));
    expect(value(1)).toBe(-30 + 10);
    expect(read(1)!.confidence).toBeCloseTo((30 + 0.5 * 10) / 40, 12);
  });

  it('is of prints alone where the venue gives them', () => {
    const { look, fill, print, value, read } = computing({ kind: 'takerFlow', halfLifeMs: 1_000 }, true);
    look(0, levels([[0.48, 100]], [[0.52, 100]]));
    fill(0, { shares: 30 });
    print(0, { takerSide: 'ask', price: 0.48, shares: 30 });
    look(0, levels([[0.48, 70]], [[0.52, 100]]));
    expect([value(0), read(0)!.confidence]).toEqual([-30, 1]);
    print(0, { takerSide: null, price: 0.52, shares: 10 });
    expect(value(0)).toBe(-20);
    expect(read(0)!.confidence).toBeCloseTo((30 + 5) / 40, 12);
  });
});

describe('markOut', () => {
  const judging = { kind: 'markOut', horizonMs: 5_000, weight: 0.5, halfLifeMs: 10_000 };

  it('is the mean move of the mid in favour of fills', () => {
    const { look, fill, read, value, due } = computing(judging);
    look(0, mid(0.5));
    fill(1, { side: 'bid', midBefore: 0.5 });
    fill(2, { side: 'ask', midBefore: 0.5 });
    expect([read(2), due()]).toEqual([null, 6]);
    look(3, mid(0.48));
    look(6, mid(0.48));
    expect(value(6)).toBeCloseTo(-0.01, 12);
    expect([read(6)!.confidence, due()]).toEqual([0.5, 7]);
    // The ask earned what the bid lost; a second has passed.
    look(7, mid(0.48));
    const faded = -0.01 * 0.5 ** 0.1;
    expect(value(7)).toBeCloseTo(faded + 0.5 * (0.02 - faded), 12);
    expect(read(7)).toMatchObject({ count: 2, atMs: START + 7_000 });
  });

  it('judges by the mid of the time, however late the look', () => {
    const { look, fill, value } = computing(judging);
    look(0, mid(0.5));
    fill(1, { side: 'bid', midBefore: 0.5 });
    look(4, mid(0.52));
    look(20, mid(0.1));
    expect(value(6)).toBeCloseTo(0.01, 12);
  });

  it('leaves out fills without a mid, and more than fifty at once', () => {
    const { look, fill, read } = computing(judging);
    fill(1, { midBefore: null });
    for (let count = 0; count < 60; count++) fill(1, {});
    look(6, mid(0.5));
    expect(read(6)!.count).toBe(50);
  });
});
