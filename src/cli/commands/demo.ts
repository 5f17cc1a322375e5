import { fileURLToPath } from 'node:url';
import { startDemo } from '../../runs/demo.js';
import { withChoice } from '../../runs/strategies/instances.js';
import { type ExitCode, UsageError } from '../../domain/errors.js';
import {
  type BotSettings,
  type Loaded,
  loadBotSettings,
  privateKeysOf,
  secretsOf,
} from '../../settings/index.js';
import { openContext } from '../context.js';
import { choosePresenter, botLinks, FORCED, watchBot } from '../presenter.js';
import { hearStopSignals } from '../signals.js';

export interface DemoArguments {
  readonly config?: string;
  readonly for?: number;
  readonly json: boolean;
  readonly recording?: string;
  readonly speed?: number;
  readonly strategy?: string;
  readonly param?: Readonly<Record<string, string>>;
}

type Limits = BotSettings['instances'][number]['limits'];

const DEFAULT_CONFIG = fileURLToPath(new URL('../../../../config/demo.yaml', import.meta.url));
/** After the last recorded line the venue pays out; this long the bot may take to see it. */
const SETTLE_MS = 2_000;

function titleOf({ config, recording, speed = 1 }: DemoArguments): string {
  if (recording !== undefined) return `oddsmith demo, re-enacting ${recording} at ${speed}x`;
  return config === undefined ? 'oddsmith demo' : `oddsmith ${config}`;
}

/** Simulated traders keep their own time. @throws UsageError */
function refuseWithoutRecording({ recording, speed }: DemoArguments): void {
  if (recording !== undefined || speed === undefined) return;
  throw new UsageError('--speed is for a recording alone: add --recording <file>');
}

/** The settings of the file with what was said of strategies; of a recording, which the first instance quotes, with that one alone. */
async function settingsOf(given: DemoArguments): Promise<Loaded<BotSettings>> {
  const { settings, source } = loadBotSettings(given.config ?? DEFAULT_CONFIG, process.env);
  const instances = given.recording === undefined ? settings.instances : settings.instances.slice(0, 1);
  const choice = { strategy: given.strategy ?? null, parameters: given.param ?? {} };
  const timed = instances.map((instance) => ({
    ...instance,
    limits: atSpeed(instance.limits, given.speed ?? 1),
  }));
  return {
    settings: await withChoice({ settings: { ...settings, instances: timed }, source }, choice),
    source,
  };
}

/** A guard that watches the market for a time watches the same stretch of the recording, however fast that passes. */
export function atSpeed(limits: Limits, speed: number): Limits {
  const { fillBreaker, markOut } = limits;
  const within = (ms: number): number => Math.round(ms / speed);
  return {
    ...limits,
    fillBreaker: {
      ...fillBreaker,
      windowMs: within(fillBreaker.windowMs),
      coolDownMs: within(fillBreaker.coolDownMs),
      stepMs: within(fillBreaker.stepMs),
    },
    markOut: { ...markOut, horizonMs: within(markOut.horizonMs) },
  };
}

/** `oddsmith demo`: exchange and bot in one process, connected by the wire alone. */
export async function runDemo(given: DemoArguments): Promise<ExitCode> {
  refuseWithoutRecording(given);
  const { settings, source } = await settingsOf(given);
  const { exchange: bundled } = settings;
  const secrets = [...secretsOf(settings), ...(bundled === null ? [] : privateKeysOf(bundled))];
  const signals = hearStopSignals(FORCED);
  const context = openContext({ settings, source }, secrets, process.stdout.isTTY && !given.json);
  const recording = given.recording === undefined ? null : { file: given.recording, speed: given.speed ?? 1 };
  const load = (config: string): Promise<Loaded<BotSettings>> => settingsOf({ ...given, config });
  const { exchange, bot, ends } = await startDemo({ settings, source, recording, load, ...context });
  const untilOver = ends === null ? null : (ends - context.clock.now()) / 1_000 + SETTLE_MS;
  const limits = [given.for ?? null, untilOver].filter((limit) => limit !== null);
  try {
    return await watchBot({
      bot,
      head: {
        title: titleOf(given),
        links: [{ name: 'exchange', url: exchange.server.restUrl }, ...botLinks(bot.url, context.logFile)],
      },
      presenter: choosePresenter(given.json),
      forMs: limits.length === 0 ? null : Math.min(...limits),
      signals,
    });
  } finally {
    await exchange.close();
  }
}
