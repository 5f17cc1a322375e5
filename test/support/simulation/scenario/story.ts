/** What befalls the house of a seed, and when. */
import type { Resolution } from '../../../../src/domain/vocabulary.js';
import { CALM, type Weather } from '../network.js';
import type { Draws } from './draws.js';
import type { HandHappening, Happening, Story, TimedHappening, Turn } from './happening.js';
import { DRAWN_MARKETS, OUTSIDE, QUOTED } from './markets.js';
import { misbehaviourOf } from './misbehaviour.js';

/** What a person does by hand has a story of its own, and what later editions brought. */
type Drawn = Exclude<Happening, HandHappening | Exclude<Turn, { readonly kind: 'market-closing' }>>;

const WEIGHTS: Readonly<Record<Drawn['kind'], number>> = {
  weather: 22,
  misbehaviour: 22,
  'connection-lost': 7,
  'bot-killed': 7,
  'bot-stopped': 2,
  'bot-frozen': 7,
  'bot-started-twice': 2,
  'clock-set': 4,
  snapshot: 3,
  'venue-killed': 4,
  'market-status': 6,
  'market-disabled': 2,
  'market-closing': 2,
  'event-status': 4,
  'event-resolved': 2,
  'event-reversed': 2,
  'order-by-hand': 5,
  deposit: 3,
};

const QUIET_MS = 300_000;
const FIRST_MS = 1_500;
const HOUR_MS = 3_600_000;

/** @param rare draws of what hardly ever happens, apart so that other stories stay what they are */
export function storyOf(draws: Draws, rare: Draws): Story {
  const troubleMs = draws.whole(45_000, 110_000);
  const happenings: TimedHappening[] = [];
  let atMs = FIRST_MS;
  for (let ms = draws.between(0, 2_000); atMs + ms < troubleMs; ms = draws.between(300, 6_000)) {
    atMs += Math.round(ms);
    happenings.push({ atMs, happening: DRAWN[draws.weighted(WEIGHTS)](draws) });
  }
  const clock = {
    aheadMs: draws.oneOf([0, 0, 2_000, -2_000, 30_000, -30_000]),
    driftPpm: draws.whole(-200, 200),
  };
  const turnedAwayMs = rare.chance(0.02) ? HOUR_MS : 0;
  return { clock, happenings, troubleMs, turnedAwayMs, quietMs: QUIET_MS };
}

const DRAWN: { readonly [Kind in Drawn['kind']]: (draws: Draws) => Extract<Drawn, { kind: Kind }> } = {
  weather: (draws) => ({ kind: 'weather', weather: weatherOf(draws) }),
  misbehaviour: (draws) => ({ kind: 'misbehaviour', rules: misbehaviourOf(draws) }),
  'connection-lost': (draws) => ({ kind: 'connection-lost', againAfterMs: draws.whole(50, 4_000) }),
  'bot-killed': (draws) => ({ kind: 'bot-killed', againAfterMs: draws.whole(10, 8_000) }),
  'bot-stopped': () => ({ kind: 'bot-stopped' }),
  'bot-frozen': (draws) => ({
    kind: 'bot-frozen',
    forMs: draws.whole(20, draws.oneOf([500, 3_000, 20_000])),
  }),
  'bot-started-twice': () => ({ kind: 'bot-started-twice' }),
  'clock-set': (draws) => ({ kind: 'clock-set', byMs: draws.oneOf([-1, 1]) * draws.whole(100, 15_000) }),
  snapshot: () => ({ kind: 'snapshot' }),
  'venue-killed': (draws) => ({ kind: 'venue-killed', againAfterMs: draws.whole(50, 6_000) }),
  'market-status': (draws) => ({
    kind: 'market-status',
    market: draws.oneOf(QUOTED),
    status: draws.oneOf(['paused', 'paused', 'active', 'active', 'active', 'stopped', 'cancelled']),
  }),
  'market-disabled': (draws) => ({
    kind: 'market-disabled',
    market: draws.oneOf(QUOTED),
    disabled: draws.chance(0.5),
  }),
  'market-closing': (draws) => ({
    kind: 'market-closing',
    market: draws.oneOf(QUOTED),
    afterMs: draws.whole(-1_000, 15_000),
  }),
  'event-status': (draws) => ({
    kind: 'event-status',
    event: draws.oneOf(DRAWN_MARKETS).event,
    status: draws.oneOf(['paused', 'open', 'open', 'open', 'stopped', 'cancelled']),
  }),
  'event-resolved': (draws) => resolution(draws),
  'event-reversed': (draws) => ({ kind: 'event-reversed', event: draws.oneOf(DRAWN_MARKETS).event }),
  'order-by-hand': (draws) => ({
    kind: 'order-by-hand',
    market: draws.oneOf([OUTSIDE.market, OUTSIDE.market, ...QUOTED]),
    side: 'bid',
    position: draws.oneOf(['long', 'short']),
    price: draws.whole(1, 30) * 100,
    shares: draws.whole(1, 50) * 100,
  }),
  deposit: (draws) => ({ kind: 'deposit', amount: draws.whole(1, 500) * 1_000_000 }),
};

/** @returns the story, and what else happens until its trouble is over, in order of time */
export const joined = (story: Story, others: readonly TimedHappening[]): Story => ({
  ...story,
  happenings: [...story.happenings, ...others].toSorted((one, other) => one.atMs - other.atMs),
});

/** At most one market of an event wins. */
function resolution(draws: Draws): Extract<Happening, { kind: 'event-resolved' }> {
  const { event, markets } = draws.oneOf(DRAWN_MARKETS);
  const winner = draws.whole(-1, markets.length - 1);
  const ending = (index: number): Resolution => (index === winner ? 'long' : 'short');
  const resolutions = markets.map((market, index) => ({
    market,
    resolution: draws.chance(0.1) ? ('void' as const) : ending(index),
  }));
  return { kind: 'event-resolved', event, resolutions };
}

/** Sometimes the sun shines. */
function weatherOf(draws: Draws): Weather {
  if (draws.chance(0.15)) return CALM;
  const upTo = (most: number): number => (draws.chance(0.5) ? draws.between(0, most) : 0);
  const least = draws.between(0.2, 30);
  return {
    latencyMs: [least, least + draws.between(0, 120)],
    requestLost: upTo(0.12),
    answerLost: upTo(0.12),
    requestReset: upTo(0.08),
    answerReset: upTo(0.08),
    requestTwice: upTo(0.1),
    requestLate: upTo(0.3),
    requestLateMs: draws.between(10, 3_000),
    frameLost: upTo(0.06),
    frameTwice: upTo(0.2),
    frameLate: upTo(0.5),
    frameLateMs: draws.between(10, 1_500),
  };
}
