export type { LatencyModel } from './latency-model.js';
export { sampledLatency } from './sampled.js';
