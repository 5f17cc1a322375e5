import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelayedVenue } from '../../support/delayed-venue.js';

const DELAYS = { latencyMs: 300, bookCacheMs: 1_000, maxBookAgeMs: 4_000 };

type Happening =
  | { readonly kind: 'change'; readonly cents: number; readonly whole: number; readonly lost: boolean }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'reconnect'; readonly ms: number };

const change = (lost: fc.Arbitrary<boolean>) =>
  fc.record({
    kind: fc.constant('change' as const),
    cents: fc.integer({ min: 10, max: 13 }),
    whole: fc.integer({ min: 1, max: 3 }),
    lost,
  });
const pass = fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 3_000 }) });
const reconnect = fc.record({
  kind: fc.constant('reconnect' as const),
  ms: fc.integer({ min: 1, max: 3_000 }),
});

const stories = (lost: fc.Arbitrary<boolean>): fc.Arbitrary<Happening[]> =>
  fc.array(
    fc.oneof(
      { weight: 8, arbitrary: change(lost) },
      { weight: 8, arbitrary: pass },
      { weight: 1, arbitrary: reconnect },
    ),
    { maxLength: 40 },
  );

/** Repeats a list of chances for ever, so that a failing example replays. */
const chances = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
  minLength: 1,
  maxLength: 20,
});
function cycle(values: readonly number[]): () => number {
  let next = 0;
  return () => values[next++ % values.length]!;
}

/** Plays the story and looks at the mirror after everything that happens. */
function play(
  story: readonly Happening[],
  values: readonly number[],
  look: (venue: DelayedVenue) => void,
): DelayedVenue {
  const venue = new DelayedVenue(DELAYS, cycle(values));
  venue.connect();
  for (const happened of story) {
    if (happened.kind === 'change') venue.change(happened, happened.lost);
    if (happened.kind === 'reconnect') venue.lose();
    if (happened.kind !== 'change') venue.pass(happened.ms);
    if (happened.kind === 'reconnect') venue.connect();
    look(venue);
  }
  return venue;
}

describe('the mirror of a venue whose messages are late and whose reads are cached', () => {
  it('relies only on a book that the venue had within the greatest age, even when updates vanish', () => {
    fc.assert(
      fc.property(stories(fc.boolean()), chances, (story, values) => {
        play(story, values, (venue) => {
          const relied = venue.relied();
          if (relied !== null)
            expect(venue.wasLately(relied, DELAYS.maxBookAgeMs + DELAYS.latencyMs)).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('never accuses an honest venue', () => {
    fc.assert(
      fc.property(stories(fc.constant(false)), chances, (story, values) => {
        const venue = play(story, values, () => undefined);
        venue.pass(10_000);
        expect(venue.driver.mirror.counters.witnessesDisagreed).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('relies on the venue’s present book once it is quiet', () => {
    fc.assert(
      fc.property(stories(fc.boolean()), chances, (story, values) => {
        const venue = play(story, values, () => undefined);
        const last = { cents: 20, whole: 5 };
        venue.change(last, true);
        venue.pass(30_000);
        expect(venue.relied()).toEqual(last);
      }),
      { numRuns: 100 },
    );
  });

  it('asks for no timer in the past once it has been looked after', () => {
    fc.assert(
      fc.property(stories(fc.boolean()), chances, (story, values) => {
        play(story, values, ({ driver }) => {
          driver.apply({ kind: 'timer' });
          const due = driver.mirror.nextDue();
          expect(due === null || due > driver.now).toBe(true);
        });
      }),
    );
  });

  it('says the same whenever it hears the same', () => {
    fc.assert(
      fc.property(stories(fc.boolean()), chances, (story, values) => {
        const hear = (): unknown[] => {
          const said: unknown[] = [];
          play(story, values, ({ driver }) => {
            said.push(driver.mirror.drainDirty(), driver.mirror.drainFindings(), driver.mirror.nextDue());
          });
          return said;
        };
        expect(hear()).toEqual(hear());
      }),
      { numRuns: 50 },
    );
  });
});
