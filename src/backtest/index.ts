export { MountedTape, type RowRange } from './tape/mounted-tape.js';
export type { RunMarket } from './tape/run-market.js';
export { type ScenarioEnd, type ScenarioOptions, ScenarioRun } from './run/scenario-run.js';
export { type Axis, type Candidate, candidatesOf, gridSize, type PlainValue } from './sweep/candidates.js';
export {
  type CandidateRank,
  type FoldResult,
  leastProfit,
  type PieceProfits,
  rank,
  type Ranking,
} from './sweep/ranking.js';
export { type Fold, foldsOf, type Piece } from './sweep/splits.js';
export type { FillTotals, ScenarioFigures, WaitFigures } from './shadow/shadow-figures.js';
export { type QueueFigures, type ShadowFigures, ShadowRun } from './shadow/shadow-run.js';
export type { PowerFigures } from './shadow/power-fit.js';
export { type WayFigures, WayTimes } from './shadow/way-times.js';
export { type Arrivals, AS_RECORDED, DrawnArrivals, RequestTimes } from './shadow/arrivals.js';
