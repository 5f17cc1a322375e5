import { describe, expect, it } from 'vitest';
import { micros } from '../../../../../src/domain/units.js';
import { ClockOffset } from '../../../../../src/venues/futuur/rest/clock-offset.js';

const NOON = Date.UTC(2026, 0, 31, 12);
const at = (seconds: number) => micros((NOON + seconds * 1_000) * 1_000);
const date = (seconds: number): string => new Date(NOON + seconds * 1_000).toUTCString();

describe("the offset of the venue's clock", () => {
  it('is zero before anything was measured', () => {
    expect(new ClockOffset(15).venueTime(at(0))).toBe(at(0));
  });

  it('is measured against the middle of the round trip, half a second added for the cut of the header', () => {
    const offset = new ClockOffset(15);
    offset.note(date(10), at(0), at(1));
    expect(offset.median()).toBe(10_000_000);
  });

  it('is the median: one slow answer or stray clock does not count', () => {
    const offset = new ClockOffset(15);
    [5, 5, 3_600, 5, -3_600].forEach((seconds) => offset.note(date(seconds), at(0), at(0)));
    expect(offset.median()).toBe(5_500_000);
  });

  it('is the median of the last fifteen, whatever came before them', () => {
    const offset = new ClockOffset(15);
    const seconds = Array.from({ length: 100 }, (_, at) => (at * 37) % 101);
    for (const [count, second] of seconds.entries()) {
      offset.note(date(second), at(0), at(0));
      const last = seconds.slice(Math.max(count - 14, 0), count + 1).toSorted((a, b) => a - b);
      expect(offset.median()).toBe(last[Math.floor(last.length / 2)]! * 1_000_000 + 500_000);
    }
  });

  it('is told when it is worth mentioning, and moves by more than half a second or not at all', () => {
    const offset = new ClockOffset(1);
    const told = [1, 2, 1, 0, 60, 60, 61].map((seconds) => {
      offset.note(date(seconds), at(0), at(0));
      return offset.told() / 1_000_000;
    });
    expect(told).toEqual([0, 2.5, 1.5, 0, 60.5, 60.5, 61.5]);
  });

  it('is what the next answer says once ours is another', () => {
    const offset = new ClockOffset(5);
    for (const seconds of [0, 0, 0]) offset.note(date(seconds), at(0), at(0));
    offset.forget();
    offset.note(date(30), at(0), at(0));
    expect(offset.told()).toBe(30_500_000);
  });

  it('follows a venue whose clock moved, after some answers', () => {
    const offset = new ClockOffset(15);
    for (let count = 0; count < 20; count++) offset.note(date(0), at(0), at(0));
    for (let count = 0; count < 8; count++) offset.note(date(60), at(0), at(0));
    expect(offset.median()).toBe(60_500_000);
  });

  it.each([undefined, '', 'yesterday'])('learns nothing from the header %j', (header) => {
    const offset = new ClockOffset(15);
    offset.note(header, at(0), at(0));
    expect(offset.correct(header, at(0), at(0))).toBe(false);
    expect(offset.median()).toBe(0);
  });

  it('is replaced by the word of an answer that refused our time', () => {
    const offset = new ClockOffset(15);
    for (let count = 0; count < 15; count++) offset.note(date(0), at(0), at(0));
    expect(offset.correct(date(90), at(0), at(0))).toBe(true);
    expect(offset.median()).toBe(90_500_000);
    expect(offset.correct(date(90), at(0), at(0))).toBe(false);
  });
});
