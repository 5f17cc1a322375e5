export type { LatencyModel, Way } from './latency-model.js';
export { sampledLatency, type Quantiles } from './sampled.js';
