/** The lines of the books of an account, in the order in which things happened. */
import type { Fill } from '../domain/fill.js';
import type { EventId, MarketId } from '../domain/ids.js';
import type { Micros, Shares } from '../domain/units.js';
import type { Currency, Position, Resolution } from '../domain/vocabulary.js';
import type { KnownFill } from './fill-files.js';
import { FillRows } from './fill-rows.js';

/** A fill of the books, with the run that it belongs to. */
export interface BookedFill extends KnownFill {
  readonly runId: string;
  /** Of its line, see {@link PlacedLine}. */
  readonly place: number;
}

/** What the books of an account tell, in the order in which it was written. */
export type BookLine =
  | { readonly kind: 'fill'; readonly runId: string; readonly instance: string | null; readonly fill: Fill }
  | {
      readonly kind: 'resolved';
      readonly at: Micros;
      readonly marketId: MarketId;
      readonly resolution: Resolution | null;
    }
  | { readonly kind: 'emptied' }
  /** What the venue said that was held in the currency of a run when it began. */
  | {
      readonly kind: 'held';
      readonly at: Micros;
      readonly runId: string;
      readonly currency: Currency;
      /** Of which the line speaks, where the run trades a part of the account; absent: of all. */
      readonly markets?: readonly MarketId[];
      readonly holdings: readonly (HeldOf & {
        readonly shares: Shares;
        /** As the venue states it, in currency units; null: it does not. */
        readonly purchasesAmount: number | null;
      })[];
    }
  /** Shares that came, or went (negative), without a fill of the run. */
  | (HeldOf & {
      readonly kind: 'moved';
      readonly at: Micros;
      readonly runId: string;
      readonly currency: Currency;
      readonly shares: Shares;
      /** What a long share was worth, in price units. */
      readonly longPrice: number;
    });

export interface HeldOf {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly position: Position;
}

/** A line, with its place among all of them in the order in which things happened. */
export interface PlacedLine {
  readonly line: BookLine;
  /** As if no clock had been set back between two runs. */
  readonly time: number;
  readonly place: number;
}

/**
 * The lines as the file has them, each once. Those of a run are in the order of their times, since a run may tell late of a
 * fill; a run comes after what stands before its first line, even if the clock was set back in between.
 */
export function placed(lines: readonly BookLine[]): readonly PlacedLine[] {
  const known = new Set<string>();
  /** By run: what its clock lacks. */
  const lags = new Map<string, number>();
  let lag = 0;
  let latest = 0;
  const timeOf = (line: BookLine): number => {
    if (line.kind === 'emptied') return latest;
    if (line.kind === 'resolved') return Math.max(latest, line.at + lag);
    const at = line.kind === 'fill' ? line.fill.at : line.at;
    lag = lags.get(line.runId) ?? Math.max(0, latest - at);
    lags.set(line.runId, lag);
    return at + lag;
  };
  const found: { line: BookLine; time: number; place: number }[] = [];
  for (const line of lines) {
    // A full disk may have taken a line before it refused: then the line was written again.
    const name = nameOf(line);
    if (name !== null && known.has(name)) continue;
    if (name !== null) known.add(name);
    const time = timeOf(line);
    latest = Math.max(latest, time);
    found.push({ line, time, place: 0 });
  }
  for (const [place, one] of found.toSorted((one, other) => one.time - other.time).entries())
    one.place = place;
  return found;
}

/** A resolution, or that all is gone, may be told twice. */
function nameOf(line: BookLine): string | null {
  if (line.kind === 'fill') return `${line.runId} ${line.fill.id}`;
  return line.kind === 'held' || line.kind === 'moved' ? JSON.stringify(line) : null;
}

/** The fills of all runs as they were known in the end, in the order in which they happened. */
export const bookedFills = (lines: readonly BookLine[]): readonly BookedFill[] => fillsOf(placed(lines));

export function fillsOf(lines: readonly PlacedLine[]): readonly BookedFill[] {
  const runs = new Map<string, FillRows<BookedFill>>();
  const booked = lines.flatMap(({ line, place }) => {
    if (line.kind !== 'fill') return [];
    const { runId, instance, fill } = line;
    const rows = runs.get(runId) ?? new FillRows<BookedFill>();
    runs.set(runId, rows);
    return rows.take(fill, { ...fill, runId, instance, place });
  });
  const inferred = [...runs.values()].flatMap((rows) => rows.rest());
  return [...booked, ...inferred].toSorted((one, other) => one.place - other.place);
}
