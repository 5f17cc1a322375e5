/** What is on a tape, counted in one pass. */
import type { MarketId } from '../../domain/ids.js';
import type { RecordedLine } from '../../domain/recorded.js';
import type { Micros } from '../../domain/units.js';
import { DuplicateFrames, InputOrder } from './tape-line.js';
import { MarketData } from './market-data.js';
import type { HeadRecord, NamedMarket, TapeLine } from './records.js';
import type { TapePlace } from './tape-files.js';
import { type PlacedLine, type TapeEnding, TapeReader, type TapeReaderOptions } from './tape-reader.js';

export interface MarketCount {
  readonly market: MarketId;
  readonly title: string;
  readonly books: number;
  readonly trades: number;
  readonly statuses: number;
  /** From outside. */
  readonly fairValues: number;
}

/** A time without data, and why. */
export interface SilentTime {
  readonly from: Micros | null;
  readonly to: Micros;
  readonly reason: string;
  /** Lines that were left out; null where nobody knows. */
  readonly lines: number | null;
}

/** Something that does not fit the tape's head, although every line is as it was written. */
export interface Oddity {
  readonly place: TapePlace;
  readonly text: string;
}

export interface TapeSurvey {
  readonly heads: readonly HeadRecord[];
  readonly files: number;
  readonly lines: number;
  readonly first: Micros | null;
  readonly last: Micros | null;
  readonly kinds: Readonly<Record<string, number>>;
  readonly events: Readonly<Record<string, number>>;
  readonly markets: readonly MarketCount[];
  /** The first {@link MOST_LISTED}; `gapCount` counts all. */
  readonly gaps: readonly SilentTime[];
  readonly gapCount: number;
  readonly oddities: readonly Oddity[];
  readonly oddityCount: number;
  /** Duplicate frames. */
  readonly twice: number;
  /** Inputs of an engine; 0 where none ran. */
  readonly inputs: number;
  readonly end: { readonly outcome: string; readonly decisions: number; readonly hash: string } | null;
  readonly ending: TapeEnding;
}

/** Gaps and oddities that are kept: memory must not grow with the tape. */
const MOST_LISTED = 50;

type Mutable<Item> = { -readonly [Name in keyof Item]: Item[Name] };

const CONNECTION = 'connection lost';
const NEVER = 'not connected yet';

class Surveyor {
  readonly heads: HeadRecord[] = [];
  readonly kinds: Record<string, number> = {};
  readonly events: Record<string, number> = {};
  readonly gaps: SilentTime[] = [];
  readonly oddities: Oddity[] = [];
  gapCount = 0;
  oddityCount = 0;
  lines = 0;
  files = 0;
  first: Micros | null = null;
  last: Micros | null = null;
  end: TapeSurvey['end'] = null;
  readonly #markets = new Map<MarketId, Mutable<MarketCount>>();
  readonly #data = new MarketData();
  readonly #sequence = new InputOrder();
  readonly #twice = new DuplicateFrames();
  readonly #known = new Map<MarketId, NamedMarket>();
  readonly #strange = new Set<MarketId>();
  #lostAt: Micros | null = null;
  #lost = NEVER;
  /** When a recorder began that has not been connected yet. */
  #unconnectedAt: Micros | null = null;

  take({ line, place }: PlacedLine): void {
    this.lines += 1;
    count(this.kinds, line.kind);
    this.#twice.isDuplicate(line);
    const odd = this.#sequence.check(line);
    if (odd !== null) this.#odd(place, odd);
    this.#place(line);
    for (const said of this.#data.of(line)) this.#count(said, place);
    this.last = line.at;
    this.first ??= line.at;
  }

  result(ending: TapeEnding): TapeSurvey {
    this.#endSilence(this.last);
    const { heads, files, lines, first, last, kinds, events, gaps, gapCount, oddities, oddityCount, end } =
      this;
    const [twice, inputs, markets] = [this.#twice.count, this.#sequence.inputs, [...this.#markets.values()]];
    return {
      heads,
      files,
      lines,
      first,
      last,
      kinds,
      events,
      markets,
      gaps,
      gapCount,
      oddities,
      oddityCount,
      twice,
      inputs,
      end,
      ending,
    };
  }

  #place(line: TapeLine): void {
    if (line.kind === 'segment') this.files += 1;
    else if (line.kind === 'head') this.#headed(line, line.at);
    else if (line.kind === 'frame') count(this.events, line.event);
    else if (line.kind === 'end')
      this.end = { outcome: line.outcome, decisions: line.decisions, hash: line.hash };
    else if (line.kind === 'gap') {
      const { at: to, micros, reason, lines } = line;
      this.#gap({ from: micros === null ? null : ((to - micros) as Micros), to, reason, lines });
    } else if (line.kind === 'input' && line.input.kind === 'link')
      this.#connection(line.input.state, line.at);
    else if (line.kind === 'input' && line.input.kind === 'outside')
      for (const { kind, marketId } of line.input.values)
        if (kind === 'fair-value') this.#market(marketId).fairValues += 1;
  }

  #headed(head: HeadRecord, at: Micros): void {
    this.#endSilence(this.last);
    this.#unconnectedAt = head.purpose === 'record' || head.purpose === 'bot' ? at : null;
    this.heads.push(head);
    for (const market of head.markets) this.#known.set(market.marketId, market);
    for (const { marketId } of head.markets) this.#market(marketId);
  }

  #connection(state: 'connected' | 'lost' | 'refused', at: Micros): void {
    if (state === 'connected') this.#endSilence(at);
    else if (this.#lostAt === null) {
      this.#lost = this.#unconnectedAt === null ? CONNECTION : NEVER;
      this.#lostAt = this.#unconnectedAt ?? at;
    }
    this.#unconnectedAt = null;
  }

  /** Also at the end of the tape, or of the recorder's run. */
  #endSilence(to: Micros | null): void {
    const from = this.#lostAt;
    this.#lostAt = null;
    if (from !== null && to !== null && to > from) this.#gap({ from, to, reason: this.#lost, lines: null });
  }

  /** A market that the head does not name is reported once: its tick is unknown. */
  #count({ kind, marketId }: RecordedLine, place: TapePlace): void {
    const isKnown = this.#known.size === 0 || this.#known.has(marketId);
    // An event states the statuses of all its markets, also of those that nobody recorded.
    if (kind === 'status' && !isKnown) return;
    if (!isKnown && !this.#strange.has(marketId)) {
      this.#strange.add(marketId);
      this.#odd(place, `market ${marketId} is none of those that the tape's head names`);
    }
    this.#market(marketId)[COLUMN[kind]] += 1;
  }

  #market(market: MarketId): Mutable<MarketCount> {
    let counted = this.#markets.get(market);
    if (counted === undefined) {
      const title = this.#known.get(market)?.title ?? `Market ${market}`;
      counted = { market, title, books: 0, trades: 0, statuses: 0, fairValues: 0 };
      this.#markets.set(market, counted);
    }
    return counted;
  }

  #gap(gap: SilentTime): void {
    this.gapCount += 1;
    if (this.gaps.length < MOST_LISTED) this.gaps.push(gap);
  }

  #odd(place: TapePlace, text: string): void {
    this.oddityCount += 1;
    if (this.oddities.length < MOST_LISTED) this.oddities.push({ place, text });
  }
}

const COLUMN = { book: 'books', trade: 'trades', status: 'statuses' } as const;

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/**
 * Reads a whole tape, checks every line against the one before, and counts.
 * @throws TapeError at the first line that is not as it was written
 */
export async function surveyTape(path: string, options: TapeReaderOptions = {}): Promise<TapeSurvey> {
  const reader = new TapeReader(path, options);
  const surveyor = new Surveyor();
  for await (const batch of reader.batches()) for (const placed of batch) surveyor.take(placed);
  return surveyor.result(reader.ending);
}
