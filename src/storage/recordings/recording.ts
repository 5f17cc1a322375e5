/** Opens recordings of any form. */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { OPENING } from '../log/segment.js';
import { textOf } from '../tape/packed-text.js';
import { RecordingError, TapeError, tapeFiles } from '../tape/tape-files.js';
import { bytesOf, partOf, rowAt, type Span, type TapeBlock } from './blocks.js';
import { type AboutRecording, type BlockStream, decodeRecording } from './neutral.js';
import { decodeOrders, ORDERS_HEAD } from './order-by-order.js';
import type { TradesModel } from './own-recording.js';
import { Survey, type SurveyFigures } from './survey.js';

/** Facts about a recording. */
interface KnownRecording extends SurveyFigures {
  /** Its origin, for people. */
  readonly name: string;
  /** SHA-256 of its bytes on disk, 64 hexadecimal digits. Equal hashes mean equal rows. */
  readonly sha256: string;
}

/** A recording that can be read repeatedly from its beginning. */
export interface RecordingSource extends KnownRecording {
  blocks(): AsyncIterable<TapeBlock> | Iterable<TapeBlock>;
  /** The same recording for another thread. */
  readonly shared: SharedRecording;
}

/** A recording in the form that is sent to a thread: blocks in shared memory, or its path. */
export interface SharedRecording extends KnownRecording {
  readonly about: AboutRecording;
  readonly trades: TradesModel;
  /** State of its files at the survey: {@link stampsOf}. */
  readonly stamps: readonly string[];
  /** Part of the file; null: all of it. */
  readonly stretch: Stretch | null;
  /** null: too large to keep, so it is decoded again. */
  readonly kept: readonly TapeBlock[] | null;
}

/** A span with what was known at its beginning. */
interface Stretch extends Span {
  /** Rows at `from` that state what was known; null: nothing. */
  readonly known: TapeBlock | null;
}

interface OpenOptions {
  /** Default: only recorded trades. */
  readonly trades?: TradesModel;
  /** Memory for decoded blocks. A recording that does not fit is decoded again each time. Default: its own budget. */
  readonly budget?: BlockBudget;
}

/** Limit of bytes for decoded blocks, shared by recordings. */
export class BlockBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** @returns whether there is room for a block. If not, no bytes are taken */
  take(block: TapeBlock): boolean {
    const bytes = bytesOf(block);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(blocks: readonly TapeBlock[]): void {
    for (const block of blocks) this.#left += bytesOf(block);
  }
}

/** Opens a recording that another thread has surveyed. */
export const openShared = (shared: SharedRecording): RecordingSource => ({
  ...shared,
  shared,
  blocks: () => shared.kept ?? decodedAgain(shared),
});

/** Default budget of a recording, bytes. */
const KEPT_MOST = 128 * 1024 * 1024;

/**
 * Reads and surveys a recording, so that errors are reported before the simulation starts.
 * @throws RecordingError, TapeError with line and offset
 */
export async function openRecording(
  file: string,
  { trades = 'recorded', budget = new BlockBudget(KEPT_MOST) }: OpenOptions = {},
): Promise<RecordingSource> {
  const form = await formOf(file, trades);
  const stamps = stampsOf(form.files);
  const sha256 = await hashOfFiles(form.files);
  const { markets, blocks, about: aboutIt } = form.open();
  const survey = new Survey(markets);
  const blocksKept: TapeBlock[] = [];
  let isKept = true;
  try {
    for await (const block of blocks) {
      survey.take(block);
      if (isKept && budget.take(block)) blocksKept.push(block);
      else {
        isKept = false;
        budget.giveBack(blocksKept.splice(0));
      }
    }
    refuseChanged(file, form.files, stamps);
    if (survey.books === 0) throw new RecordingError(file, 0, 'the recording shows no book of its markets');
  } catch (error) {
    budget.giveBack(blocksKept);
    throw error;
  }
  const about = aboutIt();
  const kept = isKept ? blocksKept : null;
  return openShared({
    name: file,
    sha256,
    about,
    trades,
    stamps,
    stretch: null,
    kept,
    ...survey.figures(about),
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

/** @throws RecordingError, from the iteration, when the files changed since they were surveyed */
async function* decodedAgain({ name, trades, stamps, stretch }: SharedRecording): AsyncGenerator<TapeBlock> {
  const form = await formOf(name, trades);
  refuseChanged(name, form.files, stamps);
  const { blocks } = form.open();
  yield* stretch === null ? blocks : blocksOf(stretch, blocks);
  refuseChanged(name, form.files, stamps);
}

/** Returns the blocks of a span. Reading stops at its end. */
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

/** Values that change when a file is written or replaced; empty for a missing file. */
const stampsOf = (files: readonly string[]): readonly string[] =>
  files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? '' : `${file} ${found.size} ${found.mtimeMs} ${found.ino}`;
  });

/** @throws RecordingError when the files of a recording have changed */
function refuseChanged(name: string, files: readonly string[], before: readonly string[]): void {
  const now = stampsOf(files);
  if (now.join() === before.join()) return;
  const text =
    'it changed while it was being read; if it is still being recorded, wait for its end or cut a part of it';
  throw new RecordingError(files.find((_, at) => now[at] !== before[at]) ?? name, 0, text);
}

async function hashOfFiles(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** Files of a recording in order, and their decoder. */
interface RecordingForm {
  readonly files: readonly string[];
  readonly open: () => BlockStream;
}

/**
 * Recognises the form by the first bytes, not by the name.
 * @param path a file in the neutral form or order by order; a file or the folder of a tape of our own; the folder of a run
 * @throws RecordingError, TapeError when there is no such recording
 */
async function formOf(path: string, trades: TradesModel): Promise<RecordingForm> {
  if (await isOwnTape(path)) {
    // Frames of the venue are read with its schemas, which take long to load and which no other form needs.
    const { decodeOwnTape } = await import('./own-recording.js');
    return { files: tapeFiles(path), open: () => decodeOwnTape(path, trades) };
  }
  const isOrders = (await beginningOf(path)).startsWith(ORDERS_HEAD);
  return { files: [path], open: () => (isOrders ? decodeOrders(path) : decodeRecording(path)) };
}

/** Tells whether it is a tape of our own: a folder, or one of its files. @throws RecordingError for a missing path */
export const isOwnTape = async (path: string): Promise<boolean> =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ||
  (await beginningOf(path)).startsWith(OPENING);

/** First bytes of the unpacked text; none for a damaged file, which its decoder reports. */
async function beginningOf(path: string): Promise<string> {
  try {
    for await (const piece of textOf(path, () => undefined))
      return piece.toString('latin1', 0, ORDERS_HEAD.length);
  } catch (error) {
    if (!(error instanceof TapeError)) throw error;
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      throw new RecordingError(path, 0, error.problem);
  }
  return '';
}
