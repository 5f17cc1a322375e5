/** Looks at the machine, and at what lies on its disk for an account. */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Clock } from '../../core/ports/clock.js';
import type { StatePaths } from '../../ops/state/account-folder.js';
import { runningBots } from '../../ops/state/running-bot.js';
import { makeFolder, writeBytes } from '../../storage/files/whole-files.js';
import { JournalCorruptError, readOpenWork } from '../../storage/journal/file-journal.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import { programIdentity } from '../program.js';
import { failure, type Finding, fine, reasonOf, warning } from './finding.js';

const GIB = 1_073_741_824;
const LEAST_FREE = 0.1 * GIB;
const ENOUGH_FREE = GIB;
/** A journal is synced every 20 ms. */
const SLOW_SYNC_MS = 20;
const SYNCS = 5;

/** Version of Node against what the package asks for. @param found such as `22.3.0` */
export function nodeFinding(found: string = process.versions.node): Finding {
  const require = createRequire(import.meta.url);
  const { engines } = require('oddsmith/package.json') as { readonly engines: { readonly node: string } };
  const least = engines.node.replace('>=', '');
  const [wanted, has] = [least, found].map((version) => version.split('.').map(Number)) as [
    number[],
    number[],
  ];
  const at = wanted.findIndex((part, index) => part !== has[index]);
  return at === -1 || has[at]! > wanted[at]!
    ? fine('node', `${found}; ${least} or newer is needed`)
    : failure('node', `${found} is older than ${least}`, `install Node ${least} or newer`);
}

export const versionFinding = (): Finding =>
  fine('version', `oddsmith ${programIdentity()}, ${process.platform} ${process.arch}`);

/** Room, and whether a file can be written and synced. Makes the folder, as a run would. */
export function diskFindings(stateDir: string, clock: Pick<Clock, 'monotonic'>): readonly Finding[] {
  const path = join(stateDir, `doctor-${process.pid}`);
  try {
    makeFolder(stateDir);
    const syncMs = syncTimeOf(path, clock);
    const { bavail, bsize } = statfsSync(stateDir);
    return [roomFinding(stateDir, bavail * bsize), syncFinding(syncMs)];
  } catch (error) {
    const text = `${stateDir} cannot be written: ${reasonOf(error)}`;
    return [failure('disk', text, 'name another stateDir, or give its owner the right to write')];
  }
}

function roomFinding(stateDir: string, free: number): Finding {
  const text = `${(free / GIB).toFixed(1)} GiB free at ${stateDir}`;
  if (free >= ENOUGH_FREE) return fine('disk', text);
  const advice =
    'make room; oddsmith clean <file> --older-than 30d shows old runs. A full disk stops quoting';
  return (free < LEAST_FREE ? failure : warning)('disk', text, advice);
}

function syncFinding(ms: number): Finding {
  const text = `a write is on the disk after ${ms.toFixed(1)} ms`;
  if (ms <= SLOW_SYNC_MS) return fine('sync', text);
  return warning('sync', text, 'a faster disk; journal.sync: before-send would delay each order by so much');
}

/** Median of some writes. */
function syncTimeOf(path: string, clock: Pick<Clock, 'monotonic'>): number {
  const file = openSync(path, 'w', 0o600);
  try {
    const times = Array.from({ length: SYNCS }, () => {
      const begun = clock.monotonic();
      writeBytes(file, Buffer.alloc(256));
      fsyncSync(file);
      return (clock.monotonic() - begun) / 1_000;
    });
    return times.toSorted((one, other) => one - other)[Math.floor(SYNCS / 2)]!;
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

/** Journal, locks and latches of the accounts that a file may mean. */
export function stateFindings(places: readonly StatePaths[]): readonly Finding[] {
  if (places.length === 0) return [fine('state', 'none yet: the first run makes it')];
  return places.flatMap((paths) => [journalFinding(paths), lockFinding(paths), ...latchFindings(paths)]);
}

function journalFinding({ journal, name }: StatePaths): Finding {
  try {
    const open = readOpenWork(journal).length;
    if (open === 0) return fine('journal', `${name}: nothing is open`);
    return fine('journal', `${name}: readable; it names orders or requests that the next start looks after`);
  } catch (error) {
    const advice =
      error instanceof JournalCorruptError
        ? 'look at the open orders of the account at the venue, then move the journal away'
        : 'look at the rights of the folder';
    return failure('journal', reasonOf(error), advice);
  }
}

function lockFinding(paths: StatePaths): Finding {
  const [bot] = runningBots([paths]);
  if (bot !== undefined)
    return warning(
      'lock',
      `${paths.name}: run ${bot.running.runId} of this account goes on`,
      'a second bot of the account does not start; stop the first, or leave it',
    );
  return fine('lock', `${paths.name}: no bot of this account runs here`);
}

const latchFindings = ({ kill, fence, name }: StatePaths): readonly Finding[] =>
  [
    { path: kill, what: 'the kill switch is latched', advice: 'oddsmith resume <file>, once you know why' },
    {
      path: fence,
      what: 'the fence of a guard is up',
      advice: 'oddsmith guard clear <file>, once it is proved',
    },
  ].flatMap(({ path, what, advice }) => {
    const latch = existsSync(path) ? new LatchFile(path).read() : null;
    return latch === null ? [] : [failure('latch', `${name}: ${what} (${latch.reason})`, advice)];
  });
