import { defineStrategy } from 'oddsmith/sdk';

/** Fails at its first market. */
export default defineStrategy({
  name: 'throwing',
  params: {},
  quote: () => {
    throw new Error('no idea');
  },
});
