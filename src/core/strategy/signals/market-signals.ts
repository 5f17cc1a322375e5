import type { FillView, PlainJson, SignalView, TradeView } from '../contract.js';
import type { SignalUpdate } from '../../../domain/inputs.js';
import type { Computation, Reading, SignalLook, SignalSources } from './computation.js';
import type { DeclaredSignal } from './declared.js';

export type SignalViews = Readonly<Record<string, SignalView | null>>;

const NO_SIGNALS: SignalViews = Object.freeze({});

/** What the signals of one market remember of earlier runs, by what they compute. */
export interface SignalMemory {
  signals: Readonly<Record<string, PlainJson>>;
}

/** All signals of one market. Those that are declared alike are computed once. */
export class MarketSignals {
  /** As of the last look. */
  views: SignalViews = NO_SIGNALS;
  /** Why the market must halt: a required signal that is missing or too old; null when none is. */
  halt: string | null = null;
  /** When time alone changes a signal, in milliseconds; null: it does not. */
  dueMs: number | null = null;
  /** By name, as of the last look. */
  private readonly readings = new Map<string, Reading>();
  private declared: readonly DeclaredSignal[] = [];
  private computations: ReadonlyMap<string, Computation> = new Map();

  /** Numbers from outside by name. */
  private readonly outside = new Map<string, Reading>();
  private readonly sources: SignalSources;

  /**
   * @param prints whether the venue tells of trades
   * @param memory of earlier runs; it follows what changes
   */
  constructor(
    prints: boolean,
    private readonly memory: SignalMemory = { signals: {} },
  ) {
    this.sources = { prints, outside: (name) => this.outside.get(name) ?? null };
  }

  /** Takes these signals; those that are computed already go on. */
  declare(declared: readonly DeclaredSignal[]): void {
    if (declared === this.declared) return;
    const before = this.computations;
    this.declared = declared;
    this.computations = new Map(
      declared.map(({ key, open }) => [key, before.get(key) ?? this.remembering(key, open)] as const),
    );
    this.views = NO_SIGNALS;
    this.halt = null;
    this.dueMs = null;
  }

  filled(fill: FillView, nowMs: number): void {
    for (const computation of this.computations.values()) computation.filled?.(fill, nowMs);
    this.remember();
  }

  printed(trade: TradeView, nowMs: number): void {
    for (const computation of this.computations.values()) computation.printed?.(trade, nowMs);
  }

  /** An older number than the one known is ignored. */
  told({ name, value, confidence, at }: SignalUpdate): void {
    const known = this.outside.get(name);
    const atMs = at / 1_000;
    if ((known?.atMs ?? 0) > atMs) return;
    this.outside.set(name, { value, confidence, count: (known?.count ?? 0) + 1, atMs });
  }

  /** Those that had a value at the last look, for whoever watches the run: nothing is computed for them. */
  standing(nowMs: number): readonly StandingSignal[] {
    return this.declared.flatMap(({ name }) => {
      const reading = this.readings.get(name);
      return reading === undefined ? [] : [{ name, ageMs: ageOf(reading, nowMs) }];
    });
  }

  /** @param look made only where there are signals */
  look(look: () => SignalLook): void {
    if (this.declared.length === 0) return;
    const shown = look();
    const { nowMs } = shown;
    let due = Infinity;
    for (const computation of this.computations.values()) {
      computation.look(shown);
      due = Math.min(due, computation.dueMs ?? Infinity);
    }
    const views: Record<string, SignalView | null> = {};
    this.halt = null;
    this.readings.clear();
    for (const { name, key, required, maxAgeMs } of this.declared) {
      const reading = this.computations.get(key)!.read(nowMs);
      if (reading !== null) this.readings.set(name, reading);
      const ageMs = reading === null ? 0 : ageOf(reading, nowMs);
      const isFresh = reading !== null && ageMs <= maxAgeMs;
      if (isFresh && reading.atMs !== null) due = Math.min(due, reading.atMs + maxAgeMs + SOON_MS);
      if (required && !isFresh) this.halt ??= `signal-${reading === null ? 'missing' : 'expired'}-${name}`;
      views[name] = isFresh
        ? { value: reading.value, ageMs, confidence: reading.confidence, count: reading.count }
        : null;
    }
    this.views = views;
    this.dueMs = due === Infinity ? null : due;
    this.remember();
  }

  private remembering(key: string, open: DeclaredSignal['open']): Computation {
    const computation = open(this.sources);
    const remembered = this.memory.signals[key];
    if (remembered !== undefined) computation.memory = remembered;
    return computation;
  }

  private remember(): void {
    const { memory } = this;
    for (const [key, computation] of this.computations) {
      const remembered = computation.memory ?? null;
      if (remembered !== null && memory.signals[key] !== remembered)
        memory.signals = { ...memory.signals, [key]: remembered };
    }
  }
}

const ageOf = ({ atMs }: Reading, nowMs: number): number => (atMs === null ? 0 : nowMs - atMs);

/** A signal that has a value, however old. */
export interface StandingSignal {
  readonly name: string;
  readonly ageMs: number;
}

/** Just after its oldest age a signal has expired: the next microsecond. */
const SOON_MS = 0.001;
