import { statSync } from 'node:fs';
import type { TradesModel } from '../tape-market/market-flow.js';
import { RecordingError } from './recording-error.js';
import { BlockBudget, KeptBlocks } from './block-builder.js';
import { type AboutRecording, hashOfFiles } from './neutral-file.js';
import { formOf } from './recording-form.js';
import { Survey, type SurveyFigures } from './survey.js';
import { partOf, rowAt, type Span, type TapeBlock, type TapeMarket } from './tape-block.js';

/** What is known of a recording without reading it again. */
interface KnownRecording extends SurveyFigures {
  /** Where it comes from, for people. */
  readonly name: string;
  /** Of its bytes on disk, 64 hexadecimal digits: the same hash, the same rows. */
  readonly sha256: string;
}

/** A recording that can be read as often as wanted, from its beginning. */
export interface RecordingSource extends KnownRecording {
  blocks(): AsyncIterable<TapeBlock> | Iterable<TapeBlock>;
  /** The same recording for another thread. */
  readonly shared: SharedRecording;
}

/** A recording as it is sent to a thread: its decoded blocks in shared memory, or where to read it. */
export interface SharedRecording extends KnownRecording {
  readonly about: AboutRecording;
  readonly trades: TradesModel;
  /** Of its files when they were surveyed; none for blocks that are kept whatever becomes of the files. */
  readonly stamps: readonly FileStamp[];
  /** Which part of the file it is; null: all of it. */
  readonly stretch: Stretch | null;
  /** null: too large to be kept, so it is decoded again. */
  readonly kept: readonly TapeBlock[] | null;
}

export interface OpenOptions {
  /** Default: only what was recorded. */
  readonly trades?: TradesModel;
  /** For decoded blocks; a recording that does not fit in is decoded again each time. Default: one of its own. */
  readonly budget?: BlockBudget;
}

/** Opens what another thread has surveyed. */
export const openShared = (shared: SharedRecording): RecordingSource => ({
  ...shared,
  shared,
  blocks: () => shared.kept ?? decodedAgain(shared),
});

/** Default budget of a recording, bytes. */
const KEPT_MOST = 128 * 1024 * 1024;

/**
 * Reads a recording once and surveys it, so that whatever is wrong with it is reported before anything is simulated.
 * @throws RecordingError, TapeError naming line and offset
 */
export async function openRecording(
  file: string,
  { trades = 'recorded', budget = new BlockBudget(KEPT_MOST) }: OpenOptions = {},
): Promise<RecordingSource> {
  const form = await formOf(file, trades);
  const stamps = stampsOf(form.files);
  const sha256 = await hashOfFiles(form.files);
  const { markets, blocks, about } = form.open();
  const survey = new Survey(markets);
  const kept = new KeptBlocks(budget);
  try {
    for await (const block of blocks) {
      survey.take(block);
      kept.add(block);
    }
    refuseChanged(file, form.files, stamps);
    if (survey.books === 0) throw new RecordingError(file, 0, 'the recording shows no book of its markets');
  } catch (error) {
    kept.drop();
    throw error;
  }
  const told = about();
  const figures = survey.figures(told);
  return openShared({
    name: file,
    sha256,
    about: told,
    trades,
    stamps,
    stretch: null,
    kept: kept.blocks,
    ...figures,
  });
}

/**
 * Opens several recordings, which share the budget of one.
 * @throws RecordingError, TapeError naming line and offset
 */
export function openTogether(
  files: readonly string[],
  { budget = new BlockBudget(KEPT_MOST), ...options }: OpenOptions = {},
): Promise<readonly RecordingSource[]> {
  return Promise.all(files.map((file) => openRecording(file, { ...options, budget })));
}

/** A recording whose blocks are decoded already. @param name for people */
export function decodedRecording(
  name: string,
  sha256: string,
  markets: readonly TapeMarket[],
  kept: readonly TapeBlock[],
): RecordingSource {
  const survey = new Survey(markets);
  for (const block of kept) survey.take(block);
  const about = { named: [], notes: [] };
  const figures = survey.figures(about);
  return openShared({ name, sha256, about, trades: 'recorded', stamps: [], stretch: null, kept, ...figures });
}

/** @throws RecordingError, from the iteration, when the files changed since they were surveyed */
async function* decodedAgain({ name, trades, stamps, stretch }: SharedRecording): AsyncGenerator<TapeBlock> {
  const form = await formOf(name, trades);
  refuseChanged(name, form.files, stamps);
  const { blocks } = form.open();
  yield* stretch === null ? blocks : blocksOf(stretch, blocks);
  refuseChanged(name, form.files, stamps);
}

/** A span with what was known when it began. */
export interface Stretch extends Span {
  /** Rows at `from` that state it; null when nothing was known. */
  readonly known: TapeBlock | null;
}

/** The blocks of a stretch. The recording is not read beyond its end. */
async function* blocksOf(
  { from, to, known }: Stretch,
  blocks: AsyncIterable<TapeBlock>,
): AsyncGenerator<TapeBlock> {
  if (known !== null) yield known;
  for await (const block of blocks) {
    const part = partOf(block, { from, to });
    if (part.rows > 0) yield part;
    if (rowAt(block, to) < block.rows) return;
  }
}

/** What changes when somebody writes to a file or puts another in its place. */
export interface FileStamp {
  readonly file: string;
  readonly bytes: number;
  /** Of the last change, Unix milliseconds. */
  readonly changedMs: number;
  readonly inode: number;
}

/** Files that are not there have none. */
const stampsOf = (files: readonly string[]): readonly FileStamp[] =>
  files.flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined
      ? []
      : [{ file, bytes: found.size, changedMs: found.mtimeMs, inode: found.ino }];
  });

/**
 * @param files of the recording as it is now
 * @throws RecordingError when they are others than before, or changed
 */
function refuseChanged(name: string, files: readonly string[], before: readonly FileStamp[]): void {
  const now = stampsOf(files);
  const isSame = now.length === before.length && now.every((stamp, at) => isEqual(stamp, before[at]!));
  if (isSame) return;
  const changed = now.find((stamp, at) => before[at] === undefined || !isEqual(stamp, before[at]));
  throw new RecordingError(
    changed?.file ?? name,
    0,
    'it changed while it was being read; if it is still being recorded, wait for its end or cut a part of it',
  );
}

const isEqual = (one: FileStamp, other: FileStamp): boolean =>
  one.file === other.file &&
  one.bytes === other.bytes &&
  one.changedMs === other.changedMs &&
  one.inode === other.inode;
