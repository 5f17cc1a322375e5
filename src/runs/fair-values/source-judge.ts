/** Decides which values of one source count. */
import type { MarketId } from '../../domain/ids.js';
import type { FairValueUpdate } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import {
  type Piece,
  type Refusal,
  REFUSAL_REASONS,
  type RefusalReason,
  type StatedValue,
  ValueReader,
} from './stated-values.js';

/** A refused piece, with its place in the source. */
export interface RefusedPiece extends Refusal {
  readonly line: number;
}

/** A value that counts. */
export interface ArrivedValue {
  readonly arrivedAt: Micros;
  readonly value: FairValueUpdate;
}

/** What came together: of each market its newest value, and what was refused. */
export interface Judged {
  readonly values: readonly ArrivedValue[];
  readonly accepted: number;
  readonly refused: readonly RefusedPiece[];
}

export interface JudgeOptions {
  readonly markets: readonly { readonly id: MarketId; readonly key: string | null }[];
  /** Whether the values were recorded: each has its time, and arrived then unless it says when. */
  readonly isRecorded?: boolean;
}

/** When values came, and what time it is. */
export interface Arrival {
  readonly arrivedAt: Micros;
  readonly now: Micros;
}

/** Clocks of two machines may differ by so much, microseconds. */
const TOLERANCE = 1_000_000;
const NO_REFUSALS = Object.fromEntries(REFUSAL_REASONS.map((reason) => [reason, 0]));

/** Remembers the newest value of each market, and counts what it accepted and refused. */
export class SourceJudge {
  /** By outcome: `accepted`, or why a value was refused. */
  readonly counts: Record<string, number> = { accepted: 0, ...NO_REFUSALS };
  private readonly reader = new ValueReader();
  private readonly names: string;
  /** Keys go before ids. */
  private readonly marketOf: ReadonlyMap<string, MarketId>;
  private readonly known = new Map<MarketId, FairValueUpdate>();

  constructor(private readonly options: JudgeOptions) {
    const { markets } = options;
    const keyed = markets.flatMap(({ id, key }) => (key === null ? [] : [[key, id] as const]));
    this.marketOf = new Map([...markets.map(({ id }) => [String(id), id] as const), ...keyed]);
    this.names = markets.map(({ id, key }) => key ?? id).join(', ');
  }

  /** A new text begins, with a header of its own. */
  begin(): void {
    this.reader.begin();
  }

  judge(pieces: readonly Piece[], arrival: Arrival): Judged {
    const values = new Map<MarketId, ArrivedValue>();
    const refused: RefusedPiece[] = [];
    let accepted = 0;
    for (const { line, content } of pieces) {
      const judged = this.one(content, arrival);
      if (judged === null) continue;
      if ('reason' in judged) {
        this.counts[judged.reason]! += 1;
        refused.push({ line, ...judged });
        continue;
      }
      accepted += 1;
      const { value } = judged;
      if (isSame(this.known.get(value.marketId), value)) continue;
      this.known.set(value.marketId, value);
      values.set(value.marketId, judged);
    }
    this.counts['accepted']! += accepted;
    return { values: [...values.values()], accepted, refused };
  }

  /** @returns null for what holds no value */
  private one(content: unknown, arrival: Arrival): ArrivedValue | Refusal | null {
    const reading = this.reader.read(content);
    if (reading === null) return null;
    return reading.ok ? this.value(reading.value, arrival) : reading.refusal;
  }

  private value(stated: StatedValue, arrival: Arrival): ArrivedValue | Refusal {
    const { market, probability, confidence } = stated;
    const marketId = this.marketOf.get(market);
    if (marketId === undefined) return refusal('unknown-market', `market ${market}`, `one of ${this.names}`);
    if (!isProbability(probability))
      return refusal('not-a-probability', shown('probability', probability), RANGE);
    if (!isProbability(confidence))
      return refusal('not-a-probability', shown('confidence', confidence), RANGE);
    const recorded = stated.arrived ?? stated.at;
    if (recorded === null && this.options.isRecorded === true)
      return refusal('unreadable', `market ${market} without a time`, 'a field time');
    const { arrivedAt, now } =
      recorded !== null && this.options.isRecorded === true
        ? { arrivedAt: recorded, now: recorded }
        : arrival;
    const at = stated.at ?? arrivedAt;
    if (at > now + TOLERANCE)
      return refusal('from-the-future', timeText(at), `at most ${TOLERANCE / 1e6} s after ${timeText(now)}`);
    const known = this.known.get(marketId);
    if (known !== undefined && at < known.at)
      return refusal('older', timeText(at), `not before the value known, of ${timeText(known.at)}`);
    return { arrivedAt, value: { kind: 'fair-value', marketId, p: probability, confidence, at } };
  }
}

const RANGE = 'a number from 0 to 1';

const refusal = (reason: RefusalReason, found: string, expected: string): Refusal => ({
  reason,
  found,
  expected,
});

const isProbability = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 1;

const shown = (name: string, value: unknown): string =>
  `${name} ${typeof value === 'number' ? value : (JSON.stringify(value) ?? 'missing').slice(0, 40)}`;

const timeText = (at: Micros): string => new Date(at / 1_000).toISOString();

const isSame = (known: FairValueUpdate | undefined, { p, confidence, at }: FairValueUpdate): boolean =>
  known?.p === p && known.confidence === confidence && known.at === at;
