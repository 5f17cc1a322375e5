/** Raw recordings where recordings in the neutral form are expected: they are imported once and kept. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { RecordingError, segmentName, segmentNumber } from '../storage/tape/tape-files.js';
import { removeIfEmpty } from '../storage/files/whole-files.js';
import { NEUTRAL_VERSION } from './event-file.js';
import { framesIn } from './frames.js';
import { importRaw, tablesOf, venueOf } from './import.js';
import { USUAL_OPTIONS } from './import-options.js';
import { hashOf, linesOf, type RawFile, rawFiles } from './raw-files.js';

/** Raised when an import gives other lines than before. */
const IMPORT_VERSION = 2;
/** What an import said, as a JSON list. */
const REMARKS = 'remarks.json';
/** Frames in which a raw recording shows whose it is. */
const LOOKED_AT = 20;

/**
 * Puts imported files in place of raw recordings, and leaves other recordings as they are. Raw recordings are imported
 * together, with the usual options, into a folder below the hash of their bytes, with the name of the one that holds them.
 * @param paths files, folders and patterns
 * @param stateDir the imports are kept in `cache/recordings` below it
 * @throws RecordingError; UsageError for a path or a folder without a file
 */
export async function readableRecordings(
  paths: readonly string[],
  stateDir: string,
): Promise<readonly string[]> {
  const found: (string | RawFile)[] = [];
  for (const path of paths) found.push(...(await recordingsAt(path)));
  const raw = found.filter((one) => typeof one !== 'string');
  if (raw.length === 0) return found as readonly string[];
  const imported = await keptImport(raw, stateDir);
  const first = found.indexOf(raw[0]!);
  return found.flatMap((one, place) => (typeof one === 'string' ? [one] : place === first ? imported : []));
}

async function recordingsAt(path: string): Promise<readonly (string | RawFile)[]> {
  const files = rawFiles([path]);
  const isRaw = await Promise.all(files.map(isRawRecording));
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !isRaw.includes(true)) return found.isDirectory() ? neutralIn(path) : [path];
  return files.flatMap((file, place): readonly (string | RawFile)[] =>
    isRaw[place] ? [file] : NEUTRAL.test(file.name) ? [file.path] : [],
  );
}

const NEUTRAL = /\.ndjson(\.gz)?$/;

/** Recordings in a folder by name. A tape, and the folder of a run, stay one path. */
function neutralIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => NEUTRAL.test(name));
  const isTape = names.some((name) => name === segmentName(segmentNumber(name)));
  if (names.length === 0 || isTape || existsSync(join(folder, 'run.json'))) return [folder];
  return names.toSorted().map((name) => join(folder, name));
}

/** A file that cannot be read counts as not raw: whoever reads it says why. */
async function isRawRecording(file: RawFile): Promise<boolean> {
  let seen = 0;
  try {
    for await (const lines of linesOf(file))
      for (const { value } of lines)
        for (const { frame } of framesIn(value)) {
          if (venueOf(frame) !== null) return true;
          seen += 1;
          if (seen === LOOKED_AT) return false;
        }
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
  }
  return false;
}

/** Name of the folder that holds all files: it tells recordings of one kind. */
function sharedFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => dirname(resolve(path)).split(sep));
  const differs = first.findIndex((part, at) => others.some((other) => other[at] !== part));
  return first.at(differs < 0 ? -1 : Math.max(0, differs - 1))!;
}

async function keptImport(files: readonly RawFile[], stateDir: string): Promise<readonly string[]> {
  const paths = [...new Set(files.map(({ path }) => path))];
  const hash = createHash('sha256').update(JSON.stringify([IMPORT_VERSION, NEUTRAL_VERSION, USUAL_OPTIONS]));
  const hashes = await Promise.all([...paths, ...tablesOf(files)].map(hashOf));
  for (const one of hashes.toSorted()) hash.update(one);
  const folder = join(stateDir, 'cache', 'recordings', hash.digest('hex').slice(0, 16), sharedFolder(paths));
  const list = join(folder, 'markets.json');
  if (!existsSync(list)) {
    // Another process may import the same: who is done first gives the folder its name.
    const own = `${folder}.${process.pid}`;
    const clear = (): void => {
      rmSync(own, { recursive: true, force: true });
      removeIfEmpty(dirname(own));
    };
    // Ctrl-C ends the process in the middle of an import.
    process.once('exit', clear);
    try {
      const request = { paths, from: 'auto', options: USUAL_OPTIONS, names: [], resolutions: [] } as const;
      const { notes } = await importRaw(request, own);
      writeFileSync(join(own, REMARKS), `${JSON.stringify(notes)}\n`, { mode: 0o600 });
      if (!existsSync(list)) {
        rmSync(folder, { recursive: true, force: true });
        renameSync(own, folder);
      }
    } finally {
      process.off('exit', clear);
      clear();
    }
  }
  const entries = JSON.parse(readFileSync(list, 'utf8')) as readonly { readonly file: string }[];
  return [...new Set(entries.map(({ file }) => join(folder, file)))];
}

/** What was said when these recordings were imported. @param files of {@link readableRecordings} */
export const importRemarks = (files: readonly string[]): readonly string[] =>
  [...new Set(files.map((file) => join(dirname(file), REMARKS)))].flatMap((list) =>
    existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as readonly string[]) : [],
  );
