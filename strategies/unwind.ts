import { defineEventStrategy, param, unwindTakes } from 'oddsmith/sdk';

/**
 * Gets rid of what is held, and quotes nothing. Beyond `keep` net shares of an outcome it takes what others quote:
 *
 *     sells a long position to bids,     if  bid - fee >= fair - cost
 *     buys a short position from asks,   if  ask + fee <= fair + cost
 *
 * The last `closeMs` before the close nothing is kept. `limits.taking` has to allow the amount; what it does not allow waits. What
 * is not filled rests at its worst price until the next answer.
 */
export default defineEventStrategy({
  name: 'unwind',
  params: {
    keep: param.shares({ default: 0, help: 'net shares of an outcome that may stay' }),
    cost: param.probability({
      default: 0.02,
      max: 0.5,
      help: 'most that a share may cost against its fair value, taker fee included',
    }),
    closeMs: param.ms({ default: 0, help: 'time before the close from which nothing may stay' }),
    maxFairAgeMs: param.ms({ default: 60_000, help: 'by a fair value older than this nothing is traded' }),
  },
  quote({ event, markets, params }) {
    const isLate = params.closeMs > 0 && (event.msToClose ?? Infinity) <= params.closeMs;
    const judged = markets.filter(({ fair }) => fair !== null && fair.ageMs <= params.maxFairAgeMs);
    return {
      ladders: {},
      takes: unwindTakes(judged, { keep: isLate ? 0 : params.keep, cost: params.cost }),
    };
  },
});
