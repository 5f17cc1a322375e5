import { defineModifier, movedAway, param, shrunk } from 'oddsmith/sdk';

/**
 * Steps back before betting closes. With u growing from 0 at `fromMs` to 1 at `stopMs` before the close:
 *
 *     distance + widen u,    shares (1 - u)
 *
 * An event without a known close is not touched.
 */
export default defineModifier({
  name: 'time-to-close',
  params: {
    fromMs: param.ms({
      default: 600_000,
      max: 31_536_000_000,
      help: 'stepping back begins this long before',
    }),
    stopMs: param.ms({
      default: 60_000,
      max: 31_536_000_000,
      help: 'nothing is quoted from this long before',
    }),
    widen: param.probability({ default: 0.02, max: 0.5, help: 'distance added at the end' }),
  },
  apply({ bids, asks }, { event, params }) {
    const left = event.msToClose;
    if (left === null || left >= params.fromMs) return { bids, asks };
    if (left <= params.stopMs) return { bids: [], asks: [] };
    const urgency = (params.fromMs - left) / (params.fromMs - params.stopMs);
    return {
      bids: shrunk(movedAway(bids, 'bid', params.widen * urgency), 1 - urgency),
      asks: shrunk(movedAway(asks, 'ask', params.widen * urgency), 1 - urgency),
    };
  },
});
