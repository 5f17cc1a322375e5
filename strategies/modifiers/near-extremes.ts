import { defineModifier, param, shrunk } from 'oddsmith/sdk';

/**
 * Quotes less near 0 and 1, where a small price can lose the whole unit. With d = min(p, 1 - p) of the fair value:
 *
 *     shares x clamp((d - stop) / (full - stop), 0, 1)
 */
export default defineModifier({
  name: 'near-extremes',
  params: {
    stop: param.probability({ default: 0.03, max: 0.5, help: 'nothing is quoted this close to 0 or 1' }),
    full: param.probability({ default: 0.08, max: 0.5, help: 'whole size from this distance on' }),
  },
  apply({ bids, asks }, { fair, params }) {
    if (fair === null) return { bids, asks };
    const distance = Math.min(fair.p, 1 - fair.p);
    const factor =
      distance <= params.stop + 1e-9
        ? 0
        : Math.min(1, (distance - params.stop) / Math.max(1e-9, params.full - params.stop));
    return { bids: shrunk(bids, factor), asks: shrunk(asks, factor) };
  },
});
