/** A bot on the wire: engine, gateway, feed, journal and listener, wired for one run. */
import { basename } from 'node:path';
import { startListener } from '../dashboard/listener.js';
import type { OperatorCommands } from '../dashboard/operator-routes.js';
import { readinessOf } from '../dashboard/readiness.js';
import type { EndEffect, NoticeEffect, SendEffect } from '../domain/effects.js';
import { type AccountId, marketId } from '../domain/ids.js';
import type { MarketRules } from '../domain/inputs.js';
import { Engine } from '../engine/engine.js';
import type { EngineObserver } from '../engine/observing/observer.js';
import { severalObservers } from '../engine/observing/several-observers.js';
import { EngineLoop } from '../engine/loop.js';
import type { EngineView } from '../engine/observing/view.js';
import { idempotencyKey } from '../execution/sending/keys.js';
import { fillsCountMs, lossStepsOf } from '../risk/index.js';
import { HeartbeatFile } from '../runtime/heartbeat-file.js';
import { seededRandom } from '../runtime/seeded-random.js';
import { createMetrics } from '../telemetry/metrics.js';
import { VenueGateway } from '../venue/gateway.js';
import type { PusherFeed } from '../venue/realtime/feed.js';
import { mayCreate } from '../venue/requests.js';
import { lockAccount } from './account-lock.js';
import { accountScopes } from './account-scopes.js';
import { openFeed, openJournal, openRecorder, openRest } from './bot-connections.js';
import { BotResources } from './bot-resources.js';
import type { BotOptions } from './bot-options.js';
import { claimsJournal } from './claims-journal.js';
import { configHash } from './config-hash.js';
import { engineOptionsOf, tickUnitsOf } from './engine-options.js';
import { identify } from './identify.js';
import { KeptState, readKept } from './kept-state.js';
import { withdrawExclusiveMarkets } from './last-withdrawal.js';
import { Latches, requireNoFence } from './latches.js';
import { LiveReport } from './live-report.js';
import { logNotice } from './notice-log.js';
import { sizeRemarks } from './size-remarks.js';
import { startPulse } from './pulse.js';
import { takeOverJournals } from './other-journals.js';
import {
  forgetKillsElsewhere,
  type LatchedElsewhere,
  requireNoFenceElsewhere,
  takeOverLatches,
} from './other-latches.js';
import { startPolling } from './rehearsal/polling.js';
import { toldFaults } from './request-faults.js';
import { KeptSilence } from './spending-file.js';
import { startFailure } from './start-failure.js';
import { botLockOf, statePathsOf, type StatePaths } from './state-paths.js';
import { StoppedFile } from './stopped-file.js';
import { UserKill } from './user-kills.js';
import { WindowFile } from './window-file.js';

/** How long requests under way may take once the engine has ended. */
const DRAIN_MS = 2_000;
/** The engine's chance has a seed of its own, so that a tape can name it. */
const SEEDS = 2 ** 32;

/** Whose state a bot keeps, and where. */
interface Home {
  readonly paths: StatePaths;
  readonly account: AccountId;
  /** Path of the lock of the account. */
  readonly lock: string;
}

/** What else is of the account: nothing at an exchange that the bot brought along. */
const elsewhere = ({ settings, venue }: BotOptions, account: AccountId): LatchedElsewhere =>
  settings.venue === null ? { others: [], kills: [] } : accountScopes(settings, venue, account);

/** A bot that trades until it is told to stop, or something breaks. */
export class Bot {
  private resolveEnd: (effect: EndEffect) => void = () => undefined;
  /** Resolves once the engine has ended; everything is closed by then. */
  readonly ended = new Promise<EndEffect>((resolve) => (this.resolveEnd = resolve));
  private readonly loop: EngineLoop;
  private readonly latches: Latches;
  private isEnding = false;
  private page: string | null = null;

  private constructor(
    private readonly options: BotOptions,
    private readonly engine: Engine,
    private readonly gateway: VenueGateway,
    private readonly feed: PusherFeed,
    private readonly home: Home,
    private readonly held: BotResources,
    private readonly report: LiveReport | null,
    private readonly onFault: (error: Error) => void,
  ) {
    this.latches = new Latches({
      paths: home.paths,
      user: options.settings.venue === null ? null : new UserKill(home.paths, home.lock),
      clock: options.clock,
      logger: options.logger,
      killed: () => engine.killed,
      kill: (reason) => this.loop.command({ kind: 'command', command: 'kill', reason }),
      resume: () => this.loop.command({ kind: 'command', command: 'resume' }),
      release: () => this.loop.command({ kind: 'command', command: 'release' }),
    });
    this.loop = new EngineLoop({
      engine,
      clock: options.clock,
      feed,
      gateway,
      onNotice: (notice) => this.noticed(notice),
      onEnd: (end) => void this.end(end),
      onBroken: (error) => this.breakDown(error),
    });
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
    const { settings, venue, clock, random, logger, runId } = options;
    const engineSeed = random.fork('engine').below(SEEDS);
    const engineOptions = await engineOptionsOf({ ...options, random: seededRandom(engineSeed) });
    for (const remark of sizeRemarks(engineOptions, options.source)) logger.warn(remark);
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
    const paths = statePathsOf(settings, venue);
    const account = await identify(rest, new KeptSilence(paths.spending, clock, logger), venue.baseUrl);
    logger.info('the venue knows the keys', { account: account.id });
    const lock = botLockOf(settings, venue, account.id);
    const scopes = elsewhere(options, account.id);
    const { others } = scopes;
    const home = { paths, lock, account: account.id };
    const whose = { lock, file: options.source.file };
    // Who is turned away lets go of the lock, and of what the one before it told of a fence in another folder.
    requireNoFenceElsewhere(paths, others, whose);
    held.lock = lockAccount(options, lock, account.id);
    requireNoFence(paths.fence, options.source.file);
    const away = others.filter(({ kinship }) => kinship === 'away');
    await takeOverJournals(
      options,
      paths,
      lock,
      away.map((other) => other.paths),
    );
    takeOverLatches({ own: paths, lock, logger }, scopes);
    requireNoFenceElsewhere(paths, others, whose);
    const { journal, recovered, sent } = openJournal(options, paths.journal);
    held.journal = journal;
    journal.append({ kind: 'run', runId, at: clock.now(), configHash: configHash(settings) });
    const onFault = toldFaults(clock, logger);
    const gateway = new VenueGateway({
      wire: rest.wire,
      clock,
      journal,
      terms: {
        mode: settings.currencyMode,
        tickUnitsOf: tickUnitsOf(settings),
        eventsWithDisabled: () => bot?.engine.eventsWithDisabled() ?? [],
        missedBy: (shown, begunAt) => bot?.engine.missedBy(shown, begunAt) ?? null,
      },
      keyOf: (requestId) => idempotencyKey(runId, requestId),
      lastCheck: (effect) => bot?.lastCheck(effect) ?? 'send',
      venueAhead: () => rest.wire.venueAhead,
      canDate: (sentAt) => rest.wire.canDate(sentAt),
      onFault,
    });
    const feed = openFeed(options, rest, account.id, recorder);
    const limits = engineOptions.instances.map((instance) => instance.limits);
    const keepMs = fillsCountMs(limits);
    const windows = new WindowFile({ path: paths.windows, clock, logger, keepMs });
    const found = readKept(paths, windows);
    const counted = { ...windows.found, sent };
    const known = { recovered, callsBefore: account.calls, venueAhead: rest.wire.venueAhead };
    const made = { ...engineOptions, ...found, windows: counted, ...known };
    const startedAt = clock.now();
    recorder?.begins(made, startedAt, engineSeed);
    const report = settings.report.write ? new LiveReport(options, engineOptions, startedAt) : null;
    const claims = claimsJournal((record) => gateway.note(record));
    const engine = new Engine(made, startedAt, observersOf([claims, windows, recorder, report?.analyst]));
    bot = new Bot(options, engine, gateway, feed, home, held, report, onFault);
    const onResumed = (): void => bot?.loop.command({ kind: 'command', command: 'resume' });
    const steps = lossStepsOf(limits);
    held.kept = new KeptState({ paths, logger, found, windows, steps, onForgotten: onResumed });
    held.stopped = new StoppedFile({ path: paths.stopped, logger, onResumed });
    held.listener = await startListener({
      host: settings.http.host,
      port: settings.http.port,
      commands: bot.commands(settings.http.token),
      metrics: () => metrics.read(),
      readiness: () => readinessOf(bot?.view() ?? null),
    });
    held.heartbeat = new HeartbeatFile(paths.heartbeat, { runId, account: account.id, lock: basename(lock) });
    bot.loop.start();
    bot.latches.review();
    held.stopPulse = startPulse(clock, () => bot?.beat());
    if (settings.runtime.poll)
      held.letSleep = startPolling({ nested: venue.signing.nested, dir: paths.journal, clock, logger });
    return bot;
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

  /** Quoting is allowed again, wherever a kill of the account was latched. @returns false while a guard's fence stands */
  resume(): boolean {
    const isResumed = this.latches.clear();
    if (isResumed) forgetKillsElsewhere(elsewhere(this.options, this.home.account), this.options.logger);
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

  private lastCheck(effect: SendEffect): 'send' | { readonly drop: string } {
    this.feed.look();
    const latched = mayCreate(effect.request) ? this.latches.objection() : null;
    const objection = latched ?? this.engine.objectionTo(effect);
    return objection === null ? 'send' : { drop: objection };
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

/** Who looks on: what a run learns and what guards count is written down before anybody else hears of it. */
const observersOf = (observers: readonly (EngineObserver | null | undefined)[]): EngineObserver =>
  severalObservers(observers.filter((one) => one !== null && one !== undefined));
