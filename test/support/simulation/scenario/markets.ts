/** The markets of `test/simulation/house.yaml`, and one that the bot knows nothing of. */
export type Market = number;

export const CUP = 200;

export const DRAWN_MARKETS = [
  { event: 100, markets: [1_001], quoted: [1_001] },
  { event: CUP, markets: [2_001, 2_002, 2_003], quoted: [2_001, 2_002] },
] as const;

export const OUTSIDE = { event: 300, market: 3_001 } as const;

export const QUOTED: readonly [Market, ...Market[]] = [1_001, 2_001, 2_002];
