/** Compares a recorded run with simulations: its own orders are taken out of the tape and sent into simulated venues. */
import { type ShadowFigures, ShadowRun } from './shadow-run.js';
import { UsageError } from '../../domain/errors.js';
import type { MarketId } from '../../domain/ids.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { scenariosOf, SCENARIOS } from '../../settings/index.js';
import {
  type EngineStart,
  type HeadRecord,
  type TapeEnding,
  type TapeLine,
  TapeReader,
} from '../../storage/index.js';
import { liquidityOf } from '../backtest/scenario-session.js';
import { stampedInput } from '../replay/replay.js';

export interface Shadow {
  readonly run: string;
  readonly figures: ShadowFigures;
  /** Places of the tape where lines are missing; fills there are unknown. */
  readonly gaps: number;
  readonly ending: TapeEnding;
}

export interface ShadowOptions {
  readonly onRead?: (bytes: number) => void;
}

/** A fixed seed: the same tape gives the same figures. */
const SEED = 1;

/**
 * Shadows the run of a tape. The scenarios are those of the run's configuration, or the defaults. Memory grows with the
 * orders that traded.
 * @param path a file, the folder of a tape or of a run
 * @throws TapeError for a tape that is damaged, or whose inputs are out of order; UsageError for one without a run
 */
export async function shadowOf(path: string, { onRead }: ShadowOptions = {}): Promise<Shadow> {
  const reader = new TapeReader(path, { inputs: 'in order', ...(onRead !== undefined && { onRead }) });
  const reading = new Reading();
  for await (const batch of reader.batches()) for (const { line } of batch) reading.take(line);
  return reading.result(reader.ending);
}

class Reading {
  #head: HeadRecord | null = null;
  #run: ShadowRun | null = null;
  #gaps = 0;

  take(line: TapeLine): void {
    if (line.kind === 'head') this.#head = line;
    else if (line.kind === 'start') this.#run ??= shadowRun(this.#head, line.engine);
    else if (line.kind === 'gap') this.#gaps += 1;
    const stamped = stampedInput(line);
    if (stamped !== null) this.#run?.take(stamped);
  }

  result(ending: TapeEnding): Shadow {
    if (this.#run === null || this.#head === null) throw new UsageError('the tape holds no run of a bot');
    return { run: this.#head.run, figures: this.#run.finish(), gaps: this.#gaps, ending };
  }
}

function shadowRun(head: HeadRecord | null, start: EngineStart): ShadowRun {
  const { terms, events } = start;
  const tickUnits = new Map<MarketId, number>(
    events.flatMap(({ markets }) => markets.map((market) => [market.id, market.tickUnits] as const)),
  );
  const configuration = head?.configuration as {
    readonly mode?: 'live' | 'paper';
    readonly paper?: { readonly scenarios?: unknown };
    readonly backtest?: { readonly scenarios?: unknown };
  } | null;
  const section = configuration?.mode === 'paper' ? configuration.paper : configuration?.backtest;
  const scenarios = scenariosOf(section?.scenarios ?? undefined);
  return new ShadowRun({
    mode: terms.mode,
    start,
    tickUnits,
    fillModels: SCENARIOS.map((name) => {
      const { crossing } = scenarios[name];
      return { name, ...liquidityOf(scenarios[name]), crossing };
    }),
    random: seededRandom(SEED),
  });
}
