/** The files of an account while its bot runs: latches, what guards latched, stopped strategies and the heartbeat. */
import type { Engine } from '../../core/engine/engine.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import type { LossSteps } from '../../core/risk/index.js';
import type { OperatorCommand } from '../../domain/inputs.js';
import type { StrategyInstance } from '../../core/strategy/instance.js';
import type { AccountId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { StatePaths } from '../../ops/state/account-folder.js';
import { KeptState } from '../../ops/state/kept-state.js';
import { Latches } from '../../ops/state/latches.js';
import { StoppedFile } from '../../ops/state/stopped-file.js';
import { RunningFile, type RunningFileOptions } from '../../ops/state/running-bot.js';
import { type KeptStrategyState, StrategyStatesFile } from '../../ops/state/strategy-states.js';
import type { WindowFile } from '../../ops/state/window-file.js';
import { HeartbeatFile } from '../../storage/state/heartbeat-file.js';

export interface AccountFilesOptions {
  readonly paths: StatePaths;
  readonly account: AccountId;
  readonly runId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly engine: Engine;
  readonly command: (command: OperatorCommand) => void;
  /** What the run began with. */
  readonly found: Pick<EngineOptions, 'riskState' | 'ended'>;
  readonly windows: WindowFile;
  readonly instances: readonly StrategyInstance[];
  readonly reload: RunningFileOptions['reload'];
  /** What strategies remembered at the start. */
  readonly states: readonly KeptStrategyState[];
  /** Losses are written durably once they moved so much. */
  readonly steps: LossSteps;
}

export class AccountFiles {
  readonly #options: AccountFilesOptions;
  readonly #latches: Latches;
  readonly #kept: KeptState;
  readonly #stopped: StoppedFile;
  readonly #states: StrategyStatesFile;
  #heartbeat: HeartbeatFile | null = null;
  #running: RunningFile | null = null;
  #isSilent = false;

  /** @throws StateUnreadableError; an error of the file system */
  constructor(options: AccountFilesOptions) {
    const { paths, logger, clock, engine, command, found, windows, steps, instances, states } = options;
    this.#options = options;
    const resume = (): void => command({ kind: 'command', command: 'resume' });
    this.#latches = new Latches({
      paths,
      clock,
      logger,
      killed: () => engine.killed,
      kill: (reason) => command({ kind: 'command', command: 'kill', reason }),
      resume,
      release: () => command({ kind: 'command', command: 'release' }),
    });
    this.#kept = new KeptState({ paths, logger, found, windows, steps, onForgotten: resume });
    this.#stopped = new StoppedFile({ path: paths.stopped, logger, onResumed: resume });
    this.#states = new StrategyStatesFile({ path: paths.strategyStates, instances, found: states, logger });
  }

  /** Why no order may leave; null: it may. */
  objection(): 'fenced' | 'killed' | null {
    return this.#latches.objection();
  }

  kill(reason: string): void {
    this.#latches.latch(reason);
  }

  /** @returns false while a guard's fence stands */
  resume(): boolean {
    const isResumed = this.#latches.clear();
    this.review();
    return isResumed;
  }

  /** The bot begins: a guard can watch it, and commands find it, from now on. @throws an error of the file system */
  begin(at: Pick<RunningFileOptions['running'], 'file' | 'url' | 'secret'>): void {
    const { paths, runId, account, logger, reload } = this.#options;
    this.#heartbeat = new HeartbeatFile(paths.heartbeat, { runId, account });
    this.#running = new RunningFile({ paths, running: { runId, pid: process.pid, ...at }, logger, reload });
  }

  /** An instance joined the run. */
  joins(instance: StrategyInstance): void {
    this.#states.joins(instance);
  }

  /** Brings what latched and its files into agreement. */
  review(): void {
    const { engine } = this.#options;
    this.#latches.review();
    this.#kept.review(engine);
    this.#stopped.review(engine.stopped);
  }

  /** A heartbeat that cannot be written makes the guard act. That is said once. */
  beat(): void {
    this.review();
    this.#states.review();
    this.#running?.review();
    try {
      this.#heartbeat?.beat();
    } catch (error) {
      if (!this.#isSilent) this.#options.logger.error('the heartbeat cannot be written', { err: error });
      this.#isSilent = true;
    }
  }

  /** The engine has ended: what it lost is written down as it is. */
  settle(): void {
    this.review();
    this.#kept.settle(this.#options.engine);
  }

  /** The last word of the heartbeat. If it cannot be written, the guard acts, as it should then. */
  end(outcome: string): void {
    try {
      this.#heartbeat?.end(outcome);
    } catch {
      // The failure was logged with the first beat that failed.
    }
  }

  async close(): Promise<void> {
    this.#kept.close();
    this.#stopped.close();
    this.#running?.close();
    await this.#states.close();
  }
}

/** How often a bot shows that its event loop turns. */
const BEAT_MS = 250;

/** Calls back at every beat. @returns a function that ends it */
export function startPulse(clock: Pick<Clock, 'now' | 'at'>, beat: () => void): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = clock.at((clock.now() + BEAT_MS * 1_000) as Micros, () => {
      next();
      beat();
    });
  };
  next();
  return () => cancel();
}
