/** From the least to the most that is believed of fills. */
export const SCENARIOS = ['pessimistic', 'expected', 'optimistic'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];
