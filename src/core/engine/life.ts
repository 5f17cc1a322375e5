import type { EnginePhase } from './observing/view.js';

/** Where the run stands. It only moves forward. */
export class Life {
  private current: EnginePhase = 'starting';

  get phase(): EnginePhase {
    return this.current;
  }

  /** What rested at the start is settled: quoting may begin. */
  run(): void {
    if (this.current === 'starting') this.current = 'running';
  }

  /** @returns whether this call began the stop */
  stop(): boolean {
    if (this.current === 'stopping' || this.current === 'ended') return false;
    this.current = 'stopping';
    return true;
  }

  end(): void {
    this.current = 'ended';
  }
}
