import * as fc from 'fast-check';
import { bookOf, fillOf } from 'oddsmith/sdk/testing';
import { expect, it } from 'vitest';
import type { BookView } from '../../../../src/core/strategy/contract.js';
import { checkSignals } from '../../../../src/core/strategy/signals/declared.js';
import { MarketSignals } from '../../../../src/core/strategy/signals/market-signals.js';

const START = 1_786_000_000_000;
const ALL = {
  ewma: { kind: 'volatility', sampleMs: 500 },
  bipower: { kind: 'volatility', method: 'bipower', space: 'logit', halfLifeMs: 3_000 },
  local: { kind: 'volatility', method: 'local' },
  micro: { kind: 'microprice', maxAgeMs: 2_000 },
  flow: { kind: 'orderFlow', halfLifeMs: 2_000 },
  takers: { kind: 'takerFlow', halfLifeMs: 2_000 },
  markOut: { kind: 'markOut', horizonMs: 1_500 },
  jump: { kind: 'jump', least: 0.02, deviations: 2, halfLifeMs: 3_000 },
};

/** What happens in a market after so many milliseconds; looks say how often it is looked at meanwhile, without news. */
const happening = fc.record({
  afterMs: fc.integer({ min: 0, max: 4_000 }),
  bid: fc.option(fc.integer({ min: 2, max: 60 })),
  spread: fc.integer({ min: 1, max: 6 }),
  ask: fc.boolean(),
  shares: fc.integer({ min: 1, max: 500 }),
  fill: fc.option(fc.constantFrom('bid' as const, 'ask' as const)),
  looks: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
});

function opened(): MarketSignals {
  const check = checkSignals(ALL);
  const signals = new MarketSignals(false);
  signals.declare(check.ok ? check.signals : []);
  return signals;
}

const rounded = ({ views }: MarketSignals) =>
  Object.entries(views).map(([name, view]) => [
    name,
    view && {
      ...view,
      value: Number(view.value.toPrecision(9)),
      confidence: Number(view.confidence.toFixed(9)),
    },
  ]);

it('looks at a market without news change no signal, so the same inputs give the same signals', () => {
  fc.assert(
    fc.property(fc.array(happening, { minLength: 1, maxLength: 20 }), (happenings) => {
      const [seldom, often] = [opened(), opened()];
      const look = (signals: MarketSignals, nowMs: number, book: BookView) => {
        const fair = book.mid === null ? null : { p: book.mid, ageMs: 0, confidence: 1 };
        signals.look(() => ({ nowMs, book, fair, msToClose: null }));
      };
      let nowMs = START;
      let book = bookOf(null, null);
      for (const { afterMs, bid, spread, ask, shares, fill, looks } of happenings) {
        for (const part of looks.toSorted((a, b) => a - b)) look(often, nowMs + part * afterMs, book);
        nowMs += afterMs;
        if (fill !== null)
          for (const signals of [seldom, often])
            signals.filled(fillOf({ side: fill, midBefore: book.mid }), nowMs);
        const best = bid === null ? null : bid / 100;
        book = bookOf(best, ask ? ((bid ?? 60) + spread) / 100 : null, shares);
        look(seldom, nowMs, book);
        look(often, nowMs, book);
        expect(rounded(often)).toEqual(rounded(seldom));
      }
    }),
    { numRuns: 500 },
  );
});
