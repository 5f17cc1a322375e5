import { setImmediate } from 'node:timers/promises';
import { OddsmithError } from '../../domain/errors.js';
import type { RecordingSource } from '../../tape/index.js';

/** A person stopped the sweep; what is finished is kept. */
export class SweepInterrupted extends OddsmithError {
  readonly code = 'ODDSMITH_INTERRUPTED';
}

/** A recording that lets signals be heard between its blocks, and ends with the reason of the stop. */
export const interruptible = (source: RecordingSource, stop: AbortSignal): RecordingSource => ({
  ...source,
  async *blocks() {
    for await (const block of source.blocks()) {
      await setImmediate();
      stop.throwIfAborted();
      yield block;
    }
  },
});
