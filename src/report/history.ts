/** What an account traded and earned over all its runs, from the lines of its books. */
import { payoutOf } from '../domain/market.js';
import type { EventId, MarketId } from '../domain/ids.js';
import { MONEY_ONE, PRICE_ONE } from '../domain/units.js';
import type { Currency, Position, Resolution } from '../domain/vocabulary.js';
import { type BookedFill, type BookLine, fillsOf, type HeldOf, placed, type PlacedLine } from './books.js';
import { isoTime } from './csv.js';

export const GROUPINGS = ['day', 'event', 'market', 'instance', 'run'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Sums of a group in one currency; money in units of 0.000001, shares in units of 0.01. */
export interface HistoryRow {
  readonly group: string;
  readonly currency: string;
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
  /** Shares sold that the books never bought: they came before the books began. */
  unbooked: number;
  /** Shares that came or went by other hands, or while no bot ran, as holdings show: at cost, without profit. */
  outside: number;
}

export interface Span {
  readonly from: number | null;
  readonly to: number | null;
  /** This run alone; left out: all. */
  readonly run?: string;
}

/** @param at when it is counted: a resolution counts for the run of the fill */
export const within = (
  at: number,
  { runId }: Pick<BookedFill, 'runId'>,
  { from, to, run = runId }: Span,
): boolean => (from === null || at >= from) && (to === null || at < to) && run === runId;

/** What a group is named by. */
type Owner = Pick<BookedFill, 'runId' | 'instance' | 'currency'> & HeldOf;

/** What is held of one position of a market in one currency. */
interface Stock {
  readonly of: Owner & { readonly at: number };
  shares: number;
  cost: number;
}

/** What the sales of an owner in a market brought. */
interface Earned {
  readonly of: Owner;
  profit: number;
}

/** The rows of a grouping, by currency and in the order of their names. What was bought before the span counts with its cost. */
export function historyOf(lines: readonly BookLine[], by: Grouping, span: Span): readonly HistoryRow[] {
  const rows = new Map<string, HistoryRow>();
  const rowOf = (fill: Owner, at: number): HistoryRow => {
    const group = groupOf(fill, at, by);
    const { currency } = fill;
    const key = `${currency} ${group}`;
    const row = rows.get(key) ?? { group, currency, ...NOTHING };
    rows.set(key, row);
    return row;
  };
  const stocks = new Map<string, Stock>();
  const earned = new Map<string, Earned>();
  for (const step of stepsOf(lines)) {
    if ('fill' in step) {
      const traded = trade(stocks, step.fill);
      earn(earned, step.fill, traded.profit);
      if (within(step.at, step.fill, span)) count(rowOf(step.fill, step.at), step.fill, traded);
    } else if ('emptied' in step) {
      stocks.clear();
      earned.clear();
    } else if ('held' in step)
      for (const { of, shares } of changedBy(stocks, step)) {
        if (within(step.at, of, span)) rowOf(of, step.at).outside += shares;
      }
    else
      for (const { of, profit } of endedBy(step, stocks, earned))
        if (within(step.at, of, span)) rowOf(of, step.at).profit += profit;
  }
  for (const { of, cost } of stocks.values())
    if (by !== 'day' && within(of.at, of, span)) rowOf(of, of.at).held += cost;
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
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
  outside: 0,
};

/** @see PlacedLine */
type Step = { readonly at: number; readonly place: number } & (
  | { readonly fill: BookedFill }
  | { readonly emptied: true }
  /**
   * What is held from now on; `isAll`: of everything else in the currency nothing is, in those `markets` where they are named. Shares of
   * markets that ended do not go: they are paid.
   */
  | {
      readonly held: readonly (HeldOf & { readonly shares: number; readonly cost: number | null })[];
      readonly runId: string;
      readonly currency: Currency;
      readonly isAll: boolean;
      readonly markets?: readonly MarketId[] | undefined;
      readonly isOver: (market: MarketId) => boolean;
    }
  | { readonly marketId: MarketId; readonly resolution: Resolution }
);

/** How a market ended, as far as is known. */
interface Ending {
  resolution: Resolution | null;
  /** Those that say so. */
  steps: Step[];
  readonly told: { readonly time: number; readonly resolution: Resolution | null }[];
}

/** Shares of a market that ends go first, and the news of its end comes soon after. Earlier they went by other hands. */
const PAID_WITHIN = 600_000_000;

/** A market was over if its end was told until soon after, and stands. */
const wasOver = (ending: Ending | undefined, then: number): boolean =>
  (ending?.resolution ?? null) !== null &&
  (ending?.told.findLast(({ time }) => time <= then + PAID_WITHIN)?.resolution ?? null) !== null;

/**
 * A resolution that was taken back is none, and so is one that a later run found to differ. A market ends after its last fill:
 * of a fill that was made before, a run may hear later.
 */
function stepsOf(lines: readonly BookLine[]): readonly Step[] {
  const all = placed(lines);
  const others = new Set<Step>();
  /** Of the venue that stands: the next one may name its markets as this one does. */
  let endings = new Map<MarketId, Ending>();
  for (const { line, time, place } of all.toSorted(byPlace)) {
    if (line.kind === 'emptied') {
      endings = new Map();
      others.add({ at: time, place, emptied: true });
    } else if (line.kind === 'fill') {
      const { at, marketId } = line.fill;
      for (const step of endings.get(marketId)?.steps ?? []) Object.assign(step, { at, place });
    } else if (line.kind === 'resolved') {
      const { at, marketId, resolution } = line;
      const ending = endings.get(marketId) ?? { resolution, steps: [], told: [] };
      endings.set(marketId, ending);
      ending.told.push({ time, resolution });
      if (ending.resolution !== resolution) {
        for (const step of ending.steps) others.delete(step);
        Object.assign(ending, { resolution, steps: [] });
      }
      if (resolution === null) continue;
      const step = { at, place, marketId, resolution };
      others.add(step);
      ending.steps.push(step);
    } else {
      const known = endings;
      others.add(heldStep(line, place, (market) => wasOver(known.get(market), time)));
    }
  }
  const fills = fillsOf(all).map((fill) => ({ at: fill.at, place: fill.place, fill }));
  return [...fills, ...others].toSorted(byPlace);
}

const byPlace = (one: Pick<PlacedLine, 'place'>, other: Pick<PlacedLine, 'place'>): number =>
  one.place - other.place;

/** What a fill did: profit of a sale, and shares sold that these books never bought. */
interface Traded {
  readonly profit: number;
  readonly unbooked: number;
}

/** A purchase earns nothing. Shares that these books never bought are sold at cost. */
function trade(stocks: Map<string, Stock>, fill: BookedFill): Traded {
  const key = keyOf(fill);
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

/** What was held otherwise than the books have it. */
interface Change {
  readonly of: Owner;
  readonly shares: number;
}

function* changedBy(
  stocks: Map<string, Stock>,
  step: Extract<Step, { readonly runId: string }>,
): Generator<Change> {
  const { at, held, runId, currency, isAll, markets, isOver } = step;
  const told = new Set(held.map((one) => keyOf({ ...one, currency })));
  const gone = [...stocks].flatMap(([key, { of }]) =>
    isAll && of.currency === currency && (markets?.includes(of.marketId) ?? true) && !told.has(key)
      ? [{ ...nameOf(of), shares: 0, cost: null }]
      : [],
  );
  for (const one of [...held, ...gone]) {
    const of = { ...nameOf(one), currency, runId, instance: null };
    const key = keyOf(of);
    const stock = stocks.get(key) ?? { of: { ...of, at }, shares: 0, cost: 0 };
    const came = isAll ? one.shares - stock.shares : one.shares;
    if (came === 0 || (came < 0 && (isOver(one.marketId) || stock.shares <= 0))) continue;
    const went = Math.min(stock.shares, -came);
    const cost = came > 0 ? costOf(one, came) : -Math.round((stock.cost * went) / stock.shares);
    stocks.set(key, stock);
    stock.shares += came > 0 ? came : -went;
    stock.cost += cost;
    yield { of: { ...of, instance: stock.of.instance }, shares: Math.abs(came) };
  }
}

/** What shares that came cost, at the average that is told; half of what a share may pay where nothing is. */
const costOf = (
  { shares, cost }: { readonly shares: number; readonly cost: number | null },
  came: number,
): number =>
  Math.round(cost === null || shares === 0 ? (came * PRICE_ONE) / 2 : (cost * came) / Math.abs(shares));

const keyOf = ({ marketId, position, currency }: Pick<Owner, 'marketId' | 'position' | 'currency'>): string =>
  `${marketId} ${position} ${currency}`;
const nameOf = ({ eventId, marketId, position }: HeldOf): HeldOf => ({ eventId, marketId, position });

function heldStep(
  line: Extract<BookLine, { readonly kind: 'held' | 'moved' }>,
  place: number,
  isOver: (market: MarketId) => boolean,
): Step {
  const { at, runId, currency } = line;
  if (line.kind === 'held') {
    const held = line.holdings.map((one) => ({
      ...one,
      cost: one.purchasesAmount === null ? null : one.purchasesAmount * MONEY_ONE,
    }));
    return { at, place, runId, currency, held, isAll: true, markets: line.markets, isOver };
  }
  const { position, shares, longPrice } = line;
  const price = position === 'long' ? longPrice : PRICE_ONE - longPrice;
  const held = [{ ...nameOf(line), shares, cost: Math.abs(shares) * price }];
  return { at, place, runId, currency, held, isAll: false, isOver };
}

function earn(earned: Map<string, Earned>, of: BookedFill, profit: number): void {
  const key = `${of.runId} ${of.instance} ${keyOf(of)}`;
  const known = earned.get(key) ?? { of, profit: 0 };
  earned.set(key, known);
  known.profit += profit;
}

/** What a market that ends pays over cost. One that is void takes back what its sales brought, and returns what shares had cost. */
function* endedBy(
  { marketId, resolution }: Extract<Step, { readonly resolution: Resolution }>,
  stocks: Map<string, Stock>,
  earned: Map<string, Earned>,
): Generator<Earned> {
  for (const { of, shares, cost } of taken(stocks, marketId))
    if (resolution !== 'void' && shares > 0)
      yield { of, profit: payout(of.position, shares, resolution) - cost };
  if (resolution === 'void')
    for (const { of, profit } of taken(earned, marketId)) yield { of, profit: -profit };
}

function* taken<Kept extends { readonly of: Owner }>(
  from: Map<string, Kept>,
  market: MarketId,
): Generator<Kept> {
  for (const [key, one] of from) {
    if (one.of.marketId !== market) continue;
    from.delete(key);
    yield one;
  }
}

function payout(position: Position, shares: number, resolution: Exclude<Resolution, 'void'>): number {
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

function groupOf(fill: Owner, at: number, by: Grouping): string {
  if (by === 'day') return isoTime(at).slice(0, 10);
  if (by === 'run') return fill.runId;
  if (by === 'instance') return fill.instance ?? '-';
  const id: EventId | MarketId = by === 'event' ? fill.eventId : fill.marketId;
  return id;
}
