import type { TradesModel } from './trades-model.js';

/** Only what was recorded as a trade was one. */
export const recordedTrades: TradesModel = {
  turnover: () => undefined,
  ownFill: () => undefined,
  between: () => [],
};
