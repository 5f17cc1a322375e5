export { InformedTrader } from './informed.js';
export { LmsrMaker } from './lmsr.js';
export { CompetingMaker } from './maker.js';
export { NoiseTrader } from './noise.js';
export type { Participant, TradedMarket, Trader } from './participant.js';
export { reenactedAt, Reenactment } from './recording.js';
export { Stage } from './stage.js';
