/** Moves of the mid are taken over so many seconds. */
export const VOLATILITY_SECONDS = [1, 5, 30] as const;

/** The mid is looked at so many seconds after a taker. */
export const MOVE_SECONDS = [1, 5, 10, 30] as const;

/** Leaving out each of fewer stretches says nothing of how sure a figure is. */
export const FEWEST_BLOCKS = 10;

/** A figure with how sure it is. */
export interface Estimate {
  readonly value: number;
  /** By leaving out stretches of time; null where there are too few. */
  readonly error: number | null;
}

/** How a mid lies on the grid of its market. */
export interface Footing {
  /** Of the mids that lie alike. */
  readonly key: number;
  /** Price units of one step. */
  readonly tick: number;
  /** From the mid to the next price of the grid, price units: nothing, or half a step. */
  readonly offset: number;
}

/** Of a mid that is half way between two prices of the grid, as where the spread is an odd number of steps; or is one of them. */
export function footingOf(mid: number, tick: number): Footing {
  const isBetween = Math.round((mid / tick) * 2) % 2 !== 0;
  return { key: tick * 2 + (isBetween ? 1 : 0), tick, offset: isBetween ? tick / 2 : 0 };
}

/** Mids of one footing. */
interface Mids {
  readonly footing: Footing;
  /** How long there was one; a market each. */
  seconds: number;
  /** Takers by how far from it they reached, price units; those alone that went beyond it. */
  readonly reaches: Map<number, number>;
}

/** Takers that reached one distance from the mid, and how the mid moved their way. */
interface Followed {
  takers: number;
  prints: number;
  /** Of each of {@link MOVE_SECONDS}: moves that were seen, and their sum, price units. */
  readonly counts: number[];
  readonly moves: number[];
}

/** Moves of the mid per interval of {@link VOLATILITY_SECONDS}, and their squares as prices. */
export class MidMoves implements Mergeable<MidMoves> {
  readonly intervals = VOLATILITY_SECONDS.map(() => ({ count: 0, squares: 0 }));

  add(other: MidMoves): void {
    this.intervals.forEach((interval, index) => {
      interval.count += other.intervals[index]!.count;
      interval.squares += other.intervals[index]!.squares;
    });
  }
}

/** What a stretch of recordings shows; stretches add up. */
export class CalibrationSums implements Mergeable<CalibrationSums> {
  /** With a mid; a market each. */
  seconds = 0;
  trades = 0;
  /** Takers that came, whatever the number of their prints. */
  sweeps = 0;
  /** By the key of their footing. */
  readonly mids = new Map<number, Mids>();
  readonly moves = new MidMoves();

  /** By how far takers reached from the mid, price units; those alone that went beyond it. */
  readonly after = new Map<number, Followed>();

  /** So much longer there was a mid of that footing. */
  stood(footing: Footing, seconds: number): void {
    this.seconds += seconds;
    this.#mids(footing).seconds += seconds;
  }

  /** Takers reached so far from a mid of that footing. */
  reached(footing: Footing, reach: number, takers = 1): void {
    if (reach <= 0) return;
    const { reaches } = this.#mids(footing);
    reaches.set(reach, (reaches.get(reach) ?? 0) + takers);
  }

  /** A taker reached so far, in so many prints. */
  taken(reach: number, prints: number, takers = 1): void {
    if (reach <= 0) return;
    const known = this.#followed(reach);
    known.takers += takers;
    known.prints += prints;
  }

  /** The mid moved a taker's way by so many price units. @param time place in {@link MOVE_SECONDS} */
  moved(reach: number, time: number, move: number, count = 1): void {
    if (reach <= 0) return;
    const known = this.#followed(reach);
    known.counts[time]! += count;
    known.moves[time]! += move;
  }

  add(other: CalibrationSums): void {
    this.seconds += other.seconds;
    this.trades += other.trades;
    this.sweeps += other.sweeps;
    for (const { footing, seconds, reaches } of other.mids.values()) {
      this.#mids(footing).seconds += seconds;
      for (const [reach, takers] of reaches) this.reached(footing, reach, takers);
    }
    for (const [reach, { takers, prints, counts, moves }] of other.after) {
      this.taken(reach, prints, takers);
      MOVE_SECONDS.forEach((_, time) => this.moved(reach, time, moves[time]!, counts[time]));
    }
    this.moves.add(other.moves);
  }

  #followed(reach: number): Followed {
    const known = this.after.get(reach) ?? {
      takers: 0,
      prints: 0,
      counts: MOVE_SECONDS.map(() => 0),
      moves: MOVE_SECONDS.map(() => 0),
    };
    this.after.set(reach, known);
    return known;
  }

  #mids(footing: Footing): Mids {
    const known = this.mids.get(footing.key) ?? { footing, seconds: 0, reaches: new Map<number, number>() };
    this.mids.set(footing.key, known);
    return known;
  }
}

/** Sums that can be merged. */
export interface Mergeable<Sums> {
  add(other: Sums): void;
}

/**
 * Sums by stretches of time, so that an estimate can be made without each of them in turn. There are at most so many
 * stretches in which something happened; all double in length when there would be more. Pauses, such as those between
 * recordings of different days, take no room.
 */
export class TimeBlocks<Sums extends Mergeable<Sums>> {
  #blocks = new Map<number, Sums>();
  #width: number;
  #startedAt: number | null = null;

  /**
   * @param width at first, microseconds
   * @param most  stretches
   */
  constructor(
    width: number,
    private readonly most: number,
    private readonly empty: () => Sums,
  ) {
    this.#width = width;
  }

  /** The stretch that a time lies in; what is before the first time counts to its stretch. */
  at(micros: number): Sums {
    this.#startedAt ??= micros;
    const known = this.#blocks.get(this.#indexOf(micros));
    if (known !== undefined) return known;
    if (this.#blocks.size >= this.most) {
      this.#fold();
      return this.at(micros);
    }
    const block = this.empty();
    this.#blocks.set(this.#indexOf(micros), block);
    return block;
  }

  /** Those with anything in them, in order of time. */
  get all(): readonly Sums[] {
    return [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
  }

  /** Microseconds that one covers. */
  get width(): number {
    return this.#width;
  }

  #indexOf(micros: number): number {
    return Math.max(0, Math.floor((micros - (this.#startedAt ?? micros)) / this.#width));
  }

  #fold(): void {
    const folded = new Map<number, Sums>();
    for (const [index, block] of this.#blocks) {
      const into = Math.floor(index / 2);
      const known = folded.get(into);
      if (known === undefined) folded.set(into, block);
      else known.add(block);
    }
    this.#blocks = folded;
    this.#width *= 2;
  }
}

/**
 * Standard errors of estimates by leaving out one stretch at a time (Efron and Tibshirani 1993, chapter 11): what
 * comes in clusters makes them larger, as it should.
 * @param estimates from all blocks but one, always as many
 * @returns null for all below two stretches; null for an estimate that one of them decides alone
 */
export function jackknifeErrors<Sums extends Mergeable<Sums>>(
  blocks: readonly Sums[],
  empty: () => Sums,
  estimates: (sums: Sums) => readonly (number | null)[],
): readonly (number | null)[] | null {
  if (blocks.length < 2) return null;
  const all = blocks.map((_, left) =>
    estimates(
      sumOf(
        blocks.filter((__, index) => index !== left),
        empty,
      ),
    ),
  );
  return all[0]!.map((_, place) => spreadOf(all.map((one) => one[place]!)));
}

function spreadOf(values: readonly (number | null)[]): number | null {
  if (!values.every((value) => value !== null)) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt((squares * (values.length - 1)) / values.length);
}

/** {@link jackknifeErrors} of one estimate. */
export const jackknifeError = <Sums extends Mergeable<Sums>>(
  blocks: readonly Sums[],
  empty: () => Sums,
  estimate: (sums: Sums) => number | null,
): number | null => jackknifeErrors(blocks, empty, (sums) => [estimate(sums)])?.[0] ?? null;

/** All stretches as one. */
export function sumOf<Sums extends Mergeable<Sums>>(blocks: readonly Sums[], empty: () => Sums): Sums {
  const sum = empty();
  for (const block of blocks) sum.add(block);
  return sum;
}
