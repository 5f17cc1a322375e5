/** What the person does by hand whose account the bot trades with, and when. */
import type { Company } from './company.js';
import type { Draws } from './draws.js';
import type { HandHappening, TimedHappening } from './happening.js';
import type { Market } from './markets.js';

const WEIGHTS: Readonly<Record<HandHappening['kind'], number>> = {
  'hand-places': 10,
  'hand-cancels': 3,
  'hand-moves': 2,
  'hand-clears': 0.5,
};

const FIRST_MS = 1_000;

export interface HandsOptions {
  readonly company: Company;
  /** Where orders of the account may be others' than the bot's; not empty. */
  readonly markets: readonly Market[];
  /** For how long the person trades. */
  readonly forMs: number;
}

/** @returns in order of time; nothing where no person is there */
export function handsOf(draws: Draws, { company, markets, forMs }: HandsOptions): readonly TimedHappening[] {
  const happenings: TimedHappening[] = [];
  if (!company.hasPerson) return happenings;
  const hand = { company, markets };
  const pauseMs = draws.oneOf([2_000, 5_000, 12_000]);
  let atMs = FIRST_MS;
  for (let ms = draws.between(0, pauseMs); atMs + ms < forMs; ms = draws.between(50, pauseMs)) {
    atMs += Math.round(ms);
    happenings.push({ atMs, happening: DRAWN[draws.weighted(WEIGHTS)](draws, hand) });
  }
  return happenings;
}

type Hand = Pick<HandsOptions, 'company' | 'markets'>;

const DRAWN: {
  readonly [Kind in HandHappening['kind']]: (
    draws: Draws,
    hand: Hand,
  ) => Extract<HandHappening, { kind: Kind }>;
} = {
  'hand-places': (draws, { company: { currency, second }, markets }) => ({
    kind: 'hand-places',
    market: draws.oneOf(markets),
    side: draws.oneOf(['bid', 'bid', 'ask']),
    position: draws.oneOf(['long', 'short']),
    currency: second !== null && draws.chance(0.5) ? second : currency,
    ticks: ticksOf(draws),
    shares: draws.whole(1, draws.oneOf([500, 2_000, 8_000])),
    clearsTheWay: draws.chance(0.25),
    expiresAfterMs: draws.chance(0.1) ? draws.whole(1_000, 30_000) : null,
  }),
  'hand-cancels': (draws) => ({
    kind: 'hand-cancels',
    which: draws.whole(0, 99),
    whose: draws.oneOf(['own', 'own', 'any']),
  }),
  'hand-moves': (draws) => ({
    kind: 'hand-moves',
    which: draws.whole(0, 99),
    byTicks: draws.oneOf([-3, -1, 1, 2, 5]),
  }),
  'hand-clears': (draws, { markets }) => ({ kind: 'hand-clears', market: draws.oneOf(markets) }),
};

/** Takes at any price, takes at most at a price, or rests. */
function ticksOf(draws: Draws): number | null {
  if (draws.chance(0.1)) return null;
  return draws.chance(0.35) ? draws.whole(-2, 0) : draws.whole(1, 8);
}
