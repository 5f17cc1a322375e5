/** A bot on the wire: what every bot is made of, connected to a venue and to the files of its account, for one run. */
import { startListener } from '../../ops/http/listener.js';
import type { OperatorCommands } from '../../ops/http/operator-routes.js';
import { readinessOf } from '../../ops/http/readiness.js';
import type { EndEffect, NoticeEffect } from '../../domain/effects.js';
import { type AccountId, marketId } from '../../domain/ids.js';
import type { MarketRules } from '../../domain/inputs.js';
import type { Engine } from '../../core/engine/engine.js';
import type { EngineLoop } from '../../core/engine/loop.js';
import type { EngineView } from '../../core/engine/observing/view.js';
import type { EngineOptions } from '../../core/engine/options.js';
import { fillsCountMs, lossStepsOf } from '../../core/risk/index.js';
import { HeartbeatFile } from '../../storage/state/heartbeat-file.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { createMetrics, type Metrics } from '../../ops/telemetry/metrics.js';
import type { FrameObserver } from '../../venues/futuur/realtime/heard-frames.js';
import type { VenueGateway } from '../../venues/futuur/gateway.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { assemble, type AssemblyOptions } from './assembly.js';
import { openFeed, openJournal, openRecorder, openRest } from './connections.js';
import type { BotOptions } from '../../ops/state/options.js';
import { BotResources } from './resources.js';
import { engineOptionsOf } from './engine-options.js';
import { identify, type Identity, openAccount } from './account.js';
import { KeptState, readKept } from '../../ops/state/kept-state.js';
import { withdrawExclusiveMarkets } from './last-withdrawal.js';
import { KillFile } from '../../ops/state/kill-file.js';
import { Latches } from '../../ops/state/latches.js';
import { LiveReport } from './live-report.js';
import { logNotice } from './notice-log.js';
import { startPulse } from './pulse.js';
import { toldFaults } from './request-faults.js';
import type { RunRecorder } from '../recording/run-recorder.js';
import { sizeRemarks } from './size-remarks.js';
import { KeptSilence } from '../../ops/state/spending-file.js';
import { startFailure } from './start-failure.js';
import { accountPaths, knownAccount, type StatePaths } from '../../ops/state/account-folder.js';
import { StoppedFile } from '../../ops/state/stopped-file.js';
import { WindowFile } from '../../ops/state/window-file.js';

/** How long requests under way may take once the engine has ended. */
const DRAIN_MS = 2_000;
/** The engine's chance has a seed of its own, so that a tape can name it. */
const SEEDS = 2 ** 32;

/** What a bot is put together from, besides itself. */
interface BotParts extends Pick<
  AssemblyOptions,
  'wire' | 'feed' | 'journal' | 'engine' | 'startedAt' | 'observers'
> {
  readonly options: BotOptions;
  readonly paths: StatePaths;
  readonly account: AccountId;
  readonly held: BotResources;
  readonly report: LiveReport | null;
}

/** The engine of a run before it is known what the ones before left. */
interface Draft {
  readonly engine: EngineOptions;
  readonly seed: number;
}

/** What a start has found and opened by the time the bot is made. */
interface Means {
  readonly held: BotResources;
  readonly paths: StatePaths;
  readonly account: Identity;
  readonly draft: Draft;
  readonly recorder: RunRecorder | null;
  readonly rest: RestClient;
}

/** A bot that trades until it is told to stop, or something breaks. */
export class Bot {
  private resolveEnd: (effect: EndEffect) => void = () => undefined;
  /** Resolves once the engine has ended; everything is closed by then. */
  readonly ended = new Promise<EndEffect>((resolve) => (this.resolveEnd = resolve));
  private readonly options: BotOptions;
  private readonly paths: StatePaths;
  private readonly account: AccountId;
  private readonly held: BotResources;
  private readonly report: LiveReport | null;
  private readonly engine: Engine;
  private readonly gateway: VenueGateway;
  private readonly loop: EngineLoop;
  private readonly latches: Latches;
  private readonly onFault: (error: Error) => void;
  private isEnding = false;
  private page: string | null = null;

  private constructor({ options, paths, account, held, report, ...parts }: BotParts) {
    const { settings, clock, logger } = options;
    this.options = options;
    this.paths = paths;
    this.account = account;
    this.held = held;
    this.report = report;
    this.onFault = toldFaults(clock, logger);
    const { engine, gateway, loop } = assemble({
      ...parts,
      clock,
      settings,
      latched: () => this.latches.objection(),
      onFault: this.onFault,
      onNotice: (notice) => this.noticed(notice),
      onEnd: (end) => void this.end(end),
      onBroken: (error) => this.breakDown(error),
    });
    this.engine = engine;
    this.gateway = gateway;
    this.loop = loop;
    this.latches = this.makeLatches();
  }

  /**
   * Asks the venue who the keys belong to, takes the lock, opens the journal and starts trading.
   * @throws KeysRefusedError, VenueUnreachableError, LockHeldError, FencedError, JournalCorruptError,
   *   CautionsUnreadableError, UsageError
   */
  static async start(options: BotOptions): Promise<Bot> {
    const held = new BotResources(options.logger);
    try {
      return await Bot.open(options, held);
    } catch (error) {
      await held.release();
      throw startFailure(error, { who: 'bot', settings: options.settings, file: options.source.file });
    }
  }

  private static async open(options: BotOptions, held: BotResources): Promise<Bot> {
    const { settings, venue, clock, logger } = options;
    const draft = await draftOf(options);
    let bot: Bot | null = null;
    const metrics = createMetrics({
      view: () => bot?.view() ?? null,
      requestsLeft: () => (bot === null ? {} : { day: bot.engine.requestsLeftToday }),
    });
    held.metrics = metrics;
    const recorder = settings.tape.record ? openRecorder(options) : null;
    held.recorder = recorder;
    const rest = openRest(venue, clock, metrics, recorder);
    held.rest = rest;
    const { spending } = accountPaths(settings, venue, knownAccount(settings, venue));
    const account = await identify(rest, new KeptSilence(spending, clock, logger), venue.baseUrl);
    logger.info('the venue knows the keys', { account: account.id });
    const paths = openAccount(options, account.id, (lock) => (held.lock = lock));
    bot = Bot.make(options, { held, paths, account, draft, recorder, rest });
    await bot.listen(metrics);
    bot.begin();
    return bot;
  }

  /** Reads what earlier runs left, and goes on from there. */
  private static make(options: BotOptions, { held, paths, account, draft, recorder, rest }: Means): Bot {
    const { settings, clock, logger } = options;
    const { journal, recovered, sent } = openJournal(options, paths.journal);
    held.journal = journal;
    const onFrame: FrameObserver | null = recorder && ((frame, input) => recorder.frame(frame, input));
    const feed = openFeed(options, { rest, account: account.id, ...(onFrame !== null && { onFrame }) });
    const limits = draft.engine.instances.map((instance) => instance.limits);
    const windows = new WindowFile({ path: paths.windows, clock, logger, keepMs: fillsCountMs(limits) });
    const found = readKept(paths, windows);
    const known = { recovered, callsBefore: account.calls, venueAhead: rest.wire.venueAhead };
    const engine = { ...draft.engine, ...found, windows: { ...windows.found, sent }, ...known };
    const startedAt = clock.now();
    recorder?.begins(engine, startedAt, draft.seed);
    const report = settings.report.write ? new LiveReport(options, draft.engine, startedAt) : null;
    const observers = [windows, recorder, report?.analyst].filter((one) => one !== null && one !== undefined);
    const edges = { wire: rest.wire, feed, journal };
    const bot = new Bot({
      options,
      paths,
      account: account.id,
      held,
      report,
      ...edges,
      engine,
      startedAt,
      observers,
    });
    const onResumed = (): void => bot.loop.command({ kind: 'command', command: 'resume' });
    const steps = lossStepsOf(limits);
    held.kept = new KeptState({ paths, logger, found, windows, steps, onForgotten: onResumed });
    held.stopped = new StoppedFile({ path: paths.stopped, logger, onResumed });
    return bot;
  }

  private makeLatches(): Latches {
    const { paths, engine, loop } = this;
    const { clock, logger } = this.options;
    return new Latches({
      paths,
      clock,
      logger,
      killed: () => engine.killed,
      kill: (reason) => loop.command({ kind: 'command', command: 'kill', reason }),
      resume: () => loop.command({ kind: 'command', command: 'resume' }),
      release: () => loop.command({ kind: 'command', command: 'release' }),
    });
  }

  /** From here on it can be asked how it is, and told what to do. */
  private async listen(metrics: Metrics): Promise<void> {
    const { host, port, token } = this.options.settings.http;
    this.held.listener = await startListener({
      host,
      port,
      commands: this.commands(token),
      metrics: () => metrics.read(),
      readiness: () => readinessOf(this.view()),
    });
  }

  /** It connects, and its heart beats. */
  private begin(): void {
    const { paths, account, held } = this;
    const { clock, runId } = this.options;
    held.heartbeat = new HeartbeatFile(paths.heartbeat, { runId, account });
    this.loop.start();
    this.latches.review();
    held.stopPulse = startPulse(clock, () => this.beat());
  }

  /** `http://127.0.0.1:9464`: `/metrics`, `/health` and `/ready` are below it. */
  get url(): string {
    return this.held.listener?.url ?? '';
  }

  /** Absolute path of the report's page; null before the end, and when none is written. */
  get reportPage(): string | null {
    return this.page;
  }

  /** What it knows and does at this moment, for screens and programs. */
  view(): EngineView {
    return this.engine.view();
  }

  /** Last hash of the chain of decisions. */
  get decisionHash(): string {
    return this.engine.decisionHash;
  }

  /** The folder that the run is kept in; null when it is not recorded. */
  get folder(): string | null {
    return this.held.recorder?.folder ?? null;
  }

  /** Withdraws everything, proves it, and ends. */
  stop(reason: string): void {
    this.loop.command({ kind: 'command', command: 'stop', reason });
  }

  /** Latches the kill switch: everything is withdrawn, and nothing quoted, until a person resumes. */
  kill(reason: string): void {
    this.latches.latch(reason);
  }

  /** Quoting is allowed again. @returns false while a guard's fence stands */
  resume(): boolean {
    const isResumed = this.latches.clear();
    const { settings, venue, logger } = this.options;
    if (isResumed) new KillFile(accountPaths(settings, venue, null), logger).clear();
    this.review();
    return isResumed;
  }

  /** The venue changed rules of a market: what was wanted by the old ones is dropped. @param market its number */
  changeRules(market: number, changes: Partial<MarketRules>): void {
    this.loop.command({ kind: 'command', command: 'set-terms', marketId: marketId(market), changes });
  }

  /**
   * Something is broken and what the process knows cannot be relied on any more: stops quoting at once, withdraws
   * without asking the engine, and ends.
   */
  breakDown(error: unknown): void {
    this.options.logger.error('something broke; withdrawing', { err: error });
    this.loop.close();
    const text = error instanceof Error ? error.message : String(error);
    void this.end({ kind: 'end', outcome: 'invariant', text });
  }

  private commands(token: string | null): OperatorCommands | null {
    if (token === null) return null;
    return { token, kill: (reason) => this.kill(reason), resume: () => this.resume() };
  }

  /** A switch that latched is written down at once, for a process that is killed next. */
  private noticed(notice: NoticeEffect): void {
    logNotice(this.options.logger, notice);
    if (notice.level !== 'info') this.review();
  }

  /** Brings what latched and its files into agreement. */
  private review(): void {
    this.latches.review();
    this.held.kept?.review(this.engine);
    this.held.stopped?.review(this.engine.stopped);
  }

  private beat(): void {
    this.review();
    const removed = this.held.journal?.review() ?? null;
    if (removed !== null) this.onFault(removed);
    this.held.beat();
  }

  private async end(effect: EndEffect): Promise<void> {
    if (this.isEnding) return;
    this.isEnding = true;
    await this.gateway.drain(DRAIN_MS);
    const { settings, logger } = this.options;
    const { rest } = this.held;
    if (effect.outcome === 'invariant' && rest !== null)
      await withdrawExclusiveMarkets(settings, rest, logger);
    this.review();
    this.held.kept?.settle(this.engine);
    const end = this.writeReport(effect);
    const at = this.options.clock.now();
    this.held.noteEnd(end, at);
    const { decisions } = this.view().counts;
    this.held.recorder?.ended(end, at, { count: decisions, hash: this.engine.decisionHash });
    await this.held.release();
    this.resolveEnd(end);
  }

  /** A run whose profit is not the sum of where it came from has failed, however clean it ended. */
  private writeReport(effect: EndEffect): EndEffect {
    try {
      this.page = this.report?.write(this.engine, this.options.clock.now()) ?? null;
      return effect;
    } catch (error) {
      if (effect.outcome !== 'clean') return effect;
      return { kind: 'end', outcome: 'invariant', text: (error as Error).message };
    }
  }
}

/** Its chance is drawn, and strategies are loaded. @throws SettingsError, UsageError */
async function draftOf(options: BotOptions): Promise<Draft> {
  const { random, source, logger } = options;
  const seed = random.fork('engine').below(SEEDS);
  const engine = await engineOptionsOf({ ...options, random: seededRandom(seed) });
  for (const remark of sizeRemarks(engine, source)) logger.warn(remark);
  return { engine, seed };
}
