export { MountedTape, type RowRange } from './tape/mounted-tape.js';
export type { RunMarket } from './tape/run-market.js';
export { type ScenarioEnd, type ScenarioOptions, ScenarioRun } from './run/scenario-run.js';
