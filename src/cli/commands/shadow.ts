import { shadowOf } from '../../runs/shadow/shadow.js';
import type { ShadowLatency } from '../../runs/shadow/latencies.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { TapeReader } from '../../storage/index.js';
import { unlessStopped } from '../../runs/interruption.js';
import { interruptible } from '../interruptible.js';
import { ReadingProgress } from '../screen/reading-progress.js';
import { shadowText } from '../screen/shadow-text.js';

export interface ShadowArguments {
  readonly json: boolean;
  readonly latency: ShadowLatency;
}

/** `oddsmith shadow <tape>`: predicted against real fills of a recorded run, and the parameters that follow from them. */
export async function shadowRun(path: string, { json, latency }: ShadowArguments): Promise<ExitCode> {
  const progress = new ReadingProgress('shadowing', await new TapeReader(path).packedBytes());
  const shadow = await interruptible('there are no figures, and no file is written', (stop) =>
    unlessStopped(shadowOf(path, { latency, onRead: progress.onRead }), stop).finally(() => progress.done()),
  );
  process.stdout.write(json ? `${JSON.stringify(shadow)}\n` : shadowText(shadow));
  return EXIT.clean;
}
