/** Imports raw recordings: finds out whose they are, folds them frame by frame, and writes neutral files. */
import { dirname, join } from 'node:path';
import { existsSync, readdirSync } from 'node:fs';
import { UsageError } from '../domain/errors.js';
import { RecordingError } from '../storage/tape/tape-files.js';
import { BetfairFold } from './betfair.js';
import type { LineSink } from './event-file.js';
import { framesIn, timeOf } from './frames.js';
import type { ImportOptions, VenueName } from './import-options.js';
import { KalshiFold } from './kalshi.js';
import { MarketRecords } from './market-records.js';
import { type Imported, NeutralFolder } from './neutral-folder.js';
import { PolymarketFold } from './polymarket.js';
import { bytesToRead, isTable, linesOf, type RawFile, rawFiles } from './raw-files.js';
import { Session, type VenueFold } from './session.js';

export type { Imported };

export interface ImportRequest {
  /** Files, folders, patterns and archives. */
  readonly paths: readonly string[];
  readonly from: VenueName | 'auto';
  readonly options: ImportOptions;
  /** Tables with names. */
  readonly names: readonly string[];
  /** Tables with results, or `ID=result`. */
  readonly resolutions: readonly string[];
}

export interface Watching {
  /** Told once how many bytes there are. */
  readonly onSize?: (bytes: number) => void;
  readonly onRead?: (bytes: number) => void;
}

/** Facts about one raw file. */
export interface FileFacts {
  readonly file: string;
  readonly venue: VenueName;
  lines: number;
  frames: number;
  /** Unix milliseconds of the first and last frame. */
  first: number | null;
  last: number | null;
  seconds: number;
  refused: string | null;
}

export interface ImportReport {
  readonly files: readonly FileFacts[];
  readonly session: Session;
  /** Names of the tier of Betfair or of generations of frames, by venue. */
  readonly forms: Readonly<Partial<Record<VenueName, string>>>;
  readonly notes: readonly string[];
}

/**
 * Writes neutral files and `markets.json` into a folder.
 * @throws RecordingError with file and line for what cannot be imported; nothing is written then
 */
export async function importRaw(
  request: ImportRequest,
  out: string,
  watching: Watching = {},
): Promise<ImportReport & { readonly imported: Imported }> {
  const folder = new NeutralFolder(out);
  try {
    const report = await fold(request, (name) => folder.sink(name), watching, null);
    refuseNothing(report.session);
    return { ...report, imported: await folder.finish(report.session, request) };
  } finally {
    folder.close();
  }
}

/** Reads raw files without writing, and collects what an import would refuse. */
export const inspectRaw = (request: ImportRequest, watching: Watching = {}): Promise<ImportReport> =>
  fold(request, () => ({ write: () => undefined }), watching, []);

/** @throws RecordingError when no event has a book that can be used */
function refuseNothing(session: Session): void {
  const { events, file } = session;
  const all = [...events.values()];
  if (all.some((event) => event.isUsable)) return;
  throw (
    all.find(({ refusal }) => refusal !== null)?.refusal ??
    new RecordingError(
      file,
      0,
      ['shows no book of a market and a time that were chosen', ...session.unmet()].join('; '),
    )
  );
}

/** @param refusals null: the first refusal is thrown; else they are collected, and the next file goes on */
async function fold(
  request: ImportRequest,
  sink: (name: string) => LineSink,
  { onRead, onSize }: Watching,
  refusals: string[] | null,
): Promise<ImportReport> {
  const notes: string[] = [];
  const all = rawFiles(request.paths);
  const records = recordsOf(request, all);
  const recordings = all.filter((file) => !isTable(file));
  if (recordings.length === 0)
    throw new UsageError(
      all.length === 0 ? 'there is no file' : 'there is no recording among the files, only tables',
    );
  onSize?.(bytesToRead(recordings));
  const session = new Session(request.options, records, sink);
  const folds = new FoldsOfVenues(session);
  const known = await inTimeOrder(recordings, request.from, refusals);
  for (const { file, facts } of known) {
    if (facts.refused !== null) continue;
    const begun = performance.now();
    try {
      await foldFile(file, facts, session, folds, onRead);
    } catch (error) {
      if (refusals === null || !(error instanceof RecordingError)) throw error;
      facts.refused = error.message;
    }
    facts.seconds = (performance.now() - begun) / 1_000;
  }
  const ending = (end: () => void): void => {
    try {
      end();
    } catch (error) {
      if (refusals === null || !(error instanceof RecordingError)) throw error;
      const facts = known.find(({ file }) => file.name === error.file)?.facts ?? known.at(-1)!.facts;
      facts.refused ??= error.message;
    }
  };
  ending(() => folds.end());
  // One that is refused keeps no other from its end.
  for (const event of session.events.values()) ending(() => event.end());
  const files = known.map(({ facts }) => facts);
  for (const id of records.unmet()) session.notes.add(`--resolution ${id}=...: ${NOT_MET}`);
  for (const text of session.unmet()) session.notes.add(text);
  for (const { refusal } of session.events.values())
    if (refusal !== null) session.notes.add(`left out: ${refusal.message}`);
  return { files, session, forms: folds.forms(), notes: [...notes, ...session.notes] };
}

const NOT_MET =
  'no market here takes it: the id is in no file, or the venue says its results itself, as Betfair does';

async function foldFile(
  file: RawFile,
  facts: FileFacts,
  session: Session,
  folds: FoldsOfVenues,
  onRead?: (bytes: number) => void,
): Promise<void> {
  session.file = file.name;
  const fold = folds.of(facts.venue);
  for await (const lines of linesOf(file, onRead, () => session.count('tornLines')))
    for (const { value, line } of lines) {
      session.line = line;
      facts.lines = Math.max(facts.lines, line);
      for (const { frame, received } of framesIn(value)) {
        facts.frames += 1;
        session.frames += 1;
        const at = frameTime(frame) ?? received;
        if (at !== null) {
          facts.first ??= at;
          facts.last = at;
        }
        fold.take(frame, received);
      }
    }
}

class FoldsOfVenues {
  private betfair: BetfairFold | null = null;
  private kalshi: KalshiFold | null = null;
  private polymarket: PolymarketFold | null = null;

  constructor(private readonly session: Session) {}

  of(venue: VenueName): VenueFold {
    if (venue === 'betfair') return (this.betfair ??= new BetfairFold(this.session));
    if (venue === 'kalshi') return (this.kalshi ??= new KalshiFold(this.session));
    return (this.polymarket ??= new PolymarketFold(this.session));
  }

  end(): void {
    for (const fold of [this.betfair, this.kalshi, this.polymarket]) fold?.end();
  }

  forms(): ImportReport['forms'] {
    return {
      ...(this.betfair !== null && { betfair: `${this.betfair.tier} tier` }),
      ...(this.kalshi !== null && { kalshi: this.kalshi.generations.join(', ') || 'no books' }),
      ...(this.polymarket !== null && { polymarket: this.polymarket.generations.join(', ') || 'no changes' }),
    };
  }
}

/** Frames after which a file whose venue is unknown is given up. */
const LOOKED_AT = 100;

interface KnownFile {
  readonly file: RawFile;
  readonly facts: FileFacts;
}

/** Files by their first frame: the next file of a market goes on where the one before ended. */
async function inTimeOrder(
  files: readonly RawFile[],
  from: VenueName | 'auto',
  refusals: string[] | null,
): Promise<readonly KnownFile[]> {
  const known: KnownFile[] = [];
  for (const file of files) {
    const facts: FileFacts = {
      file: file.name,
      venue: from === 'auto' ? 'betfair' : from,
      lines: 0,
      frames: 0,
      first: null,
      last: null,
      seconds: 0,
      refused: null,
    };
    try {
      known.push({ file, facts: { ...facts, ...(await firstFrame(file, from)) } });
    } catch (error) {
      if (refusals === null || !(error instanceof RecordingError)) throw error;
      known.push({ file, facts: { ...facts, refused: error.message } });
    }
  }
  return known.toSorted((one, other) => (one.facts.first ?? 0) - (other.facts.first ?? 0));
}

/** @throws RecordingError for a file of no known venue */
async function firstFrame(file: RawFile, from: VenueName | 'auto') {
  let seen = 0;
  for await (const lines of linesOf(file))
    for (const { value, line } of lines) {
      refusePrices(file, value, line);
      for (const { frame, received } of framesIn(value)) {
        const venue = venueOf(frame);
        if (venue !== null && (from === 'auto' || venue === from))
          return { venue, first: frameTime(frame) ?? received };
        seen += 1;
        if (seen === LOOKED_AT) throw unknownForm(file, from);
      }
    }
  throw unknownForm(file, from);
}

const unknownForm = ({ name }: RawFile, from: string): RecordingError =>
  new RecordingError(
    name,
    0,
    from === 'auto'
      ? 'expected frames of Betfair, Kalshi or Polymarket, found none; --from states the venue'
      : `expected frames of ${from}, found none`,
  );

type Fields = Readonly<Record<string, unknown>>;

/** @throws RecordingError for a list of prices, in which there is no book */
function refusePrices({ name }: RawFile, value: unknown, line: number): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = (Array.isArray(value) ? (value[0] ?? {}) : value) as Fields;
  const isHistory =
    Array.isArray(fields['history']) ||
    Array.isArray(fields['candlesticks']) ||
    (typeof fields['t'] === 'number' && typeof fields['p'] === 'number');
  if (isHistory)
    throw new RecordingError(
      name,
      line,
      'this is a price history; expected frames with books, which nothing can be made of prices',
    );
}

export function venueOf(frame: unknown): VenueName | null {
  if (typeof frame !== 'object' || frame === null) return null;
  const { op, event_type: kind, type, msg, asset_id: asset } = frame as Fields;
  if (op === 'mcm') return 'betfair';
  if (typeof kind === 'string' || asset !== undefined) return 'polymarket';
  return typeof type === 'string' && typeof msg === 'object' && msg !== null && 'market_ticker' in msg
    ? 'kalshi'
    : null;
}

function frameTime(frame: unknown): number | null {
  const { pt, timestamp, msg } = frame as Fields;
  const inner = (msg ?? {}) as Fields;
  return timeOf(pt ?? timestamp ?? inner['ts_ms'] ?? null);
}

/** Tables among the files, tables beside files of Kalshi, and those that options name. */
function recordsOf({ names, resolutions }: ImportRequest, files: readonly RawFile[]): MarketRecords {
  const records = new MarketRecords();
  const missing = names.find((path) => !existsSync(path));
  if (missing !== undefined) throw new UsageError(`--names ${missing}: there is no such file`);
  for (const path of new Set([...tablesOf(files), ...names])) records.read(path);
  for (const one of resolutions) {
    if (records.state(one)) continue;
    if (!existsSync(one))
      throw new UsageError(
        `--resolution ${one}: expected a table, or ID= with yes, no, void or what a share pays, from 0 to 1`,
      );
    records.read(one);
  }
  return records;
}

/** Paths of tables among files and beside them. */
export function tablesOf(files: readonly RawFile[]): readonly string[] {
  const folders = new Set(files.map(({ path }) => dirname(path)));
  const beside = [...folders].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => TABLE_BESIDE.test(name))
      .map((name) => join(folder, name)),
  );
  const among = files.filter((file) => isTable(file) && file.member === null).map(({ path }) => path);
  return [...new Set([...beside, ...among])];
}

const TABLE_BESIDE = /markets\.csv$/i;
