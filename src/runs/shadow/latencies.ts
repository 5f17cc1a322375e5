/** When orders reach the simulated venues: when they reached the real one, or after ways that are drawn from those seen. */
export const SHADOW_LATENCIES = ['recorded', 'drawn'] as const;
export type ShadowLatency = (typeof SHADOW_LATENCIES)[number];
