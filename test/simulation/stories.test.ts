/** The stories of `docs/stories/`. With STORY=1 they are read aloud. */
import { describe, expect, it } from 'vitest';
import { badDay } from '../../docs/stories/bad-day.js';
import { lyingVenue } from '../../docs/stories/lying-venue.js';
import { newParameters } from '../../docs/stories/new-parameters.js';
import { pullThePlug } from '../../docs/stories/pull-the-plug.js';
import { truthReport } from '../../docs/stories/truth-report.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const say = (line: string): void => {
  if (process.env['STORY'] === '1') console.info(line);
};

describe('the story of', () => {
  it('pull the plug', async () => {
    const { left, quoted, outcome, remaining } = await pullThePlug(say);
    expect(left).toBeGreaterThan(0);
    expect({ quoted, outcome, remaining }).toEqual({ quoted: 0, outcome: 'clean', remaining: 0 });
  });

  it('a lying venue', async () => {
    const { lies, fills, outcome } = await lyingVenue(say);
    expect(lies).toBeGreaterThan(10);
    expect(fills).toBeGreaterThan(10);
    expect(outcome).toBe('clean');
  });

  it('a bad day', async () => {
    const { swept, early, lost, reversed, cancelled, outcome, remaining } = await badDay(say);
    expect(swept).toBeGreaterThan(10);
    expect(lost).toBeLessThan(0);
    expect(lost).toBeGreaterThan(-300_000_000);
    expect({ early, reversed, cancelled }).toEqual({
      early: 'after-bet-window',
      reversed: 'after-reversal',
      cancelled: 'event-cancelled',
    });
    expect({ outcome, remaining }).toEqual({ outcome: 'clean', remaining: 0 });
  });

  it('the truth report', async () => {
    const { live, paper, shadow, real } = await truthReport(say, scratchFolder());
    expect(Math.abs(paper / live - 1)).toBeLessThan(0.2);
    const [least, expected, most] = ['pessimistic', 'expected', 'optimistic'].map(
      (scenario) => shadow.find(({ name }) => name === scenario)!.shares,
    );
    expect(real).toBeGreaterThan(0);
    expect(least!).toBeLessThanOrEqual(expected!);
    expect(expected!).toBeLessThanOrEqual(most!);
    expect(Math.abs(expected! / real - 1)).toBeLessThan(0.3);
  });

  it('new parameters', async () => {
    const { found, written, slices, outcome } = await newParameters(say, scratchFolder());
    expect(['0.01', '0.03']).toContain(found);
    expect(String(written)).toBe(found);
    expect(slices).toBe(12);
    expect(outcome).toBe('clean');
  });
});
