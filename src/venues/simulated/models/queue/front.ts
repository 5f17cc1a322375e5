import type { QueueModel } from './queue-model.js';

/** An order joins at the front of its level: nobody else is ahead of it. The optimistic scenario. */
export const front: QueueModel = {
  join: () => 0,
  decrease: (ahead) => ahead,
};
