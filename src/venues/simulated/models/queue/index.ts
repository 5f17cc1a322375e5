export { front } from './front.js';
export { log, power } from './probabilistic.js';
export { aheadAfter } from './queue-model.js';
export type { LevelChange, QueueModel } from './queue-model.js';
export { riskAverse } from './risk-averse.js';
