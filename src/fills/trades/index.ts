export { inferredTrades } from './inferred.js';
export { recordedTrades } from './recorded.js';
export type { TradesModel } from './trades-model.js';
