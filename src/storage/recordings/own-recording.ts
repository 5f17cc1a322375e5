/** A tape of our own as a recording: the market without the recorder's own orders. */
import type { RecordedLine } from '../../domain/recorded.js';
import { MarketFlow, type Repairs, type TradesModel } from '../tape-market/market-flow.js';
import type { NamedMarket } from '../tape/records.js';
import { gapNotes, isGap, DuplicateFrames } from '../tape/line-checks.js';
import { endingNote, type PlacedLine, TapeReader } from '../tape/tape-reader.js';
import { RecordingError } from './recording-error.js';
import { BlockBuilder } from './block-builder.js';
import type { BlockStream } from './neutral-file.js';
import type { TapeBlock } from './tape-block.js';

/**
 * Decodes a tape without ever holding more than a few blocks.
 * @param path a file, the folder of a tape or of a run
 * @param trades whether trades are inferred: frames do not show them
 * @throws TapeError for a damaged tape, or one whose inputs are out of order, RecordingError for one without books; from the iteration
 */
export function decodeOwnTape(path: string, trades: TradesModel): BlockStream {
  const decoder = new OwnTapeDecoder(path, trades);
  return { markets: decoder.builder.markets, blocks: decoder.blocks(), about: () => decoder.about };
}

class OwnTapeDecoder {
  readonly builder = new BlockBuilder();
  private readonly flow: MarketFlow;
  private readonly named = new Map<string, NamedMarket>();
  private readonly full: TapeBlock[] = [];
  private ending = '';
  private gaps = 0;
  private readonly twice = new DuplicateFrames();

  constructor(
    private readonly path: string,
    trades: TradesModel,
  ) {
    this.flow = new MarketFlow(trades);
  }

  get about() {
    const notes = [
      ...twiceNotes(this.twice.count),
      ...repairNotes(this.flow.repairs),
      ...gapNotes(this.gaps),
      this.ending,
    ];
    const { inferredIn: inferred } = this.flow;
    return { named: [...this.named.values()], notes: notes.filter((note) => note !== ''), inferred };
  }

  async *blocks(): AsyncGenerator<TapeBlock> {
    const reader = new TapeReader(this.path, { inputs: 'in order' });
    let books = 0;
    let last = 0;
    for await (const batch of reader.batches()) {
      for (const placed of batch) {
        last = placed.line.n;
        if (this.twice.isDuplicate(placed.line)) continue;
        books += this.add(this.flow.take(this.look(placed)), last);
      }
      yield* this.full.splice(0);
    }
    books += this.add(this.flow.end(), last);
    if (!this.builder.isEmpty) this.full.push(this.builder.take());
    yield* this.full.splice(0);
    this.ending = endingNote(reader.ending) ?? '';
    if (books === 0) throw new RecordingError(this.path, 0, 'the tape shows no book of its markets');
  }

  private look({ line }: PlacedLine): PlacedLine['line'] {
    if (line.kind === 'head') for (const market of line.markets) this.named.set(market.marketId, market);
    if (isGap(line)) this.gaps += 1;
    return line;
  }

  /** @returns how many books were among the lines */
  private add(lines: readonly RecordedLine[], number: number): number {
    for (const line of lines) {
      if (this.builder.isFull) this.full.push(this.builder.take());
      const refusal = this.builder.add(line, number);
      if (refusal !== null) throw new RecordingError(this.path, number, refusal);
    }
    return lines.filter(({ kind }) => kind === 'book').length;
  }
}

function repairNotes({ withoutOwn, late, read, inferred }: Repairs): readonly string[] {
  return [
    withoutOwn === 0 ? '' : `own shares were taken out of ${withoutOwn} books`,
    late === 0 ? '' : `${late} books that were older than the one before are left out`,
    read === 0 ? '' : `${read} books were read over REST, where no frames told of their market`,
    inferred === 0
      ? ''
      : `${inferred} trades are inferred from books and turnover, what takers took from own orders among them`,
  ];
}

const twiceNotes = (twice: number): readonly string[] =>
  twice === 0 ? [] : [`${twice} frames that stand there twice are taken once`];
