/** Recordings of any form, opened once and read as often as wanted. */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { OPENING } from '../log/segment.js';
import { textOf } from '../tape/packed-text.js';
import { RecordingError, TapeError, tapeFiles } from '../tape/tape-files.js';
import { bytesOf, partOf, rowAt, type Span, type TapeBlock } from './blocks.js';
import { type AboutRecording, type BlockStream, decodeRecording } from './neutral.js';
import { decodeOrders, ORDERS_HEAD } from './order-by-order.js';
import { decodeOwnTape, type TradesModel } from './own-recording.js';
import { Survey, type SurveyFigures } from './survey.js';

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
  /** What its files were like when they were surveyed; see {@link stampsOf}. */
  readonly stamps: readonly string[];
  /** Which part of the file it is; null: all of it. */
  readonly stretch: Stretch | null;
  /** null: too large to be kept, so it is decoded again. */
  readonly kept: readonly TapeBlock[] | null;
}

/** A span with what was known when it began. */
interface Stretch extends Span {
  /** Rows at `from` that state it; null when nothing was known. */
  readonly known: TapeBlock | null;
}

interface OpenOptions {
  /** Default: only what was recorded. */
  readonly trades?: TradesModel;
  /** For decoded blocks; a recording that does not fit in is decoded again each time. Default: one of its own. */
  readonly budget?: BlockBudget;
}

/** Bytes of decoded blocks that recordings may hold together. */
export class BlockBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** @returns whether there is room for a block; if not, nothing is taken */
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

/** What changes when somebody writes to a file or puts another in its place; empty for one that is not there. */
const stampsOf = (files: readonly string[]): readonly string[] =>
  files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? '' : `${file} ${found.size} ${found.mtimeMs} ${found.ino}`;
  });

/** @throws RecordingError when the files of a recording are not what they were */
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

/** Files of a recording, in order, and how they are decoded. */
interface RecordingForm {
  readonly files: readonly string[];
  readonly open: () => BlockStream;
}

/**
 * Tells the form by the first bytes, not by the name.
 * @param path a file in the neutral form or order by order; a file or the folder of a tape of our own; the folder of a run
 * @throws RecordingError, TapeError when there is no such recording
 */
async function formOf(path: string, trades: TradesModel): Promise<RecordingForm> {
  if (await isOwnTape(path)) return { files: tapeFiles(path), open: () => decodeOwnTape(path, trades) };
  const isOrders = (await beginningOf(path)).startsWith(ORDERS_HEAD);
  return { files: [path], open: () => (isOrders ? decodeOrders(path) : decodeRecording(path)) };
}

/** Whether it is a tape of our own: a folder, or one of its files. @throws RecordingError when there is nothing */
export const isOwnTape = async (path: string): Promise<boolean> =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ||
  (await beginningOf(path)).startsWith(OPENING);

/** First bytes of the unpacked text; none of a damaged file, which its decoder reports. */
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
