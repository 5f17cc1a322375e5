/** The dead man's switch: a second process that withdraws what a silent bot left at the venue. */
import { dirname } from 'node:path';
import type { JournalWork } from '../../core/execution/orders/left-behind.js';
import type { Clock } from '../../core/ports/clock.js';
import { isGone, readHeartbeatText } from '../../storage/state/heartbeat-file.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { isSameScope } from '../state/account-scopes.js';
import { isoTime } from '../state/latches.js';
import type { StatePaths } from '../state/state-paths.js';
import { Clearance, pauseFor, type TradedMarket } from './clearance.js';
import { FenceProof } from './fence-proof.js';
import type { GuardNews } from './guard-news.js';
import type { GuardShare } from './guard-share.js';
import { KeyCheck } from './key-check.js';
import { Vigil, type VigilState } from './vigil.js';

export interface GuardOptions {
  readonly paths: StatePaths;
  /**
   * Where there is something to do while nothing is here: the bot may have been started from another folder, with another
   * key or under another name of its venue. Left out: nowhere else.
   * @param account of the keys; null: the venue has not told yet
   */
  readonly elsewhere?: (account: number | null) => StatePaths;
  readonly silenceMs: number;
  /** A request that the bot signed may take effect for so long afterwards. */
  readonly windowMs: number;
  readonly markets: readonly TradedMarket[];
  readonly rest: Pick<RestClient, 'activeOrders' | 'batchCancel' | 'cancelScope' | 'me'>;
  readonly share: Pick<GuardShare, 'isScarce'>;
  /** What the journal of such a state names now. */
  readonly work: (paths: StatePaths) => JournalWork;
  readonly clock: Clock;
  readonly tell: (news: GuardNews) => void;
}

/** How it stood when it was told to end. */
export type GuardEnd =
  | 'idle'
  /** A fence stands, and nothing of the bot's is left. */
  | 'fenced'
  /** A fence stands, or should, and something may be left. */
  | 'orders-may-remain';

const LOOK_MS = 250;

export class Guard {
  private paths: StatePaths;
  private fence: LatchFile;
  private proof: FenceProof;
  private vigil: Vigil;
  private readonly keys: KeyCheck;
  private end: GuardEnd = 'idle';
  /** Whether the fence stood at the last look. */
  private stood = false;
  /** Run whose watching was told; null: that nobody is there. */
  private told: string | null | undefined = undefined;
  private problem = '';

  constructor(private readonly options: GuardOptions) {
    this.paths = options.paths;
    this.fence = new LatchFile(this.paths.fence);
    this.proof = new FenceProof(this.paths.proof, this.fence);
    this.vigil = this.freshVigil();
    this.keys = new KeyCheck(options);
  }

  /** Watches until the signal comes; no failure of disk or venue ends it. @returns how it stood then */
  async run(signal: AbortSignal): Promise<GuardEnd> {
    await this.begin(signal);
    while (!signal.aborted) {
      await this.look(signal);
      await pauseFor(this.options.clock, LOOK_MS, signal);
    }
    return this.end;
  }

  private freshVigil(): Vigil {
    return new Vigil({ silenceMs: this.options.silenceMs, lookMs: LOOK_MS, isGone });
  }

  /** Finishes what a guard before it left behind a fence. */
  private async begin(signal: AbortSignal): Promise<void> {
    this.attempt(() => this.fence.prepare());
    const found = this.fence.read();
    if (found === null) return;
    this.options.tell({ kind: 'fence-found', ...found });
    await this.clear(found.reason, signal);
  }

  private async look(signal: AbortSignal): Promise<void> {
    const { stood } = this;
    this.stood = this.fence.isUp;
    if (this.stood) return;
    if (stood) this.fenceCleared();
    this.keys.review();
    const state = this.attempt(() => this.listen());
    if (state === null || state.kind === 'doubtful') return;
    if (state.kind === 'absent') await this.nobody(signal);
    else if (state.kind === 'beating') this.heard(state);
    else await this.alarm(state.reason, signal);
  }

  private listen(): VigilState {
    const { paths } = this;
    const text = readHeartbeatText(paths.heartbeat);
    const atMs = this.options.clock.monotonic() / 1_000;
    return this.vigil.look(text, readHeartbeatText(paths.accepted), atMs);
  }

  private async nobody(signal: AbortSignal): Promise<void> {
    const there = this.attempt(() => this.options.elsewhere?.(this.keys.account) ?? this.paths);
    if (there !== null && !isSameScope(there, this.paths)) return this.move(there, signal);
    if (this.told !== null) this.options.tell({ kind: 'waiting' });
    this.told = null;
  }

  private async move(paths: StatePaths, signal: AbortSignal): Promise<void> {
    this.paths = paths;
    this.fence = new LatchFile(paths.fence);
    this.proof = new FenceProof(paths.proof, this.fence);
    this.vigil = this.freshVigil();
    this.told = undefined;
    this.options.tell({ kind: 'moved', path: dirname(paths.heartbeat) });
    await this.begin(signal);
  }

  private heard({ heartbeat }: Extract<VigilState, { readonly kind: 'beating' }>): void {
    const { runId, pid, account } = heartbeat;
    if (this.told !== runId) this.options.tell({ kind: 'watching', pid, runId });
    this.told = runId;
    this.keys.compare(account);
  }

  private async alarm(reason: string, signal: AbortSignal): Promise<void> {
    this.options.tell({ kind: 'alarm', reason });
    await this.clear(reason, signal);
  }

  /**
   * Raises the fence first: what is cancelled must not be quoted again behind it. Until it stands a bot whose beats alone
   * failed goes on signing.
   */
  private async clear(reason: string, signal: AbortSignal): Promise<void> {
    const { clock, markets, rest, tell, windowMs, work } = this.options;
    this.end = 'orders-may-remain';
    this.attempt(() => this.proof.takeBack());
    this.raiseFence(reason);
    const windowUs = windowMs * 1_000;
    let lookUntil = clock.monotonic() + windowUs;
    const clearance = new Clearance({
      rest,
      markets,
      windowUs,
      clock,
      tell,
      lookUntil: () => lookUntil,
      work: () => {
        if (this.raiseFence(reason)) lookUntil = clock.monotonic() + windowUs;
        return work(this.paths);
      },
    });
    if (!(await clearance.run(signal))) return;
    this.attempt(() => this.proof.give());
    tell({ kind: 'proved', leavesDoubt: clearance.leavesDoubt });
    if (!clearance.leavesDoubt && this.fence.isUp) this.end = 'fenced';
  }

  /** @returns whether it stands since this call alone */
  private raiseFence(reason: string): boolean {
    const { clock, tell } = this.options;
    const isRaised = this.attempt(() => this.fence.raise({ reason, at: isoTime(clock.now()) })) === true;
    this.stood ||= this.fence.isUp;
    if (isRaised) tell({ kind: 'fence-raised', path: this.fence.path });
    return isRaised;
  }

  private fenceCleared(): void {
    this.end = 'idle';
    this.told = undefined;
    this.options.tell({ kind: 'fence-cleared' });
    this.attempt(() => this.fence.prepare());
  }

  /** What fails here is tried again at the next look; it is told once. */
  private attempt<Result>(action: () => Result): Result | null {
    try {
      const result = action();
      this.problem = '';
      return result;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.problem) this.options.tell({ kind: 'disk', error: error as Error });
      this.problem = message;
      return null;
    }
  }
}
