/** `oddsmith clean <config.yaml>`: removes old runs, sweeps and logs of a state folder, after a look at them. */
import { cannotWrite, EXIT, type ExitCode } from '../../domain/errors.js';
import { CLEANED, type OldItem, oldItems, removeItem } from '../../ops/state/old-files.js';
import { loadKeylessSettings } from '../../settings/index.js';
import { print, printJson } from '../output.js';

export interface CleanArguments {
  readonly olderThan: number;
  readonly tapes: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

const MIB = 1_048_576;

/** Without `--yes` nothing is removed. @throws UsageError when something cannot be removed; SettingsError */
export function cleanState(file: string, { olderThan, tapes, yes, json }: CleanArguments): ExitCode {
  const { stateDir } = loadKeylessSettings(file, process.env).settings;
  const kinds = CLEANED.filter((kind) => kind !== 'tapes' || tapes);
  const found = oldItems(stateDir, kinds, Date.now() - olderThan);
  if (yes) for (const item of found) removed(item);
  const bytes = found.reduce((sum, item) => sum + item.bytes, 0);
  if (json) printJson({ removed: yes, bytes, items: found });
  else print(...found.map(lineOf), sumOf(found.length, bytes, yes, stateDir));
  return EXIT.clean;
}

function removed(item: OldItem): void {
  try {
    removeItem(item);
  } catch (error) {
    throw cannotWrite(item.path, error);
  }
}

const lineOf = ({ path, bytes, lastMs }: OldItem): string =>
  `${new Date(lastMs).toISOString().slice(0, 10)}  ${(bytes / MIB).toFixed(1).padStart(8)} MiB  ${path}`;

function sumOf(count: number, bytes: number, isRemoved: boolean, stateDir: string): string {
  if (count === 0) return `nothing of ${stateDir} is that old; the state of accounts is never removed`;
  const what = `${count} of ${stateDir}, ${(bytes / MIB).toFixed(1)} MiB`;
  return isRemoved
    ? `removed ${what}`
    : `would remove ${what}; add --yes to do it. The state of accounts stays`;
}
