/** Stretches of a recording as recordings of their own. */
import { KnownState } from './known-state.js';
import { openShared, type RecordingSource, type SharedRecording } from './recording.js';
import { partOf, rowAt, type Span } from './stretch.js';
import { Survey } from './survey.js';
import type { TapeBlock } from './tape-block.js';

/**
 * The rows of each span, with what was known at its beginning before them, at `from`. Goes through the recording once.
 * What is kept of it is not copied; what is not kept is decoded again whenever a stretch is traded.
 * @param spans none begins before the one before it
 * @returns null for a span by whose end nothing is known
 * @throws RecordingError, TapeError when it has to be decoded again and cannot be
 */
export async function recordingWindows(
  source: RecordingSource,
  spans: readonly Span[],
): Promise<readonly (RecordingSource | null)[]> {
  const windows = spans.map((span) => new Window(source.shared, span));
  const known = new KnownState();
  for await (const block of source.blocks()) {
    beginAll(windows, block, known);
    for (const window of windows) window.take(block);
  }
  return windows.map((window) => window.end(known));
}

/** Begins windows within a block, each with what is known by then; at its end all of it is known. */
function beginAll(windows: readonly Window[], block: TapeBlock, known: KnownState): void {
  let row = 0;
  const waiting = windows.filter(({ isBegun }) => !isBegun);
  for (const window of waiting) {
    const first = rowAt(block, window.from);
    known.take(block, row, first);
    row = first;
    if (first === block.rows) return;
    window.begin(known);
  }
}

class Window {
  isBegun = false;
  private known: TapeBlock | null = null;
  private readonly survey: Survey;
  private readonly kept: TapeBlock[] | null;

  constructor(
    private readonly whole: SharedRecording,
    private readonly span: Span,
  ) {
    this.survey = new Survey(whole.markets);
    this.kept = whole.kept && [];
  }

  get from(): number {
    return this.span.from;
  }

  begin(known: KnownState): void {
    this.isBegun = true;
    this.known = known.blockAt(this.span.from);
    if (this.known !== null) this.add(this.known);
  }

  take(block: TapeBlock): void {
    if (this.isBegun) this.add(partOf(block, this.span));
  }

  /** @param known at the end of the recording */
  end(known: KnownState): RecordingSource | null {
    if (!this.isBegun) this.begin(known);
    const { whole, span, known: before, kept, survey } = this;
    if (survey.rows === 0) return null;
    const stretch = { ...span, known: before };
    return openShared({ ...whole, ...survey.figures(whole.about), stretch, kept });
  }

  private add(block: TapeBlock): void {
    if (block.rows === 0) return;
    this.survey.take(block);
    this.kept?.push(block);
  }
}
