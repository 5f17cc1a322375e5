export { CompetingMaker, LmsrMaker } from './makers.js';
export type { Participant, TradedMarket, Trader } from './stage.js';
export { reenactedAt, Reenactment } from './recording.js';
export { Stage } from './stage.js';
export { InformedTrader, NoiseTrader } from './takers.js';
