import { defineModifier, param, shrunk, type Sides } from 'oddsmith/sdk';

/**
 * Leaves the market after a jump or a sweep, and comes back in steps. A jump: the mid moved by `jump` within
 * `windowMs`. A sweep: the best bid or ask of others moved by `sweep` from one look to the next, away from the middle.
 * Nothing is quoted for `coolDownMs`; then the size returns in `steps` equal steps of `stepMs`.
 */
export default defineModifier({
  name: 'jump',
  params: {
    jump: param.probability({ default: 0.03, min: 0.0001, help: 'move of the mid that is a jump' }),
    windowMs: param.ms({ default: 2_000, min: 1, help: 'within so long' }),
    sweep: param.probability({ default: 0.03, min: 0.0001, help: 'move of the touch that is a sweep' }),
    coolDownMs: param.ms({ default: 5_000, help: 'nothing is quoted for so long' }),
    steps: param.count({ default: 3, min: 1, max: 20, help: 'steps of the return' }),
    stepMs: param.ms({ default: 2_000, min: 1, help: 'length of a step' }),
  },
  initialState: start(),
  stateVersion: 1,
  apply({ bids, asks }, { book, nowMs, params, state }) {
    const { mid, bid, ask } = book;
    const mids = since(state.mids, nowMs - params.windowMs);
    const isJump = mid !== null && mids.some((one) => Math.abs(mid - one[1]) >= params.jump);
    const fell = bid !== null && state.bid !== null && state.bid - bid >= params.sweep;
    const rose = ask !== null && state.ask !== null && ask - state.ask >= params.sweep;
    const leftAt = isJump || fell || rose ? nowMs : state.leftAt;
    const isNew = mid !== null && mids.at(-1)?.[1] !== mid;
    const kept = isNew ? mids.slice(-MOST_MIDS).concat([[nowMs, mid]]) : mids;
    const next = { mids: isJump ? [] : kept, bid, ask, leftAt };
    return { state: next, ...returning({ bids, asks }, leftAt === null ? null : nowMs - leftAt, params) };
  },
});

const MOST_MIDS = 50;

type Mids = State['mids'];

/** The mids from a time on. */
function since(mids: Mids, from: number): Mids {
  let old = 0;
  while (old < mids.length && mids[old]![0] < from) old += 1;
  return old === 0 ? mids : mids.slice(old);
}

interface State {
  readonly [key: string]: null | number | readonly (readonly [number, number])[];
  /** Time and mid, oldest first. */
  readonly mids: readonly (readonly [number, number])[];
  readonly bid: number | null;
  readonly ask: number | null;
  /** When the market was left; null: never. */
  readonly leftAt: number | null;
}

function start(): State {
  return { mids: [], bid: null, ask: null, leftAt: null };
}

/** @param awayMs since the market was left */
function returning(
  sides: Sides,
  awayMs: number | null,
  { coolDownMs, steps, stepMs }: { coolDownMs: number; steps: number; stepMs: number },
) {
  if (awayMs === null || awayMs >= coolDownMs + steps * stepMs) return sides;
  if (awayMs < coolDownMs) return { bids: [], asks: [], wakeInMs: coolDownMs - awayMs };
  const step = Math.floor((awayMs - coolDownMs) / stepMs) + 1;
  const factor = step / (steps + 1);
  return {
    bids: shrunk(sides.bids, factor),
    asks: shrunk(sides.asks, factor),
    wakeInMs: coolDownMs + step * stepMs - awayMs,
  };
}
