/** Compares a recorded run with simulations: its own orders are taken out of the tape and sent into simulated venues. */
import { type Arrivals, AS_RECORDED, DrawnArrivals, RequestTimes, WayTimes } from './latency.js';
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
  readonly latency: ShadowLatency;
  readonly figures: ShadowFigures;
  /** Places of the tape where lines are missing; fills there are unknown. */
  readonly gaps: number;
  readonly ending: TapeEnding;
}

export interface ShadowOptions {
  /** Default: as recorded. */
  readonly latency?: ShadowLatency;
  readonly onRead?: (bytes: number) => void;
}

/** A fixed seed: the same tape gives the same figures. */
const SEED = 1;

/**
 * Reads the tape once, or twice when latency is drawn. The scenarios are those of the run's configuration, or the defaults.
 * Memory grows with the orders that traded, or with all orders when latency is drawn.
 * @param path a file, the folder of a tape or of a run
 * @throws TapeError for a tape that is damaged, or whose inputs are out of order; UsageError for one without a run, or without an answer to draw from
 */
export async function shadowOf(path: string, options: ShadowOptions = {}): Promise<Shadow> {
  const { latency = 'recorded', onRead } = options;
  const arrivals = latency === 'drawn' ? await drawnArrivals(path) : AS_RECORDED;
  const reader = new TapeReader(path, { inputs: 'in order', ...(onRead !== undefined && { onRead }) });
  const reading = new Reading(arrivals);
  for await (const batch of reader.batches()) for (const { line } of batch) reading.take(line);
  return { ...reading.result(reader.ending), latency };
}

async function drawnArrivals(path: string): Promise<Arrivals> {
  const [ways, times] = [new WayTimes(), new RequestTimes()];
  for await (const batch of new TapeReader(path, { inputs: 'in order' }).batches())
    for (const { line } of batch) {
      const stamped = stampedInput(line);
      if (stamped === null) continue;
      ways.take(stamped);
      times.take(stamped);
    }
  const { request } = ways.figures();
  if (request === null)
    throw new UsageError(
      'the tape holds no answer that tells when an order was made: there is no latency to draw from',
    );
  return new DrawnArrivals(times, request.quantiles, seededRandom(SEED).fork('requests'));
}

class Reading {
  #head: HeadRecord | null = null;
  #run: ShadowRun | null = null;
  #gaps = 0;

  constructor(private readonly arrivals: Arrivals) {}

  take(line: TapeLine): void {
    if (line.kind === 'head') this.#head = line;
    else if (line.kind === 'start') this.#run ??= shadowRun(this.#head, line.engine, this.arrivals);
    else if (line.kind === 'gap') this.#gaps += 1;
    const stamped = stampedInput(line);
    if (stamped !== null) this.#run?.take(stamped);
  }

  result(ending: TapeEnding): Omit<Shadow, 'latency'> {
    if (this.#run === null || this.#head === null) throw new UsageError('the tape holds no run of a bot');
    return { run: this.#head.run, figures: this.#run.finish(), gaps: this.#gaps, ending };
  }
}

function shadowRun(head: HeadRecord | null, start: EngineStart, arrivals: Arrivals): ShadowRun {
  const { terms, events } = start;
  const tickUnits = new Map<MarketId, number>(
    events.flatMap(({ markets }) => markets.map((market) => [market.id, market.tickUnits] as const)),
  );
  const configuration = head?.configuration as {
    readonly backtest?: { readonly scenarios?: unknown };
  } | null;
  const scenarios = scenariosOf(configuration?.backtest?.scenarios ?? undefined);
  return new ShadowRun({
    mode: terms.mode,
    start,
    tickUnits,
    fillModels: SCENARIOS.map((name) => {
      const { crossing } = scenarios[name];
      return { name, ...liquidityOf(scenarios[name]), crossing };
    }),
    random: seededRandom(SEED),
    arrivals,
  });
}

/** When orders reach the simulated venues: as recorded, or after a latency drawn from the recorded ones. */
export const SHADOW_LATENCIES = ['recorded', 'drawn'] as const;
export type ShadowLatency = (typeof SHADOW_LATENCIES)[number];
