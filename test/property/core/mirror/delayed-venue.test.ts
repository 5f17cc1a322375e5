import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unnoticedMsOf } from '../../../../src/core/mirror/settings.js';
import { MIRROR_SETTINGS } from '../../../support/mirror/mirror-settings.js';
import { DelayedVenue } from '../../../support/mirror/delayed-venue.js';

const DELAYS = { latencyMs: 300, bookCacheMs: 1_000, witnessEveryMs: 2_000 };
/** Until a vanished update is found out; the driver looks every 50 ms. */
const UNNOTICED_MS = unnoticedMsOf({ ...MIRROR_SETTINGS, ...DELAYS }) + DELAYS.latencyMs + 200;

type Happening =
  /** The book changes; `vanishes` when the update about it never arrives. */
  | { readonly kind: 'change'; readonly cents: number; readonly whole: number; readonly vanishes: boolean }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'reconnect'; readonly ms: number }
  | { readonly kind: 'reads'; readonly fail: boolean };

const change = (vanishes: fc.Arbitrary<boolean>): fc.Arbitrary<Happening> =>
  fc.record({
    kind: fc.constant('change'),
    cents: fc.integer({ min: 10, max: 60 }),
    whole: fc.integer({ min: 1, max: 3 }),
    vanishes,
  });
const pass: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constant('pass'),
  ms: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 200, max: 3_000 })),
});
const reconnect: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constant('reconnect'),
  ms: fc.integer({ min: 1, max: 1_000 }),
});
const reads: fc.Arbitrary<Happening> = fc.record({ kind: fc.constant('reads'), fail: fc.boolean() });

const storyOf = (...arbitraries: readonly fc.WeightedArbitrary<Happening>[]): fc.Arbitrary<Happening[]> =>
  fc.array(fc.oneof(...arbitraries), { minLength: 10, maxLength: 60, size: 'max' });

/** Every update arrives, in order and within the latency, while the connection stands. */
const HONEST = storyOf(
  { weight: 8, arbitrary: change(fc.constant(false)) },
  { weight: 8, arbitrary: pass },
  { weight: 2, arbitrary: reconnect },
);
/** Updates vanish and reads fail. */
const LOSSY = storyOf(
  { weight: 6, arbitrary: change(fc.boolean()) },
  { weight: 8, arbitrary: pass },
  { weight: 1, arbitrary: reconnect },
  { weight: 2, arbitrary: reads },
);

/** Updates vanish, and reads are answered. */
const SILENT = storyOf(
  { weight: 4, arbitrary: change(fc.boolean()) },
  { weight: 8, arbitrary: pass },
  { weight: 1, arbitrary: reconnect },
);

/** Repeated for ever, so that a failing example replays. */
const CHANCES = fc.array(
  fc.integer({ min: 0, max: 999 }).map((permille) => permille / 1_000),
  { minLength: 5, maxLength: 20 },
);
function cycle(values: readonly number[]): () => number {
  let next = 0;
  return () => values[next++ % values.length]!;
}

function happen(venue: DelayedVenue, happened: Happening): void {
  switch (happened.kind) {
    case 'change':
      return venue.change(happened, happened.vanishes);
    case 'reads':
      venue.failing = happened.fail;
      return;
    case 'pass':
      return venue.pass(happened.ms);
    case 'reconnect':
      venue.lose();
      venue.pass(happened.ms);
      return venue.connect();
  }
}

/** Plays the story and looks at the mirror after everything that happens. */
function play(
  story: readonly Happening[],
  values: readonly number[],
  look: (venue: DelayedVenue) => void = () => undefined,
): DelayedVenue {
  const venue = new DelayedVenue(DELAYS, cycle(values));
  venue.connect();
  for (const happened of story) {
    happen(venue, happened);
    look(venue);
  }
  return venue;
}

const expectReliedWithin = (ms: number) => (venue: DelayedVenue) => {
  const relied = venue.relied();
  if (relied !== null) expect(venue.wasLately(relied, ms)).toBe(true);
};

describe('the mirror of a venue whose messages are late and whose reads are cached', () => {
  it('relies on a book no older than the latency while every update arrives', () => {
    fc.assert(
      fc.property(HONEST, CHANCES, (story, values) => {
        play(story, values, expectReliedWithin(DELAYS.latencyMs));
      }),
      { numRuns: 300 },
    );
  });

  it('relies on a book no longer than a round of reads takes to contradict it, when updates vanish', () => {
    fc.assert(
      fc.property(SILENT, CHANCES, (story, values) => {
        play(story, values, expectReliedWithin(UNNOTICED_MS));
      }),
      { numRuns: 300 },
    );
  });

  it('never accuses an honest venue', () => {
    fc.assert(
      fc.property(HONEST, CHANCES, (story, values) => {
        const venue = play(story, values);
        venue.pass(10_000);
        expect(venue.driver.mirror.counters.witnessesDisagreed).toBe(0);
        expect(venue.driver.mirror.counters.witnessesAgreed).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  it('relies on the present book once the venue is quiet, though the last update vanished', () => {
    fc.assert(
      fc.property(LOSSY, CHANCES, (story, values) => {
        const venue = play(story, values);
        venue.failing = false;
        venue.change({ cents: 70, whole: 5 }, true);
        venue.pass(60_000);
        expect(venue.relied()).toEqual({ cents: 70, whole: 5 });
      }),
      { numRuns: 100 },
    );
  });

  it('asks for no timer in the past once it has been looked after', () => {
    fc.assert(
      fc.property(LOSSY, CHANCES, (story, values) => {
        play(story, values, ({ driver }) => {
          driver.apply({ kind: 'timer' });
          const due = driver.mirror.nextDue();
          expect(due === null || due > driver.now).toBe(true);
        });
      }),
    );
  });

  it('says the same whenever it hears the same', () => {
    const hear = (story: readonly Happening[], values: readonly number[]): unknown[] => {
      const said: unknown[] = [];
      play(story, values, ({ driver: { mirror } }) => {
        said.push(mirror.drainDirty(), mirror.drainFindings(), mirror.nextDue(), { ...mirror.counters });
      });
      return said;
    };
    fc.assert(
      fc.property(LOSSY, CHANCES, (story, values) => {
        expect(hear(story, values)).toEqual(hear(story, values));
      }),
      { numRuns: 50 },
    );
  });
});
