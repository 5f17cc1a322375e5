import { defineModifier, param, shrunk, type Sides } from 'oddsmith/sdk';

/**
 * Leaves the market after a jump or a sweep, and comes back in steps. A jump (signal `jump`): the mid moved within `windowMs` by at
 * least `jump`, and by at least `deviations` standard deviations. A sweep: the best bid or ask of others moved by `sweep` from one
 * look to the next, away from the middle. Nothing is quoted for `coolDownMs`; then the size returns in `steps` equal steps of
 * `stepMs`.
 */
export default defineModifier({
  name: 'jump',
  params: {
    jump: param.probability({ default: 0.03, min: 0.0001, help: 'least move of the mid that is a jump' }),
    deviations: param.ratio({
      default: 0,
      min: 0,
      max: 100,
      help: 'standard deviations that a jump exceeds as well; 0: any',
    }),
    windowMs: param.ms({ default: 2_000, min: 1, help: 'within so long' }),
    sweep: param.probability({ default: 0.03, min: 0.0001, help: 'move of the touch that is a sweep' }),
    coolDownMs: param.ms({ default: 5_000, help: 'nothing is quoted for so long' }),
    steps: param.count({ default: 3, min: 1, max: 20, help: 'steps of the return' }),
    stepMs: param.ms({ default: 2_000, min: 1, help: 'length of a step' }),
  },
  signals: ({ jump, deviations, windowMs }) => ({
    jump: { kind: 'jump', least: jump, deviations, windowMs },
  }),
  initialState: start(),
  stateVersion: 2,
  apply({ bids, asks }, { book, nowMs, params, signals, state }) {
    const { bid, ask } = book;
    const fell = bid !== null && state.bid !== null && state.bid - bid >= params.sweep;
    const rose = ask !== null && state.ask !== null && ask - state.ask >= params.sweep;
    const jumpedAt = signals.jump === null ? -Infinity : nowMs - signals.jump.ageMs;
    const leftAt = fell || rose ? nowMs : Math.max(state.leftAt ?? -Infinity, jumpedAt);
    const next = { bid, ask, leftAt: leftAt === -Infinity ? null : leftAt };
    return { state: next, ...returning({ bids, asks }, nowMs - leftAt, params) };
  },
});

interface State {
  readonly [key: string]: null | number;
  readonly bid: number | null;
  readonly ask: number | null;
  /** When the market was left; null: never. */
  readonly leftAt: number | null;
}

function start(): State {
  return { bid: null, ask: null, leftAt: null };
}

/** @param awayMs since the market was left; infinite: it never was */
function returning(
  sides: Sides,
  awayMs: number,
  { coolDownMs, steps, stepMs }: { coolDownMs: number; steps: number; stepMs: number },
) {
  if (awayMs >= coolDownMs + steps * stepMs) return sides;
  if (awayMs < coolDownMs) return { bids: [], asks: [], wakeInMs: coolDownMs - awayMs };
  const step = Math.floor((awayMs - coolDownMs) / stepMs) + 1;
  const factor = step / (steps + 1);
  return {
    bids: shrunk(sides.bids, factor),
    asks: shrunk(sides.asks, factor),
    wakeInMs: coolDownMs + step * stepMs - awayMs,
  };
}
