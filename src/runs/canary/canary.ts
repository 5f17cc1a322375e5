/**
 * A canary: one instance of a file on paper twice, side by side on the same live data, with the present parameters and with new
 * ones. Both have the same simulated venue, cash and limits, so that what differs between them is the parameters.
 */
import { join } from 'node:path';
import { UsageError } from '../../domain/errors.js';
import { currencyUnits } from '../../domain/units.js';
import type { EngineView } from '../../core/engine/observing/view.js';
import { type BotSettings, type CanarySettings, isSelecting } from '../../settings/index.js';
import { pauseFor } from '../../storage/clocks/pause.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import { Bot } from '../live/bot.js';
import type { BotOptions } from '../live/connections.js';
import { type CanarySample, type CanaryVerdict, judgeCanary } from './judgement.js';

export interface CanaryOptions extends BotOptions {
  readonly canary: CanarySettings;
  /** Told of both at every slice of time. */
  readonly onSample: (sample: CanarySlice) => void;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

export interface CanarySlice extends CanarySample {
  readonly elapsedMs: number;
  readonly fillsNow: number;
  readonly fillsNext: number;
}

/** Of the time of a canary. */
const SLICES = 60;
const SLICE_LEAST_MS = 1_000;

/** @throws what starting a paper bot throws; UsageError where the file has no such instance */
export async function runCanary(options: CanaryOptions): Promise<CanaryVerdict> {
  const { canary, onSample, signal } = options;
  const now = await Bot.start(besides(options, 'now', {}));
  try {
    const next = await Bot.start(besides(options, 'next', canary.params));
    try {
      return await compared(now, next, { forMs: canary.for, onSample, signal });
    } finally {
      await ended(next);
    }
  } finally {
    await ended(now);
  }
}

interface Comparing extends Pick<CanaryOptions, 'onSample' | 'signal'> {
  readonly forMs: number;
}

async function compared(now: Bot, next: Bot, { forMs, onSample, signal }: Comparing): Promise<CanaryVerdict> {
  const sliceMs = Math.max(SLICE_LEAST_MS, forMs / SLICES);
  const clock = new SystemClock();
  const samples: CanarySample[] = [];
  for (let elapsedMs = 0; ; elapsedMs += sliceMs) {
    const [ofNow, ofNext] = [now.view(), next.view()];
    const sample = { now: profitOf(ofNow), next: profitOf(ofNext) };
    samples.push(sample);
    onSample({ ...sample, elapsedMs, fillsNow: ofNow.counts.fills, fillsNext: ofNext.counts.fills });
    const stopped = stoppedOf(ofNext);
    if (stopped !== null || elapsedMs >= forMs || signal.aborted) return judgeCanary(samples, stopped);
    await pauseFor(clock, sliceMs, signal);
  }
}

const profitOf = ({ profit }: EngineView): number => currencyUnits(profit);

/** Why the new parameters cannot go on. */
function stoppedOf({ killed, instances }: EngineView): string | null {
  if (killed !== null) return `the new parameters latched the kill switch: ${killed}`;
  const fault = instances.find((one) => one.fault !== null)?.fault ?? null;
  return fault === null ? null : `the strategy failed with the new parameters: ${fault}`;
}

async function ended(bot: Bot): Promise<void> {
  bot.stop('the canary is over');
  await bot.ended;
}

/**
 * A paper bot of the one instance, with a state folder, an account and a port of its own. An account keeps its folder: of the same
 * name it would go on with the cash and shares of an earlier canary, and two canaries could not run at once.
 */
export function besides(
  options: CanaryOptions,
  which: 'now' | 'next',
  params: CanarySettings['params'],
): BotOptions {
  const { settings, canary, random, logger, runId } = options;
  const instance = settings.instances.find(({ name }) => name === canary.instance);
  if (instance === undefined)
    throw new UsageError(`canary.instance: there is no instance ${canary.instance}`);
  const shadow: BotSettings = {
    ...settings,
    mode: 'paper',
    sharding: null,
    stateDir: canaryFolder(settings, runId),
    events: isSelecting(settings) ? settings.events : eventsOf(settings, instance.markets),
    instances: [{ ...instance, params: { ...instance.params, ...params } }],
    paper: { ...settings.paper, account: `paper-${which}-${runId}` },
    http: { ...settings.http, port: 0, token: null },
    alerts: { ...settings.alerts, receivers: [] },
    reload: { onSave: false, selectEveryMs: null },
    tape: { ...settings.tape, record: false },
  };
  // The same chance for both.
  return {
    ...options,
    settings: shadow,
    runId: `${runId}-${which}`,
    random: random.fork('canary'),
    logger: logger.child({ instance: `canary ${which}` }),
  };
}

/** Each event is read before both begin. */
const eventsOf = ({ events }: BotSettings, quoted: readonly string[]): BotSettings['events'] =>
  events.filter(({ markets }) => markets.some(({ id }) => quoted.includes(id)));

/** Where state and reports of a canary are kept. */
const canaryFolder = ({ stateDir }: Pick<BotSettings, 'stateDir'>, runId: string): string =>
  join(stateDir, 'canary', runId);
