/** Does the engine decide today what it decided when the tape was recorded? */
import type { DecisionLine, PlacedLine, TapeEnding, TapeLine } from '../../storage/index.js';
import { type Replayed, type ReplayOptions, replayTape, type ReplayVisitor } from './replay.js';

/** A decision and the input that brought it. */
export interface Decided {
  /** As in the chain. */
  readonly line: string;
  readonly input: PlacedLine;
}

/** The first place at which two chains differ; a side is null when it decides nothing more. */
export interface Divergence {
  /** From 0. */
  readonly index: number;
  readonly recorded: Decided | null;
  readonly replayed: Decided | null;
}

export interface Parity {
  readonly inputs: number;
  /** Decisions that are identical. */
  readonly decisions: number;
  /** Hash of the chain on the tape at its end; null when the tape has no end. */
  readonly recordedHash: string | null;
  readonly replayedHash: string;
  readonly divergence: Divergence | null;
  /** A gap in the tape behind which nothing can be compared. */
  readonly gap: PlacedLine | null;
  readonly ending: TapeEnding;
  /** Strategies whose files are not what they were. */
  readonly changed: readonly string[];
}

/** Whether everything that could be compared is the same, and everything could. */
export const isIdentical = ({ divergence, gap, recordedHash, replayedHash }: Parity): boolean =>
  divergence === null && gap === null && (recordedHash === null || recordedHash === replayedHash);

/**
 * Replays a tape and compares decision by decision.
 * @throws TapeError, UsageError as {@link replayTape}
 */
export async function checkParity(path: string, options: ReplayOptions = {}): Promise<Parity> {
  const comparison = new Comparison();
  const replayed = await replayTape(path, comparison, options);
  return comparison.result(replayed);
}

class Comparison implements ReplayVisitor {
  readonly observer = { decided: (line: string): void => this.add(this.replayed, line) };
  private inputs = 0;
  private matched = 0;
  private input: PlacedLine | null = null;
  private recorded: Decided[] = [];
  private replayed: Decided[] = [];
  private isApart = false;
  private divergence: Divergence | null = null;
  private recordedHash: string | null = null;
  private gap: PlacedLine | null = null;

  isSatisfied(): boolean {
    return this.divergence !== null || this.gap !== null;
  }

  line(placed: PlacedLine): void {
    const { line } = placed;
    if (line.kind === 'decision') this.add(this.recorded, JSON.stringify(line.decision));
    else if (line.kind === 'end') this.recordedHash = line.hash;
    else if (line.kind === 'gap') this.gap = placed;
    else if (isInput(line)) this.next(placed);
  }

  result({ engine, ending, changed }: Replayed): Parity {
    if (this.divergence === null && this.isApartAtTheEnd(ending)) this.diverge();
    const { inputs, matched, recordedHash, divergence, gap } = this;
    const replayedHash = engine.decisionHash;
    return { inputs, decisions: matched, recordedHash, replayedHash, divergence, gap, ending, changed };
  }

  /** What is left on one side when the next input comes has no counterpart on the other. */
  private next(placed: PlacedLine): void {
    this.isApart = this.recorded.length + this.replayed.length > 0;
    this.input = placed;
    this.inputs += 1;
  }

  private add(side: Decided[], line: string): void {
    if (this.input === null || (this.isApart && side.length > 0)) return;
    side.push({ line, input: this.input });
    this.compare();
  }

  private compare(): void {
    const [recorded] = this.recorded;
    const [replayed] = this.replayed;
    if (recorded === undefined || replayed === undefined) return;
    if (recorded.line !== replayed.line) return this.diverge();
    this.recorded.shift();
    this.replayed.shift();
    this.matched += 1;
  }

  private diverge(): void {
    const [recorded = null] = this.recorded;
    const [replayed = null] = this.replayed;
    this.divergence = { index: this.matched, recorded, replayed };
  }

  /** A tape that was cut off may have lost the decisions of its last input. */
  private isApartAtTheEnd({ state }: TapeEnding): boolean {
    if (this.gap !== null) return false;
    const mayLack = state === 'unfinished' && this.recorded.length === 0;
    const extra = mayLack ? this.replayed.filter(({ input }) => input !== this.input) : this.replayed;
    return this.recorded.length + extra.length > 0;
  }
}

const isInput = (line: TapeLine): boolean =>
  (line.kind === 'frame' || line.kind === 'input') && line.seq !== undefined;

/** @returns the words of a decision line, for people */
export const decisionOf = (line: string): DecisionLine => JSON.parse(line) as DecisionLine;
