import { plainInput } from './input-json.js';
import type { Received, TapeRecord } from './records.js';
import { sealLine } from './seal.js';

/** A decision as the engine wrote it, which is not taken apart to be put together again. */
export interface DecisionText {
  readonly kind: 'decision';
  readonly text: string;
}

/** What can be written; read back, every one is a {@link TapeRecord}. */
export type Writable = TapeRecord | DecisionText;

/** Takes secrets out of a JSON object that is about to be written: the same text when there is nothing to take out. */
export type Scrub = (json: string) => string;

/** Writes records as sealed lines, numbered on from where the chain stands. */
export class LineWriter {
  #sum: number;
  #n: number;

  /** @param after number and sum of the last line so far */
  constructor(
    after: { readonly n: number; readonly sum: number },
    private readonly scrub: Scrub = unchanged,
  ) {
    this.#n = after.n;
    this.#sum = after.sum;
  }

  get last(): { readonly n: number; readonly sum: number } {
    return { n: this.#n, sum: this.#sum };
  }

  /** @returns the line with its line feed */
  write(record: Writable, { at, mono }: Received): string {
    const said = this.scrub(jsonOf(record));
    this.#n += 1;
    const { text, sum } = sealLine(`{"n":${this.#n},"at":${at},"mono":${mono},${said.slice(1)}`, this.#sum);
    this.#sum = sum;
    return text;
  }
}

function jsonOf(record: Writable): string {
  if ('text' in record) return `{"kind":"decision","decision":${record.text}}`;
  if (record.kind === 'input') return JSON.stringify({ ...record, input: plainInput(record.input) });
  return JSON.stringify(record);
}

const unchanged: Scrub = (json) => json;
