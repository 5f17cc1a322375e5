import { defineModifier, movedAway, param } from 'oddsmith/sdk';

/**
 * Steps back as far as own fills turn out badly. After `horizonMs` the mark-out of a fill is the move of the mid in its
 * favour. With T the average of mark-outs, newer ones weighing more (signal `markOut`):
 *
 *     distance + factor max(0, -T)
 *
 * Without a fill, T halves every `halfLifeMs`.
 */
export default defineModifier({
  name: 'toxicity',
  params: {
    horizonMs: param.ms({ default: 5_000, min: 1, help: 'a fill is judged by the mid so long after it' }),
    weight: param.ratio({ default: 0.2, min: 0.001, max: 1, help: 'weight of the newest mark-out' }),
    factor: param.ratio({ default: 1, min: 0, max: 10, help: 'distance for each unit of average loss' }),
    most: param.probability({ default: 0.1, max: 0.5, help: 'most distance that is added' }),
    halfLifeMs: param.ms({
      default: 300_000,
      min: 1_000,
      help: 'without fills the average halves in so long',
    }),
  },
  signals: ({ horizonMs, weight, halfLifeMs }) => ({
    markOut: { kind: 'markOut', horizonMs, weight, halfLifeMs },
  }),
  apply({ bids, asks }, { params, signals }) {
    const average = signals.markOut?.value ?? 0;
    const distance = Math.min(params.most, params.factor * Math.max(0, -average));
    return {
      bids: movedAway(bids, 'bid', distance),
      asks: movedAway(asks, 'ask', distance),
      // The average fades while nothing comes in.
      ...(distance > 0 ? { wakeInMs: 1_000 } : {}),
    };
  },
});
