import { describe, expect, it } from 'vitest';
import { dayName, dayOf, dayOfDate } from '../../../src/domain/days.js';

describe('a day', () => {
  it.each([
    ['1969-12-31', -1],
    ['1970-01-01', 0],
    ['2000-02-29', Date.UTC(2000, 1, 29, 23, 59, 59) * 1_000],
    ['2026-11-20', Date.UTC(2026, 10, 20) * 1_000],
    ['2100-03-01', Date.UTC(2100, 2, 1) * 1_000],
  ])('is %s', (name, time) => {
    expect(dayName(dayOf(time))).toBe(name);
  });

  it('is what the calendar of the language says, over four centuries, and is found by its date', () => {
    for (let day = dayOfDate(1800, 1, 1)!; day <= dayOfDate(2200, 1, 1)!; day += 13) {
      const name = new Date(day * 86_400_000).toISOString().slice(0, 10);
      expect(dayName(day)).toBe(name);
      const [year, month, dayOfMonth] = name.split('-').map(Number);
      expect(dayOfDate(year!, month!, dayOfMonth!)).toBe(day);
    }
  });

  it.each([
    [2026, 2, 29],
    [2100, 2, 29],
    [2026, 4, 31],
    [2026, 13, 1],
    [2026, 0, 1],
    [2026, 1, 0],
  ])('of %i-%i-%i is none', (year, month, day) => {
    expect(dayOfDate(year, month, day)).toBeNull();
  });
});
