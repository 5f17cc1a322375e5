import { defineModifier, movedAway, param } from 'oddsmith/sdk';

/**
 * Steps back as far as own fills turn out badly. Each change of the inventory is a fill; after `horizonMs` its mark-out is
 * the move of the mid in its favour. With T the average of mark-outs, newer ones weighing more:
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
  initialState: start(),
  stateVersion: 1,
  apply({ bids, asks }, { book, inventory, nowMs, params, state }) {
    const { mid } = book;
    let { pending } = state;
    const bought = inventory.net - state.net;
    if (mid !== null && state.at > 0 && Math.abs(bought) > 1e-9 && pending.length < MOST_PENDING)
      pending = [...pending, [nowMs, Math.sign(bought), mid]];
    let average = state.at === 0 ? 0 : state.average * 0.5 ** ((nowMs - state.at) / params.halfLifeMs);
    let judged = 0;
    for (const [at, sign, before] of pending) {
      if (mid === null || nowMs - at < params.horizonMs) break;
      average += params.weight * (sign * (mid - before) - average);
      judged += 1;
    }
    if (judged > 0) pending = pending.slice(judged);
    const distance = Math.min(params.most, params.factor * Math.max(0, -average));
    const first = pending[0];
    const wake = first === undefined ? {} : { wakeInMs: Math.max(1, first[0] + params.horizonMs - nowMs) };
    return {
      bids: movedAway(bids, 'bid', distance),
      asks: movedAway(asks, 'ask', distance),
      state: { pending, average, net: inventory.net, at: nowMs },
      ...wake,
    };
  },
});

const MOST_PENDING = 50;

interface State {
  readonly [key: string]: number | readonly (readonly [number, number, number])[];
  /** Time, sign and mid of fills to be judged, oldest first. */
  readonly pending: readonly (readonly [number, number, number])[];
  /** Of mark-outs, as a price. */
  readonly average: number;
  readonly net: number;
  /** Milliseconds; 0: never asked. */
  readonly at: number;
}

function start(): State {
  return { pending: [], average: 0, net: 0, at: 0 };
}
