/** What a bot on the wire holds while it runs, and gives back when it ends. */
import type { Listener } from '../../ops/http/listener.js';
import type { EndEffect } from '../../domain/effects.js';
import type { Micros } from '../../domain/units.js';
import type { Logger } from '../../core/ports/logger.js';
import type { FileJournal } from '../../storage/journal/file-journal.js';
import type { HeartbeatFile } from '../../storage/state/heartbeat-file.js';
import type { Lock } from '../../storage/state/lock-file.js';
import type { Metrics } from '../../ops/telemetry/metrics.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { KeptState } from '../../ops/state/kept-state.js';
import type { RunRecorder } from '../recording/run-recorder.js';
import type { StoppedFile } from '../../ops/state/stopped-file.js';

/** Each member is null until it is taken; all are given back in reverse order of taking. */
export class BotResources {
  metrics: Metrics | null = null;
  rest: RestClient | null = null;
  lock: Lock | null = null;
  journal: FileJournal | null = null;
  listener: Listener | null = null;
  heartbeat: HeartbeatFile | null = null;
  kept: KeptState | null = null;
  stopped: StoppedFile | null = null;
  recorder: RunRecorder | null = null;
  stopPulse = (): void => undefined;

  private isMute = false;

  constructor(private readonly logger: Pick<Logger, 'error'>) {}

  /** A heartbeat that cannot be written is a guard's alarm: saying so once is all that can be done. */
  beat(): void {
    try {
      this.heartbeat?.beat();
    } catch (error) {
      if (!this.isMute) this.logger.error('the heartbeat cannot be written', { err: error });
      this.isMute = true;
    }
  }

  /** A journal that fails now only means that the next start looks more closely. */
  noteEnd({ outcome }: EndEffect, at: Micros): void {
    try {
      this.journal?.append({ kind: 'end', at, outcome });
    } catch {
      // Said when it failed first.
    }
    this.stopPulse();
    this.endHeartbeat(outcome);
  }

  /** A heartbeat without its last word is a guard's alarm, which is what it should be then. */
  private endHeartbeat(outcome: string): void {
    try {
      this.heartbeat?.end(outcome);
    } catch {
      // Said when it failed first.
    }
  }

  /** What a failing disk keeps from being closed is told of, and keeps nothing else from being given back. */
  async release(): Promise<void> {
    const steps = [
      () => this.stopPulse(),
      () => this.listener?.close(),
      () => this.journal?.close(),
      () => this.kept?.close(),
      () => this.stopped?.close(),
      () => this.lock?.release(),
      () => this.rest?.close(),
      () => this.recorder?.close(),
      () => this.metrics?.close(),
    ];
    for (const step of steps) await this.tried(step);
  }

  private async tried(step: () => unknown): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.logger.error('a file of the run could not be closed as it should be', { err: error });
    }
  }
}
