import { type TapeLine, type Received, TAPE_VERSION, type TapeRecord } from './records.js';
import type { Input, OutsideValue } from '../../domain/inputs.js';
import { outcomeFrom, plainOutcome } from '../log/answer-json.js';
import { CHAIN_START, judgeLine, sealLine, sumOf, jsonObject } from '../log/segment.js';

/**
 * Finds frames that are on a tape twice, as when overlapping parts of one run were put together: the same text at the
 * same microsecond of the wall clock and of the process clock. What was not received live has no process clock.
 */
export class DuplicateFrames {
  #count = 0;
  #at = 0;
  #mono = 0;
  /** Frames of this microsecond. */
  #frames: TapeLine[] = [];

  /** Duplicates so far. */
  get count(): number {
    return this.#count;
  }

  /** @returns whether the line repeats one before it */
  isDuplicate(line: TapeLine): boolean {
    const { at, mono } = line;
    if (line.kind !== 'frame' || mono === 0) return false;
    if (at !== this.#at || mono !== this.#mono) {
      [this.#at, this.#mono, this.#frames] = [at, mono, [line]];
      return false;
    }
    const isDuplicate = this.#frames.some((one) => textOf(one) === textOf(line));
    if (isDuplicate) this.#count += 1;
    else this.#frames.push(line);
    return isDuplicate;
  }
}

function textOf(line: TapeLine): string {
  if (line.kind !== 'frame') return '';
  const { event, channel, payload, venueAt } = line;
  return JSON.stringify([event, channel, payload, venueAt]);
}

/**
 * Checks that inputs of one engine are numbered from 1 without a hole, in order of time; where lines were left out, a gap
 * says so. Anything else was changed after it was recorded, even if the sums fit.
 */
export class InputOrder {
  #inputs = 0;
  /** Of the input before; null where any number may follow. */
  #seq: number | null = null;
  #at = 0;
  /** Whether a gap stands behind the input before. */
  #isGap = false;

  /** Inputs of all runs. */
  get inputs(): number {
    return this.#inputs;
  }

  /** @returns what is wrong with the next line; null when nothing is */
  check(line: TapeLine): string | null {
    if (line.kind === 'start') this.#begin();
    if (line.kind === 'gap') this.#isGap = true;
    if ((line.kind !== 'frame' && line.kind !== 'input') || line.seq === undefined) return null;
    const problem = this.#seq === null ? null : this.#problem(this.#seq, line.seq, line.at);
    this.#inputs += 1;
    this.#seq = line.seq;
    this.#at = line.at;
    this.#isGap = false;
    return problem;
  }

  #begin(): void {
    this.#seq = 0;
    this.#at = 0;
  }

  #problem(before: number, seq: number, at: number): string | null {
    if (seq <= before) return `input ${seq} is here again or out of order; expected input ${before + 1}`;
    if (seq > before + 1 && !this.#isGap)
      return `${missing(before + 1, seq - 1)} before input ${seq}, and no gap says why`;
    return at < this.#at ? `input ${seq} is older than the one before it` : null;
  }
}

const missing = (first: number, last: number): string =>
  first === last ? `input ${first} is missing` : `inputs ${first} to ${last} are missing`;

/** Whether a line begins a gap: lines were left out, or the connection was lost. */
export const isGap = (line: TapeLine): boolean =>
  line.kind === 'gap' || (line.kind === 'input' && line.input.kind === 'link' && line.input.state === 'lost');

/** What people are told of so many gaps. */
export const gapNotes = (gaps: number): readonly string[] =>
  gaps === 0 ? [] : [`it has ${gaps} gaps, in which its books stand still`];

/** Lines of a tape: records as sealed JSON, and back. */

/** A decision as the engine wrote it, which is not parsed to be written again. */
export interface DecisionText {
  readonly kind: 'decision';
  readonly text: string;
}

/** What can be written; read back, every one is a {@link TapeRecord}. */
export type Writable = TapeRecord | DecisionText;

/** Takes secrets out of a JSON object that is about to be written: the same text when there is nothing to take out. */
export type Scrub = (json: string) => string;

/** Number and sum of a tape's last line. */
export interface LastLine {
  readonly n: number;
  readonly sum: number;
}

/** Writes records as sealed lines, numbered on from where the chain stands. */
export class LineWriter {
  #last: LastLine;

  constructor(
    after: LastLine = { n: 0, sum: CHAIN_START },
    private readonly scrub: Scrub = (json) => json,
  ) {
    this.#last = { n: after.n, sum: after.sum };
  }

  get last(): LastLine {
    return this.#last;
  }

  /** @returns the line with its line feed */
  write(record: Writable, { at, mono }: Received): string {
    const n = this.#last.n + 1;
    const said = this.scrub(jsonOf(record)).slice(1);
    const { text, sum } = sealLine(`{"n":${n},"at":${at},"mono":${mono},${said}`, this.#last.sum);
    this.#last = { n, sum };
    return text;
  }
}

function jsonOf(record: Writable): string {
  if ('text' in record) return `{"kind":"decision","decision":${record.text}}`;
  if (record.kind === 'input') return JSON.stringify({ ...record, input: plainInput(record.input) });
  return JSON.stringify(record);
}

const NUMBER = '$number';

/** JSON knows no infinite numbers, which a fair value from outside may have. */
export function plainInput(input: Input): unknown {
  if (input.kind === 'answer') return { ...input, outcome: plainOutcome(input.outcome) };
  if (input.kind !== 'outside') return input;
  return { ...input, values: input.values.map(plainValue) };
}

export function inputFrom(plain: Input): Input {
  if (plain.kind === 'answer') return { ...plain, outcome: outcomeFrom(plain.outcome) };
  if (plain.kind !== 'outside') return plain;
  return { ...plain, values: plain.values.map(valueFrom) };
}

const plainValue = (value: OutsideValue): unknown => {
  const confidence = plainNumber(value.confidence);
  return value.kind === 'signal'
    ? { ...value, value: plainNumber(value.value), confidence }
    : { ...value, p: plainNumber(value.p), confidence };
};

const valueFrom = (value: OutsideValue): OutsideValue => {
  const confidence = numberFrom(value.confidence);
  return value.kind === 'signal'
    ? { ...value, value: numberFrom(value.value), confidence }
    : { ...value, p: numberFrom(value.p), confidence };
};

const plainNumber = (value: number): unknown =>
  Number.isFinite(value) ? value : { [NUMBER]: String(value) };

const numberFrom = (value: unknown): number =>
  typeof value === 'number' ? value : Number((value as { [NUMBER]: string })[NUMBER]);

/** A line, or why it cannot stand where it stands; for people. */
export type Judged =
  { readonly ok: true; readonly line: TapeLine } | { readonly ok: false; readonly problem: string };

const broken = (problem: string): Judged => ({ ok: false, problem });

/** Reads line after line of one tape and checks each against the one before. */
export class LineChain {
  #last: LastLine = { n: 0, sum: CHAIN_START };
  #run: string | null = null;

  get last(): LastLine {
    return this.#last;
  }

  /** @param bytes one line without its line feed */
  judge(bytes: Buffer): Judged {
    const verdict = judgeLine(bytes, this.#last.sum);
    if (verdict.state === 'broken') return broken(strangeLine(bytes));
    if (verdict.state === 'altered') return broken(this.#whatHappened(bytes));
    this.#last = { n: this.#last.n + 1, sum: verdict.sum };
    const line = JSON.parse(bytes.toString('utf8')) as TapeLine;
    return { ok: true, line: line.kind === 'input' ? { ...line, input: inputFrom(line.input) } : line };
  }

  /**
   * Takes in the first line of a file. The version is looked at before the sum, which a later version may count otherwise.
   * @param isFirst whether the tape is read from here: what it continues is believed then
   */
  begin(bytes: Buffer, expected: { readonly number: number; readonly isFirst: boolean }): Judged {
    const line = parsed(bytes);
    if (line?.kind !== 'segment') return broken(strangeLine(bytes));
    if (line.version !== TAPE_VERSION)
      return broken(`the tape is of version ${line.version}; this program reads version ${TAPE_VERSION}`);
    if (line.number !== expected.number)
      return broken(`this is file ${line.number} of a tape, expected file ${expected.number}`);
    if (expected.isFirst) {
      this.#last = { n: line.n - 1, sum: sumOf(line.chain) };
      this.#run = line.run;
    }
    if (sumOf(line.chain) !== this.#last.sum || (line.run !== this.#run && !line.restart))
      return broken(`this file does not continue the one before: it belongs to run ${line.run}`);
    this.#run = line.run;
    return this.judge(bytes);
  }

  #whatHappened(bytes: Buffer): string {
    const n = parsed(bytes)?.n;
    const expected = this.#last.n + 1;
    if (n === undefined || n === expected) return 'the line was altered: its sum does not fit';
    if (n > expected) return `lines ${expected} to ${n - 1} are missing before it`;
    return `line ${n} is here again or out of order; expected line ${expected}`;
  }
}

const parsed = (bytes: Buffer) => jsonObject(bytes.toString('utf8')) as TapeLine | null;

function strangeLine(bytes: Buffer): string {
  const fields = parsed(bytes) as Readonly<Record<string, unknown>> | null;
  if (fields !== null && 'type' in fields && 'market' in fields)
    return 'this is a recording in the neutral form; make it a tape with: oddsmith tape import';
  return 'this is no line of a tape';
}
