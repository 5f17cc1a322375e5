import { defineStrategy, NO_QUOTES, param } from 'oddsmith/sdk';

const WEIGHT = param.ratio({ default: 1, min: 0, max: 10, help: 'weight' });

/** Declares a list, a record and a map. */
export default defineStrategy({
  name: 'grouped',
  params: {
    bands: param.list({ fields: { margin: WEIGHT }, default: [{ margin: 1 }], help: 'bands' }),
    limits: param.record({
      fields: {
        near: WEIGHT,
        mode: param.choice({ values: ['calm', 'bold'], default: 'calm', help: 'mode' }),
      },
      help: 'limits',
    }),
    weights: param.map({ of: WEIGHT, most: 2, help: 'by market' }),
  },
  quote({ params, market }) {
    const weight: number = params.limits.near * (params.weights[market.id] ?? 1);
    return { ...NO_QUOTES, wakeInMs: 1_000 * Math.max(1, weight) };
  },
});
