import { calibrate } from '../../runs/calibrate.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { PRICE_ONE } from '../../domain/units.js';
import { unlessStopped } from '../../runs/interruption.js';
import { interruptible } from '../interruptible.js';
import { calibrationYaml } from '../screen/calibration-yaml.js';

export interface CalibrateArguments {
  /** A price. */
  readonly step?: number;
  readonly distances: number;
}

/** `oddsmith calibrate <recording...>`: what models need, from recordings, as YAML on standard output. */
export async function calibrateRecordings(
  files: readonly string[],
  { step, distances }: CalibrateArguments,
): Promise<ExitCode> {
  const units = step === undefined ? null : Math.round(step * PRICE_ONE);
  if (units !== null && (units < 1 || units >= PRICE_ONE))
    throw new UsageError(`--step ${step} is no distance between prices; expected 0.0001 to 0.9999`);
  if (!Number.isInteger(distances) || distances < 2)
    throw new UsageError(`--distances ${distances} is no number of quotes; expected 2 or more`);
  const calibrated = await interruptible('no parameters are found, and no file is written', (stop) =>
    unlessStopped(calibrate(files, { step: units, distances }), stop),
  );
  process.stdout.write(calibrationYaml(calibrated));
  return EXIT.clean;
}
