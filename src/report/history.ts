/** What an account traded and earned over all its runs, from the lines of its books. */
import { payoutOf } from '../domain/market.js';
import type { Fill } from '../domain/fill.js';
import type { EventId, MarketId } from '../domain/ids.js';
import { type Micros, PRICE_ONE } from '../domain/units.js';
import type { Position, Resolution } from '../domain/vocabulary.js';
import { isoTime } from './csv.js';
import type { KnownFill } from './fill-files.js';
import { FillRows } from './fill-rows.js';

/** A fill of the books, with the run that it belongs to. */
export interface BookedFill extends KnownFill {
  readonly runId: string;
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
  | { readonly kind: 'emptied' };

export const GROUPINGS = ['day', 'event', 'market', 'instance', 'run'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Sums of a group; money in units of 0.000001, shares in units of 0.01. */
export interface HistoryRow {
  readonly group: string;
  fills: number;
  /** Of them those of which no message told. */
  inferred: number;
  shares: number;
  bought: number;
  sold: number;
  fees: number;
  /** Of sales and resolutions against the average cost of what was held, fees taken off. */
  profit: number;
  /** What the shares cost that are still held. */
  held: number;
  /** Shares sold that the books never bought: they came while no bot ran, or by hand. */
  unbooked: number;
}

export interface Span {
  readonly from: number | null;
  readonly to: number | null;
  /** This run alone; left out: all. */
  readonly run?: string;
}

/** The fills of all runs as they were known in the end, by time. */
export function bookedFills(lines: readonly BookLine[]): readonly BookedFill[] {
  const runs = new Map<string, FillRows<BookedFill>>();
  const known = new Set<string>();
  const booked = lines.flatMap((line) => {
    if (line.kind !== 'fill') return [];
    const { runId, instance, fill } = line;
    const name = `${runId} ${fill.id}`;
    // A full disk may have taken a line before it refused: then the line was written again.
    if (known.has(name)) return [];
    known.add(name);
    const rows = runs.get(runId) ?? new FillRows<BookedFill>();
    runs.set(runId, rows);
    return rows.take(fill, { ...fill, runId, instance });
  });
  const inferred = [...runs.values()].flatMap((rows) => rows.rest());
  return [...booked, ...inferred].toSorted((one, other) => one.at - other.at);
}

/** @param at when it is counted: a resolution counts for the run of the fill */
export const within = (at: number, { runId }: BookedFill, { from, to, run = runId }: Span): boolean =>
  (from === null || at >= from) && (to === null || at < to) && run === runId;

/** What is held of one position of a market. */
interface Stock {
  readonly of: BookedFill;
  shares: number;
  cost: number;
}

/** The rows of a grouping, in the order of their names. What was bought before the span counts with its cost. */
export function historyOf(lines: readonly BookLine[], by: Grouping, span: Span): readonly HistoryRow[] {
  const rows = new Map<string, HistoryRow>();
  const rowOf = (fill: BookedFill, at: number): HistoryRow => {
    const group = groupOf(fill, at, by);
    const row = rows.get(group) ?? { group, ...NOTHING };
    rows.set(group, row);
    return row;
  };
  const stocks = new Map<string, Stock>();
  const steps = stepsOf(lines);
  for (const step of steps) {
    if ('fill' in step) {
      const traded = trade(stocks, step.fill);
      if (within(step.at, step.fill, span)) count(rowOf(step.fill, step.at), step.fill, traded);
    } else if ('emptied' in step) stocks.clear();
    else
      for (const { of, shares, cost } of taken(stocks, step.marketId)) {
        const paid = payout(of.position, shares, cost, step.resolution);
        if (within(step.at, of, span)) rowOf(of, step.at).profit += paid - cost;
      }
  }
  for (const { of, cost } of stocks.values())
    if (by !== 'day' && within(of.at, of, span)) rowOf(of, of.at).held += cost;
  return [...rows.values()].toSorted((one, other) => (one.group < other.group ? -1 : 1));
}

const NOTHING = {
  fills: 0,
  inferred: 0,
  shares: 0,
  bought: 0,
  sold: 0,
  fees: 0,
  profit: 0,
  held: 0,
  unbooked: 0,
};

type Step = { readonly at: number } & (
  | { readonly fill: BookedFill }
  | { readonly emptied: true }
  | { readonly marketId: MarketId; readonly resolution: Resolution }
);

/** A resolution that was taken back is none, and so is one that a later run found to differ. */
function stepsOf(lines: readonly BookLine[]): readonly Step[] {
  const others = new Set<Step>();
  /** How each market ended, as far as is known, with the steps that say so. */
  const endings = new Map<MarketId, { readonly resolution: Resolution | null; readonly steps: Step[] }>();
  let last = 0;
  for (const line of lines) {
    if (line.kind === 'emptied') {
      endings.clear();
      others.add({ at: last, emptied: true });
      continue;
    }
    last = line.kind === 'fill' ? line.fill.at : line.at;
    if (line.kind === 'fill') continue;
    const { at, marketId, resolution } = line;
    let ending = endings.get(marketId);
    if (ending?.resolution !== resolution) {
      for (const step of ending?.steps ?? []) others.delete(step);
      endings.set(marketId, (ending = { resolution, steps: [] }));
    }
    if (resolution === null) continue;
    const step = { at, marketId, resolution };
    others.add(step);
    ending.steps.push(step);
  }
  const fills = bookedFills(lines).map((fill) => ({ at: fill.at, fill }));
  return [...fills, ...others].toSorted((one, other) => one.at - other.at);
}

/** What a fill did: profit of a sale, and shares sold that these books never bought. */
interface Traded {
  readonly profit: number;
  readonly unbooked: number;
}

/** A purchase earns nothing. Shares that these books never bought are sold at cost. */
function trade(stocks: Map<string, Stock>, fill: BookedFill): Traded {
  const key = `${fill.marketId} ${fill.position}`;
  const stock = stocks.get(key) ?? { of: fill, shares: 0, cost: 0 };
  stocks.set(key, stock);
  if (fill.side === 'bid') {
    stock.shares += fill.shares;
    stock.cost += fill.amount + fill.fee;
    return { profit: 0, unbooked: 0 };
  }
  const known = Math.min(fill.shares, stock.shares);
  const cost = stock.shares === 0 ? 0 : Math.round((stock.cost * known) / stock.shares);
  stock.shares -= known;
  stock.cost -= cost;
  const share = fill.shares === 0 ? 1 : known / fill.shares;
  const profit = Math.round((fill.amount - fill.fee) * share) - cost;
  return { profit, unbooked: fill.shares - known };
}

function* taken(stocks: Map<string, Stock>, market: MarketId): Generator<Stock> {
  for (const position of ['long', 'short'] as const) {
    const key = `${market} ${position}`;
    const stock = stocks.get(key);
    stocks.delete(key);
    if (stock !== undefined && stock.shares > 0) yield stock;
  }
}

/** A void market gives back what shares had cost. */
function payout(position: Position, shares: number, cost: number, resolution: Resolution): number {
  if (resolution === 'void') return cost;
  const long = payoutOf(resolution);
  return shares * (position === 'long' ? long : PRICE_ONE - long);
}

function count(row: HistoryRow, fill: BookedFill, { profit, unbooked }: Traded): void {
  const { side, shares, amount, fee, isInferred } = fill;
  row.fills += 1;
  if (isInferred) row.inferred += 1;
  row.shares += shares;
  row[side === 'bid' ? 'bought' : 'sold'] += amount;
  row.fees += fee;
  row.profit += profit;
  row.unbooked += unbooked;
}

function groupOf(fill: BookedFill, at: number, by: Grouping): string {
  if (by === 'day') return isoTime(at).slice(0, 10);
  if (by === 'run') return fill.runId;
  if (by === 'instance') return fill.instance ?? '-';
  const id: EventId | MarketId = by === 'event' ? fill.eventId : fill.marketId;
  return id;
}
