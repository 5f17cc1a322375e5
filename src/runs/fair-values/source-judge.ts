/** Decides which values of one source count. */
import type { MarketId } from '../../domain/ids.js';
import type { OutsideValue } from '../../domain/inputs.js';
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
  readonly value: OutsideValue;
}

/** What came together: of each market its newest value, and of each signal, and what was refused. */
export interface Judged {
  readonly values: readonly ArrivedValue[];
  readonly accepted: number;
  readonly refused: readonly RefusedPiece[];
}

export interface JudgeOptions {
  readonly markets: readonly { readonly id: MarketId; readonly key: string | null }[];
  /** Whether the source gives no fair values. */
  readonly signalsOnly?: boolean;
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
/** Signals of one source. */
const MOST_NAMES = 100;
/** As strategies declare signals. */
const SIGNAL_NAME = /^[a-z][a-zA-Z0-9]*$/;
const NO_REFUSALS = Object.fromEntries(REFUSAL_REASONS.map((reason) => [reason, 0]));

/** Remembers the newest value of each market, and counts what it accepted and refused. */
export class SourceJudge {
  /** By outcome: `accepted`, or why a value was refused. */
  readonly counts: Record<string, number> = { accepted: 0, ...NO_REFUSALS };
  private readonly reader = new ValueReader();
  private readonly names: string;
  /** Keys go before ids. */
  private readonly marketOf: ReadonlyMap<string, MarketId>;
  /** By market and name. */
  private readonly known = new Map<string, OutsideValue>();

  private readonly signalNames = new Set<string>();

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
    const values = new Map<string, ArrivedValue>();
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
      const subject = subjectOf(value);
      if (isSame(this.known.get(subject), value)) continue;
      this.known.set(subject, value);
      values.set(subject, judged);
    }
    this.counts['accepted']! += accepted;
    return { values: [...values.values()], accepted, refused };
  }

  /** A source that makes up names fills no memory. */
  private mayName(name: string): boolean {
    if (this.signalNames.has(name)) return true;
    if (!SIGNAL_NAME.test(name) || this.signalNames.size >= MOST_NAMES) return false;
    this.signalNames.add(name);
    return true;
  }

  /** @returns null for what holds no value */
  private one(content: unknown, arrival: Arrival): ArrivedValue | Refusal | null {
    const reading = this.reader.read(content);
    if (reading === null) return null;
    return reading.ok ? this.value(reading.value, arrival) : reading.refusal;
  }

  private value(stated: StatedValue, arrival: Arrival): ArrivedValue | Refusal {
    const { market, name, value, confidence } = stated;
    const marketId = this.marketOf.get(market);
    if (marketId === undefined) return refusal('unknown-market', `market ${market}`, `one of ${this.names}`);
    if (name === null && this.options.signalsOnly === true)
      return refusal(
        'unreadable',
        `market ${market} without a name`,
        'the fields name and value of a signal',
      );
    if (typeof value !== 'number' || !Number.isFinite(value) || (name === null && !isProbability(value)))
      return name === null
        ? refusal('not-a-probability', shown('probability', value), RANGE)
        : refusal('not-a-number', shown(`${name} with value`, value), 'a number');
    if (name !== null && !this.mayName(name))
      return refusal(
        'unreadable',
        `name ${name.slice(0, 40)}`,
        `a camelCase name, one of at most ${MOST_NAMES}`,
      );
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
    const said: OutsideValue =
      name === null
        ? { kind: 'fair-value', marketId, p: value, confidence, at }
        : { kind: 'signal', marketId, name, value, confidence, at };
    const known = this.known.get(subjectOf(said));
    if (known !== undefined && at < known.at)
      return refusal('older', timeText(at), `not before the value known, of ${timeText(known.at)}`);
    return { arrivedAt, value: said };
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

export const subjectOf = (value: OutsideValue): string =>
  value.kind === 'signal' ? `${value.marketId} ${value.name}` : value.marketId;

const numberOf = (value: OutsideValue): number => (value.kind === 'signal' ? value.value : value.p);

const isSame = (known: OutsideValue | undefined, said: OutsideValue): boolean =>
  known !== undefined &&
  numberOf(known) === numberOf(said) &&
  known.confidence === said.confidence &&
  known.at === said.at;
