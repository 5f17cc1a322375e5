import {
  type Heartbeat,
  parseHeartbeat,
  isGone,
  readHeartbeatText,
} from '../../storage/state/heartbeat-file.js';
import type { Clock } from '../../core/ports/clock.js';
import { accountId, type AccountId } from '../../domain/ids.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { GuardBudget } from './guard-budget.js';
import type { GuardNews } from './guard-news.js';
import type { JournalWork } from '../../core/execution/orders/left-behind.js';
import type { StatePaths } from '../state/account-folder.js';
import { isoTime } from '../state/latches.js';
import { pauseFor } from '../../storage/clocks/pause.js';
import { Fence } from './fence.js';
import { type TradedMarket, Withdrawal } from './withdrawal.js';

/** State of a bot by its heartbeat. */
export type BotState =
  /** No bot runs. The last one ended clean, or a person accepted its end. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'beating'; readonly heartbeat: Heartbeat }
  /** Not silent for long enough yet. */
  | { readonly kind: 'doubtful' }
  | { readonly kind: 'silent'; readonly reason: string };

export interface HeartbeatWatchOptions {
  readonly silenceMs: number;
  /** How often {@link HeartbeatWatch.look} is called. */
  readonly lookMs: number;
  /** Tells whether the process of a heartbeat is certainly gone. */
  readonly isGone: (heartbeat: Heartbeat) => boolean;
}

/**
 * Measures how long a heartbeat has not changed, by the guard's monotonic clock. Setting the wall clock counts as no
 * silence. Time in which the guard itself stood still does not count either.
 */
export class HeartbeatWatch {
  #text: string | null = null;
  #silentMs = 0;
  #lookedAtMs: number | null = null;

  constructor(private readonly options: HeartbeatWatchOptions) {}

  /**
   * @param text     present heartbeat; null: none
   * @param accepted a heartbeat that a person accepted as ended
   * @param atMs     monotonic
   */
  look(text: string | null, accepted: string | null, atMs: number): BotState {
    const elapsedMs = this.#lookedAtMs === null ? 0 : atMs - this.#lookedAtMs;
    this.#lookedAtMs = atMs;
    const isNew = text !== this.#text;
    this.#text = text;
    if (text === null || text === accepted) return this.#absent();
    const heartbeat = parseHeartbeat(text);
    const ended = heartbeat?.ended ?? null;
    if (ended === 'clean') return this.#absent();
    if (ended !== null) return { kind: 'silent', reason: `the run ended with ${ended}, not clean` };
    const { silenceMs, lookMs } = this.options;
    this.#silentMs = isNew ? 0 : this.#silentMs + Math.min(elapsedMs, 2 * lookMs);
    if (this.#silentMs >= silenceMs) return { kind: 'silent', reason: this.#describe(heartbeat) };
    return isNew && heartbeat !== null ? { kind: 'beating', heartbeat } : { kind: 'doubtful' };
  }

  #absent(): BotState {
    this.#silentMs = 0;
    return { kind: 'absent' };
  }

  #describe(heartbeat: Heartbeat | null): string {
    const { silenceMs, isGone } = this.options;
    const pid = heartbeat === null ? '' : ` ${heartbeat.pid}`;
    const what = heartbeat !== null && isGone(heartbeat) ? 'is gone' : 'fell silent';
    return `process${pid} ${what}: no heartbeat for ${silenceMs / 1_000} s`;
  }
}

export interface KeyCheckOptions {
  readonly rest: Pick<RestClient, 'me'>;
  readonly budget: Pick<GuardBudget, 'isScarce'>;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
}

const WORKING_US = 300_000_000;
const FAILING_US = 30_000_000;

/** Asks the venue from time to time whether the guard's keys still work. */
export class KeyCheck {
  /** Account of the keys; null: not known yet. */
  account: AccountId | null = null;
  #dueAt = -Infinity;
  #told = '';

  constructor(private readonly options: KeyCheckOptions) {}

  /** Asks when it is due. Scarce requests are kept for withdrawing. Does not wait for the answer. */
  review(): void {
    const { clock, budget } = this.options;
    const at = clock.monotonic();
    if (at < this.#dueAt || budget.isScarce) return;
    this.#dueAt = at + WORKING_US;
    void this.#ask();
  }

  /** @param bot account that the bot trades */
  compare(bot: string): void {
    const { account } = this;
    if (account !== null && account !== bot)
      this.#say(`other ${account} ${bot}`, { kind: 'other-account', account, bot });
  }

  async #ask(): Promise<void> {
    const outcome = await this.options.rest.me();
    if (outcome.ok) {
      this.account = accountId(outcome.value.id);
      return this.#say('works', { kind: 'keys-work', account: this.account });
    }
    const { failure } = outcome;
    this.#dueAt = this.options.clock.monotonic() + FAILING_US;
    this.#say(failure.kind === 'refused' ? failure.code : failure.reason, { kind: 'keys-fail', failure });
  }

  /** Reports each state once. */
  #say(state: string, news: GuardNews): void {
    if (state !== this.#told) this.options.tell(news);
    this.#told = state;
  }
}

/** The dead man's switch: a second process that withdraws the orders of a silent bot. */

export interface GuardOptions {
  readonly paths: StatePaths;
  /** Tells whether the account's state has moved to another folder. Asked while no bot runs. Default: never. */
  readonly hasMoved?: () => boolean;
  readonly silenceMs: number;
  /** A signed request may take effect within this time. */
  readonly windowMs: number;
  readonly markets: readonly TradedMarket[];
  readonly rest: Pick<RestClient, 'activeOrders' | 'batchCancel' | 'cancelScope'>;
  readonly keys: Pick<KeyCheck, 'review' | 'compare'>;
  /** Reads what the bot's journal names now. */
  readonly work: () => JournalWork;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
}

/** State at the end of the guard. */
export type GuardEnd =
  | 'idle'
  /** The fence is up, and no order of the bot is left. */
  | 'fenced'
  /** The fence is up, or should be, and orders may be left. */
  | 'orders-may-remain';

const LOOK_MS = 250;

export class Guard {
  readonly #options: GuardOptions;
  readonly #fence: Fence;
  readonly #watch: HeartbeatWatch;
  #end: GuardEnd = 'idle';
  #hasMoved = false;
  /** Tells whether the fence was up at the last look. */
  #stood = false;
  /** The run that was reported as watched; null: no bot runs. */
  #told: string | null | undefined = undefined;
  #problem = '';

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#fence = new Fence(options.paths);
    this.#watch = new HeartbeatWatch({ silenceMs: options.silenceMs, lookMs: LOOK_MS, isGone });
  }

  /** Watches until the signal comes or the state has moved. Failures of disk or venue do not end it. */
  async run(signal: AbortSignal): Promise<GuardEnd> {
    await this.#begin(signal);
    while (!signal.aborted && !this.#hasMoved) {
      await this.#look(signal);
      await pauseFor(this.#options.clock, LOOK_MS, signal);
    }
    return this.#end;
  }

  /** Finishes the withdrawal that an earlier guard began. */
  async #begin(signal: AbortSignal): Promise<void> {
    this.#attempt(() => this.#fence.prepare());
    const found = this.#fence.read();
    if (found === null) return;
    this.#options.tell({ kind: 'fence-found', ...found });
    await this.#withdraw(found.reason, signal);
  }

  async #look(signal: AbortSignal): Promise<void> {
    const stood = this.#stood;
    this.#stood = this.#fence.isUp;
    if (this.#stood) return;
    if (stood) this.#fenceCleared();
    this.#options.keys.review();
    const state = this.#attempt(() => this.#listen());
    if (state?.kind === 'absent') this.#noBot();
    else if (state?.kind === 'beating') this.#heard(state);
    else if (state?.kind === 'silent') await this.#alarm(state.reason, signal);
  }

  #listen(): BotState {
    const { paths, clock } = this.#options;
    const text = readHeartbeatText(paths.heartbeat);
    return this.#watch.look(text, readHeartbeatText(paths.accepted), clock.monotonic() / 1_000);
  }

  #noBot(): void {
    if (this.#told !== null) this.#options.tell({ kind: 'waiting' });
    this.#told = null;
    this.#hasMoved = this.#options.hasMoved?.() ?? false;
  }

  #heard({ heartbeat }: Extract<BotState, { readonly kind: 'beating' }>): void {
    const { runId, pid, account } = heartbeat;
    if (this.#told !== runId) this.#options.tell({ kind: 'watching', pid, runId });
    this.#told = runId;
    this.#options.keys.compare(account);
  }

  async #alarm(reason: string, signal: AbortSignal): Promise<void> {
    this.#options.tell({ kind: 'alarm', reason });
    await this.#withdraw(reason, signal);
  }

  /**
   * Raises the fence before it cancels, so that the bot cannot quote again. Without the fence, a bot whose heartbeat alone
   * failed would go on signing.
   */
  async #withdraw(reason: string, signal: AbortSignal): Promise<void> {
    const { clock, markets, rest, tell, windowMs, work } = this.#options;
    this.#end = 'orders-may-remain';
    this.#attempt(() => this.#fence.takeProofBack());
    this.#raiseFence(reason);
    const windowUs = windowMs * 1_000;
    let lookUntil = clock.monotonic() + windowUs;
    const withdrawal = new Withdrawal({
      rest,
      markets,
      windowUs,
      clock,
      tell,
      lookUntil: () => lookUntil,
      work: () => {
        if (this.#raiseFence(reason)) lookUntil = clock.monotonic() + windowUs;
        return work();
      },
    });
    if (!(await withdrawal.run(signal))) return;
    this.#attempt(() => this.#fence.prove());
    tell({ kind: 'proved', leavesDoubt: withdrawal.leavesDoubt });
    if (!withdrawal.leavesDoubt && this.#fence.isUp) this.#end = 'fenced';
  }

  /** @returns whether this call raised it */
  #raiseFence(reason: string): boolean {
    const { clock, tell } = this.#options;
    const isRaised = this.#attempt(() => this.#fence.raise({ reason, at: isoTime(clock.now()) })) === true;
    this.#stood ||= this.#fence.isUp;
    if (isRaised) tell({ kind: 'fence-raised', path: this.#fence.path });
    return isRaised;
  }

  #fenceCleared(): void {
    this.#end = 'idle';
    this.#told = undefined;
    this.#options.tell({ kind: 'fence-cleared' });
    this.#attempt(() => this.#fence.prepare());
  }

  /** Failures are reported once and tried again at the next look. */
  #attempt<Result>(action: () => Result): Result | null {
    try {
      const result = action();
      this.#problem = '';
      return result;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#problem) this.#options.tell({ kind: 'disk', error: error as Error });
      this.#problem = message;
      return null;
    }
  }
}
