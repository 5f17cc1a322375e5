/** What else may happen to a house: play begins, a disk is full, a person stops the bot and lets it go on, news of markets late. */
import type { Draws } from './draws.js';
import type { TimedHappening, Turn } from './happening.js';
import { DRAWN_MARKETS, QUOTED } from './markets.js';

const WEIGHTS: Readonly<Record<Turn['kind'], number>> = {
  'event-live': 3,
  'disk-full': 2,
  'kill-switch': 2,
  'market-closing': 3,
};

const FIRST_MS = 2_000;

/** @returns in order of time */
export function turnsOf(draws: Draws, forMs: number): readonly TimedHappening[] {
  const happenings: TimedHappening[] = [];
  const pauseMs = draws.oneOf([10_000, 20_000, 40_000]);
  let atMs = FIRST_MS;
  for (let ms = draws.between(0, pauseMs); atMs + ms < forMs; ms = draws.between(100, pauseMs)) {
    atMs += Math.round(ms);
    happenings.push({ atMs, happening: DRAWN[draws.weighted(WEIGHTS)](draws) });
  }
  return happenings;
}

const DRAWN: { readonly [Kind in Turn['kind']]: (draws: Draws) => Extract<Turn, { kind: Kind }> } = {
  'event-live': (draws) => ({
    kind: 'event-live',
    event: draws.oneOf(DRAWN_MARKETS).event,
    isLive: draws.chance(0.5),
  }),
  'disk-full': (draws) => ({ kind: 'disk-full', forMs: draws.whole(200, 15_000) }),
  'kill-switch': (draws) => ({ kind: 'kill-switch', forMs: draws.whole(500, 30_000) }),
  'market-closing': (draws) => ({
    kind: 'market-closing',
    market: draws.oneOf(QUOTED),
    afterMs: draws.whole(2_000, 40_000),
  }),
};
