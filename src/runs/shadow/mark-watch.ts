import { MARK_OUT_SECONDS } from '../../analytics/mark-outs.js';
import type { MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { BookChange } from '../../storage/index.js';
import type { ShadowFill } from './simulated-venue.js';

/** A fill and what the market said of it later. */
export interface MarkedFill extends ShadowFill {
  /** +1 bought long or sold short, -1 the other way. */
  readonly direction: 1 | -1;
  /** Others' mid, long-side price units, after each of `MARK_OUT_SECONDS`; NaN where nobody knows. */
  readonly marks: number[];
}

/** Fills of one market in the order of their times, and how far each horizon has got. */
interface Waiting {
  mark: number;
  fills: MarkedFill[];
  readonly next: number[];
}

const COMPACT_AT = 1_024;

/**
 * Marks fills by the mid of others' book that held so much later: our own quotes do not mark our own fills. While a
 * side is empty the last two-sided mid holds.
 */
export class MarkWatch {
  readonly #markets = new Map<MarketId, Waiting>();

  /** @param fill not older than any before of its market */
  add(market: MarketId, fill: MarkedFill): void {
    this.#market(market).fills.push(fill);
  }

  moment({ marketId, at, bids, asks }: BookChange): void {
    const market = this.#market(marketId);
    judge(market, at);
    const [bid] = bids;
    const [ask] = asks;
    if (bid !== undefined && ask !== undefined) market.mark = (bid.price + ask.price) / 2;
  }

  /** The tape is over: what is due by now is marked, the rest stays unknown. */
  end(at: Micros): void {
    for (const market of this.#markets.values()) judge(market, at + 1);
  }

  #market(id: MarketId): Waiting {
    let market = this.#markets.get(id);
    if (market === undefined)
      this.#markets.set(id, (market = { mark: Number.NaN, fills: [], next: MARK_OUT_SECONDS.map(() => 0) }));
    return market;
  }
}

/** Marks what came due before a time by the mark that held until then. */
function judge(market: Waiting, before: number): void {
  const { fills, next, mark } = market;
  MARK_OUT_SECONDS.forEach((seconds, horizon) => {
    for (; next[horizon]! < fills.length; next[horizon]! += 1) {
      const fill = fills[next[horizon]!]!;
      if (fill.at + seconds * 1e6 >= before) return;
      fill.marks[horizon] = mark;
    }
  });
  const done = Math.min(...next);
  if (done < COMPACT_AT) return;
  market.fills = fills.slice(done);
  for (let horizon = 0; horizon < next.length; horizon++) next[horizon]! -= done;
}
