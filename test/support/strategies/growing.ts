import { defineStrategy, param, quoteAt } from 'oddsmith/sdk';

/** A bid that wants three times as much after its first seconds: a second order stands behind the first. */
export default defineStrategy({
  name: 'growing',
  params: { shares: param.shares({ default: 20, help: 'shares at first' }) },
  initialState: { begunAt: 0 },
  quote({ params, nowMs, state }) {
    const begunAt = state.begunAt === 0 ? nowMs : state.begunAt;
    const shares = nowMs - begunAt > 2_500 ? 3 * params.shares : params.shares;
    return { bids: [quoteAt(0.48, shares, { fair: 0.48 })], asks: [], state: { begunAt } };
  },
});
