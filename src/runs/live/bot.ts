/** A bot on the wire: connected to a venue and to the files of its account, for one run. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { EngineView } from '../../core/engine/observing/view.js';
import { fillsCountMs } from '../../core/risk/index.js';
import type { EndEffect, NoticeEffect } from '../../domain/effects.js';
import { marketId } from '../../domain/ids.js';
import type { MarketRules } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import { readinessOf, startListener } from '../../ops/http/listener.js';
import { LiveApi } from '../api/bot-api.js';
import { accountPaths } from '../../ops/state/account-folder.js';
import { forgetFlat, keepSelection, rememberSelection } from '../../ops/state/selection-file.js';
import { KillFile } from '../../ops/state/kill-file.js';
import type { ReloadAnswer } from '../../ops/state/running-bot.js';
import { type BotSettings, type Chosen, type Loaded, loadBotSettings } from '../../settings/index.js';
import { createMetrics, type Metrics } from '../../ops/telemetry/metrics.js';
import { PaperDoor } from '../paper/paper-door.js';
import { AccountFiles, type AccountFilesOptions, startPulse } from './account-files.js';
import { ofOneShard, openAccount } from './account.js';
import { assemble, type Assembly, logNotice } from './assembly.js';
import { type BotParts, draftOf, partsOf } from './bot-parts.js';
import { type BotOptions, Closers, openRecorder, toldFaults } from './connections.js';
import { FairValueSources } from '../fair-values/fair-value-sources.js';
import { type GivenFairValue, piecesOf } from '../fair-values/stated-values.js';
import { secretsOf } from '../secrets.js';
import { selectedSettings } from '../selection.js';
import { LiveDoor } from './live-door.js';
import { Reloading, type Wanted } from './reload.js';
import { Listening, reselecting } from './reselection.js';
import { whenSaved } from './saved-file.js';
import { SlowStrategies } from './slow-strategies.js';
import { startFailure } from './start-failure.js';

/** How long requests under way may take once the engine has ended. */
const DRAIN_MS = 2_000;
/** A bot that trades until it is told to stop, or something breaks. */
export class Bot {
  #resolveEnd: (effect: EndEffect) => void = () => undefined;
  /** Resolves once the engine has ended; everything is closed by then. */
  readonly ended = new Promise<EndEffect>((resolve) => (this.#resolveEnd = resolve));
  readonly #parts: BotParts;
  readonly #assembly: Assembly;
  readonly #files: AccountFiles;
  readonly #fairValues: FairValueSources;
  readonly #reloading: Reloading;
  readonly #listening: Listening;
  readonly #onFault: (error: Error) => void;
  #stopPulse = (): void => undefined;
  #isEnding = false;
  #url = '';
  #api: LiveApi | null = null;
  readonly #secret = randomBytes(32).toString('base64url');
  #page: string | null = null;

  private constructor(parts: BotParts) {
    const { options, account, closers, stated, chosen } = parts;
    const { settings, clock, logger, runId } = options;
    this.#parts = parts;
    this.#onFault = toldFaults(clock, logger);
    const assembly = assemble({
      ...parts,
      clock,
      settings,
      latched: () => options.objection?.() ?? this.#files.objection(),
      onFault: this.#onFault,
      onNotice: (notice) => this.#noticed(notice),
      onEnd: (end) => void this.#end(end),
      onBroken: (error) => this.breakDown(error),
    });
    this.#assembly = assembly;
    const { engine, loop } = assembly;
    const command: AccountFilesOptions['command'] = (given) => loop.command(given);
    const slow = new SlowStrategies({ settings: settings.quoting, clock, logger, command });
    for (const instance of parts.instances) instance.watch = slow;
    this.#reloading = new Reloading({
      ...options,
      stated,
      chosen,
      load: (file) => this.#load(file),
      engine,
      made: parts.engine,
      command,
      joins: (owner, next) => {
        owner.instance.watch = slow;
        this.#files.joins(owner.instance);
        parts.recorder?.joins(owner, next);
      },
      follow: (wanted) => this.#follow(wanted),
    });
    const inUse = () => this.#reloading.inUse;
    this.#listening = new Listening({ ...parts, clock, inUse, view: () => this.view() });
    const reload: AccountFilesOptions['reload'] = (file, by, isTrial) =>
      this.#reloading.take(file, by, isTrial);
    const run = { account: account.id, runId, clock, logger, engine, command, reload };
    this.#files = new AccountFiles({ ...parts, ...run });
    closers.add(() => this.#files.close());
    this.#fairValues = new FairValueSources({
      sources: settings.fairValues,
      file: options.source.file,
      clock,
      logger,
      secrets: secretsOf(settings, options.venue.privateKey),
      take: (values) => loop.outside(...values),
    });
  }

  /**
   * Asks the venue whose keys these are, takes the lock, opens the journal and starts trading.
   * @throws KeysRefusedError, VenueUnreachableError, LockHeldError, FencedError, JournalCorruptError,
   *   StateUnreadableError, UsageError
   */
  static async start(given: BotOptions): Promise<Bot> {
    const options = ofOneShard(given);
    const closers = new Closers(options.logger);
    try {
      const { settings, chosen } = await selectedSettings(options);
      return await Bot.#open({ ...options, settings }, { chosen, stated: options }, closers);
    } catch (error) {
      await closers.close();
      throw startFailure(error, { who: 'bot', settings: options.settings, file: options.source.file });
    }
  }

  static async #open(
    options: BotOptions,
    selected: Pick<BotParts, 'chosen' | 'stated'>,
    closers: Closers,
  ): Promise<Bot> {
    const { settings } = options;
    const draft = await draftOf(options);
    let bot: Bot | null = null;
    const metrics = createMetrics({
      mode: settings.mode,
      ...(options.among !== undefined && { account: options.among.name }),
      view: () => bot?.view() ?? null,
      requestsLeft: () => (bot === null ? {} : { day: bot.#assembly.engine.requestsLeftToday }),
      fairFigures: () => (bot === null ? [] : bot.#fairValues.figures()),
      alertFigures: () => (bot === null ? [] : bot.#parts.alerts.figures()),
    });
    closers.add(() => metrics.close());
    const recorder = settings.tape.record ? openRecorder(options) : null;
    closers.add(() => recorder?.close());
    const door =
      settings.mode === 'paper' ? new PaperDoor(options, metrics) : new LiveDoor(options, metrics, recorder);
    closers.add(() => door.close());
    const account = await door.identify();
    const paths = openAccount(options, account.id, (lock) => closers.add(() => lock.release()));
    const edges = await door.open(paths);
    if (selected.chosen !== null) keepSelection(paths, selected.chosen);
    const opened = { ...edges, closers, draft, recorder, door, account, paths };
    bot = new Bot({ ...partsOf(options, opened), ...selected });
    await bot.#listen(metrics);
    bot.#begin();
    return bot;
  }

  /** From here on it can be asked how it is, and told what to do. */
  async #listen(metrics: Metrics): Promise<void> {
    const { options, closers, recent, account } = this.#parts;
    const { token, ...at } = options.settings.http;
    const { engine, loop, gateway } = this.#assembly;
    const commands = {
      kill: (reason: string) => this.kill(reason),
      resume: () => this.resume(),
      fairValues: (body: string) => this.#fairValues.send(piecesOf(body)),
    };
    const listener = await (options.among?.listen ?? startListener)({
      ...at,
      commands: token === null ? null : { token, ...commands },
      metrics: () => metrics.read(),
      readiness: () => readinessOf(this.view()),
      secret: this.#secret,
      api: (this.#api = new LiveApi({
        ...options,
        ...commands,
        engine,
        recent,
        inUse: () => this.#reloading.inUse,
        account: account.id,
        readiness: readinessOf,
        command: (command) => loop.command(command),
        note: (record) => gateway.note(record),
      })),
    });
    this.#url = listener.url;
    closers.add(() => listener.close());
  }

  /** Connects, and beats from now on. */
  #begin(): void {
    const { options, closers } = this.#parts;
    this.#files.begin({ file: resolve(options.source.file), url: this.#url, secret: this.#secret });
    this.#assembly.loop.start();
    this.#fairValues.open();
    closers.add(() => this.#fairValues.close());
    this.#files.review();
    if (options.settings.reload.onSave) {
      const saved = (): void => void this.reload('the saved file');
      closers.add(whenSaved(options.source.file, options.logger, saved));
    }
    closers.add(
      reselecting({
        ...options,
        everyMs: () => this.#selectEveryMs,
        inTurn: (work) => this.#reloading.inTurn(work),
        select: () => selectedSettings({ ...options, ...this.#reloading.inUse.stated, logger: null }, true),
        take: (found) => {
          const { stated } = this.#reloading.inUse;
          return this.#reloading.configure({ ...stated, ...found, stated }, 'the listing of the venue');
        },
      }),
    );
    closers.add((this.#stopPulse = startPulse(options.clock, () => this.#beat())));
  }

  /** `http://127.0.0.1:9464`: `/metrics`, `/health` and `/ready` are below it. */
  get url(): string {
    return this.#url;
  }

  /** Absolute path of the report's page; null before the end, and when none is written. */
  get reportPage(): string | null {
    return this.#page;
  }

  /** What it knows and does at this moment, for screens and programs. */
  view(): EngineView {
    return this.#assembly.engine.view();
  }

  get killed(): string | null {
    return this.#assembly.engine.killed?.reason ?? null;
  }

  /** Last hash of the chain of decisions. */
  get decisionHash(): string {
    return this.#assembly.engine.decisionHash;
  }

  /** The folder that the run is kept in; null when it is not recorded. */
  get folder(): string | null {
    return this.#parts.recorder?.folder ?? null;
  }

  /** Withdraws everything, proves it, and ends. */
  stop(reason: string): void {
    this.#assembly.loop.command({ kind: 'command', command: 'stop', reason });
  }

  /** Latches the kill switch: everything is withdrawn, and nothing quoted, until a person resumes. */
  kill(reason: string): void {
    this.#files.kill(reason);
  }

  /** Quoting is allowed again. @returns false while a guard's fence stands */
  resume(): boolean {
    const { settings, venue, logger } = this.#parts.options;
    if (!this.#files.resume()) return false;
    if (settings.mode !== 'paper') new KillFile(accountPaths(settings, venue, null), logger).clear();
    return true;
  }

  /**
   * Takes over its file as it is now, all of it or nothing: parameters, limits, markets and instances. Quotes of what stays the
   * same stand.
   * @param by who wants it, for the log
   */
  reload(by: string): Promise<ReloadAnswer> {
    return this.#reloading.take(resolve(this.#parts.options.source.file), by);
  }

  /**
   * As {@link reload}, of settings that were read already.
   * @param chosen markets among them that the venue chose; null: none
   * @throws SettingsError, UsageError for settings that cannot be used
   */
  configure(loaded: Loaded<BotSettings>, chosen: Chosen | null, by: string): Promise<ReloadAnswer> {
    return this.#reloading.inTurn(() => this.#reloading.configure({ ...loaded, stated: loaded, chosen }, by));
  }

  /** null: what is in force selects nothing. */
  get #selectEveryMs(): number | null {
    const { chosen, settings } = this.#reloading.inUse;
    return chosen === null ? null : settings.reload.selectEveryMs;
  }

  async #load(file: string): Promise<Wanted> {
    const { options } = this.#parts;
    const loaded = await (options.load?.(file) ??
      loadBotSettings(file, process.env, options.source.overrides));
    const { settings, chosen } = await selectedSettings({ ...options, ...loaded }, true);
    return { ...loaded, settings, stated: loaded, chosen };
  }

  #follow({ settings, chosen }: Wanted): void {
    const { door, windows, paths, options } = this.#parts;
    door.follow(settings);
    this.#listening.changed();
    windows.keep(fillsCountMs(this.#assembly.engine.instances.map(({ limits }) => limits)));
    if (chosen !== null) rememberSelection(paths, chosen, options.logger);
  }

  /** The venue changed rules of a market: quotes made by the old rules are dropped. @param market its number */
  changeRules(market: number, changes: Partial<MarketRules>): void {
    const id = marketId(market);
    this.#assembly.loop.command({ kind: 'command', command: 'set-terms', marketId: id, changes });
  }

  /**
   * A fair value of your own, for a market of the source of kind `push` in `fairValues`.
   * @returns why it is refused; null when it counts
   */
  fairValue(value: GivenFairValue): string | null {
    const sent = this.#fairValues.send([{ line: 1, content: value }]);
    if (sent === null) return 'expected a source of kind push in fairValues, found none';
    const [refused] = sent.refused;
    return refused === undefined ? null : `expected ${refused.expected}, found ${refused.found}`;
  }

  /** What the process knows cannot be relied on: quotes no more, withdraws without asking the engine, and ends. */
  breakDown(error: unknown): void {
    this.#parts.options.logger.error('something broke; withdrawing', { err: error });
    this.#assembly.loop.close();
    const text = error instanceof Error ? error.message : String(error);
    void this.#end({ kind: 'end', outcome: 'invariant', text });
  }

  /** Another process trades in its place, and cancels what is left: ends without a word to the venue. */
  abandon(text: string): void {
    this.#assembly.loop.close();
    void this.#end({ kind: 'end', outcome: 'orders-may-remain', text });
  }

  /** A switch that latched is written down at once, for a process that is killed next. */
  #noticed(notice: NoticeEffect): void {
    logNotice(this.#parts.options.logger, notice);
    if (notice.level !== 'info') this.#files.review();
  }

  #beat(): void {
    this.#files.beat();
    this.#api?.beat();
    this.#parts.door.beat();
    this.#listening.beat();
    this.#parts.books.review();
    const removed = this.#parts.journal.review();
    if (removed !== null) this.#onFault(removed);
    const { alerts, client } = this.#parts;
    alerts.review(() => ({
      view: this.view(),
      requestsLeftToday: this.#assembly.engine.requestsLeftToday,
      venueAhead: client.venueAhead,
    }));
  }

  async #end(effect: EndEffect): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { options, door, recorder, closers, alerts } = this.#parts;
    const { engine, gateway } = this.#assembly;
    await gateway.drain(DRAIN_MS);
    if (effect.outcome === 'invariant') await door.withdraw();
    this.#files.settle();
    door.settle();
    const end = await this.#writeReport(effect);
    const at = options.clock.now();
    this.#writeEnd(end, at);
    const { decisions } = this.view().counts;
    recorder?.ended(end, at, { count: decisions, hash: engine.decisionHash });
    await alerts.ended(end);
    await closers.close();
    this.#resolveEnd(end);
  }

  #writeEnd({ outcome }: EndEffect, at: Micros): void {
    try {
      this.#parts.journal.append({ kind: 'end', at, outcome });
    } catch {
      // The next start only looks more closely. The failure was logged when it came first.
    }
    this.#stopPulse();
    this.#files.end(outcome);
    const { chosen } = this.#reloading.inUse;
    if (outcome === 'clean' && chosen !== null)
      forgetFlat(this.#parts.paths, chosen, this.view(), this.#parts.options.logger);
  }

  /** A run whose profit is not the sum of its parts has failed, however clean it ended. */
  async #writeReport(effect: EndEffect): Promise<EndEffect> {
    try {
      const { report, options } = this.#parts;
      this.#page = (await report?.write(this.#assembly.engine, options.clock.now())) ?? null;
      return effect;
    } catch (error) {
      if (effect.outcome !== 'clean') return effect;
      return { kind: 'end', outcome: 'invariant', text: (error as Error).message };
    }
  }
}
