import { inputFrom } from './input-json.js';
import { TAPE_VERSION, type SegmentRecord, type TapeLine } from './records.js';
import { CHAIN_START, sumsOf } from './seal.js';

/** Why a line cannot stand where it stands; for people. */
export type Broken = { readonly ok: false; readonly problem: string };
export type Judged = { readonly ok: true; readonly line: TapeLine } | Broken;

const broken = (problem: string): Broken => ({ ok: false, problem });

/** Reads line after line of one tape and holds each against the one before. */
export class Chain {
  #sum = CHAIN_START;
  #n = 0;
  #run: string | null = null;

  get last(): { readonly n: number; readonly sum: number } {
    return { n: this.#n, sum: this.#sum };
  }

  /** @param bytes one line without its line feed */
  judge(bytes: Buffer): Judged {
    const sums = sumsOf(bytes, this.#sum);
    if (sums === null) return broken(strangeLine(bytes));
    if (sums.stated !== sums.found) return broken(this.#whatHappened(bytes));
    this.#sum = sums.found;
    this.#n += 1;
    const line = JSON.parse(bytes.toString('utf8')) as TapeLine;
    return { ok: true, line: line.kind === 'input' ? { ...line, input: inputFrom(line.input) } : line };
  }

  /**
   * Takes in the first line of a file. Its version comes before its sum: a later version may count otherwise.
   * @param isFirst whether the tape is read from here: what it continues is believed then
   */
  begin(bytes: Buffer, expected: { readonly number: number; readonly isFirst: boolean }): Judged {
    const line = parsed(bytes);
    if (line?.kind !== 'segment') return broken(strangeLine(bytes));
    if (line.version !== TAPE_VERSION)
      return broken(`the tape is of version ${line.version}; this program reads version ${TAPE_VERSION}`);
    if (line.number !== expected.number)
      return broken(`this is file ${line.number} of a tape, expected file ${expected.number}`);
    if (expected.isFirst) this.#adopt(line);
    if (Number.parseInt(line.chain, 16) !== this.#sum || (line.run !== this.#run && !line.restart))
      return broken(`this file does not continue the one before: it belongs to run ${line.run}`);
    this.#run = line.run;
    return this.judge(bytes);
  }

  #adopt(line: SegmentRecord & { readonly n: number }): void {
    this.#n = line.n - 1;
    this.#sum = Number.parseInt(line.chain, 16);
    this.#run = line.run;
  }

  #whatHappened(bytes: Buffer): string {
    const n = parsed(bytes)?.n;
    const expected = this.#n + 1;
    if (n === undefined || n === expected) return 'the line was altered: its sum does not fit';
    if (n > expected) return `lines ${expected} to ${n - 1} are missing before it`;
    return `line ${n} stands here again or out of order; expected line ${expected}`;
  }
}

function parsed(bytes: Buffer): TapeLine | null {
  try {
    return JSON.parse(bytes.toString('utf8')) as TapeLine;
  } catch {
    return null;
  }
}

function strangeLine(bytes: Buffer): string {
  const fields = parsed(bytes) as Readonly<Record<string, unknown>> | null;
  if (fields !== null && 'type' in fields && 'market' in fields)
    return 'this is a recording in the neutral form; make it a tape with: oddsmith tape import';
  return 'this is no line of a tape';
}
