import type { Resolution } from '../domain/vocabulary.js';
import type { HeldFigures, StopFigures } from './guard-figures.js';

/**
 * What a run came to, as plain JSON with a fixed order of keys: the same run gives the same bytes. Money is in currency
 * units, shares are whole shares, prices are probabilities of the long side, times are microseconds since the epoch
 * unless a name says otherwise. Null: not known, or not defined for so little.
 */

/** Profit and where it came from; `total` = spread + inventory + resolution - fees + rebates, to 1e-9. */
export interface ProfitFigures {
  readonly total: number;
  readonly spread: number;
  readonly inventory: number;
  readonly resolution: number;
  readonly fees: number;
  readonly rebates: number;
}

/** The whole account of a group, which can also be marked otherwise. */
export interface AccountFigures extends ProfitFigures {
  readonly realised: number;
  readonly unrealised: number;
  /**
   * As `total`, with what is still held valued as if it had to go at once: pairs of long and short at one, the rest at
   * what the book at the end would pay for it, level by level, less the taker's fee. The headline of a run.
   */
  readonly executable: number;
}

export interface FillFigures {
  readonly count: number;
  readonly shares: number;
  readonly amount: number;
  /** Shares filled as maker over all of which it is known whether we made or took. */
  readonly makerShare: number | null;
  /** Shares ever offered: each order once, and what it grew by later. */
  readonly offeredShares: number;
  /** Shares filled over shares offered. */
  readonly ratio: number | null;
}

/** What fills were worth later: side x (mid then - price), the resolution's payout as the mid after it. */
export interface MarkOutFigures {
  /** Seconds after the fill; null: at resolution. */
  readonly seconds: number | null;
  /** Fills whose mark-out is known. */
  readonly fills: number;
  readonly shares: number;
  /** Summed over shares, in currency. */
  readonly profit: number;
  /** Mean over shares, as a price. */
  readonly perShare: number | null;
  /** Of `perShare`, fills taken as independent; null below two fills. */
  readonly standardError: number | null;
}

/** Where our orders stood when trades reached them. */
export interface QueueFigures {
  /** Fills of which it is known. */
  readonly fills: number;
  /** Mean of others' shares ahead. */
  readonly meanAhead: number | null;
  /** Mean of ahead over all others' shares at the price; 0 is the front. */
  readonly meanRelative: number | null;
  /** Fills by relative position, in tenths from the front; fills at the back count in the last. */
  readonly tenths: readonly number[];
}

/** Own size against everybody's. */
export interface VolumeFigures {
  readonly ownShares: number;
  readonly othersShares: number;
  /** Own over own and others'; by amount where the venue tells of amounts only. */
  readonly share: number | null;
}

/** Shares of the observed time. */
export interface QuotingFigures {
  readonly observedSeconds: number;
  /** A bid and an ask at any distance; a bid or an ask. */
  readonly bothSides: number | null;
  readonly anySide: number | null;
  /** A bid and an ask within the rule of the run. */
  readonly uptime: number | null;
  /** Own best bid, own best ask, or both at the best price of the market or better. */
  readonly bidAtTouch: number | null;
  readonly askAtTouch: number | null;
  readonly bothAtTouch: number | null;
  /** Mean distance of own best bid and ask while both stand. */
  readonly meanSpread: number | null;
}

export interface CapitalFigures {
  /** Most cash that standing bids locked and holdings had cost at one time. */
  readonly peak: number;
  /** Mean over the time of the run. */
  readonly mean: number;
  /** Total profit over the peak. */
  readonly returnOnPeak: number | null;
}

export interface DrawdownFigures {
  /** Greatest fall of the profit from its best so far; not negative. */
  readonly worst: number;
  /** Of the best before it and of its bottom; null when it never fell. */
  readonly from: number | null;
  readonly to: number | null;
}

export interface InventoryFigures {
  /** Net shares: most long, most short (negative), at the end. */
  readonly highest: number;
  readonly lowest: number;
  readonly last: number;
  /** Mean over time of the absolute net shares. */
  readonly meanAbsolute: number;
  /** Of a first-order autoregression sampled each second; null where it does not revert or hardly moved. */
  readonly halfLifeSeconds: number | null;
}

/** How well a price foretold the outcome: 0 is perfect in both. */
export interface ScoreFigures {
  /** Markets that resolved long or short and had such a price. */
  readonly markets: number;
  /** (price - outcome)^2 of the last price, and its mean over time. */
  readonly brier: number | null;
  readonly meanBrier: number | null;
  /** -ln of the probability given to what came, of the last price and its mean over time. */
  readonly log: number | null;
  readonly meanLog: number | null;
}

export interface RatioFigures {
  /** Days with a profit or loss known. */
  readonly days: number;
  readonly meanPerDay: number | null;
  /** Mean over standard deviation of daily profit, not annualised; null below two days. */
  readonly sharpe: number | null;
  /** Mean over the root of the mean square of losing days. */
  readonly sortino: number | null;
}

/**
 * What was asked of the venue for orders of a group. A call about several orders counts as an equal part for each of
 * them; readings, and cancels of a whole market or event, are the run's alone.
 */
export interface SentFigures {
  readonly requests: number;
  readonly created: number;
  readonly changed: number;
  readonly cancelled: number;
}

/** Figures that exist for any group of fills. */
export interface FlowFigures {
  readonly fills: FillFigures;
  readonly sent: SentFigures;
  readonly markOuts: readonly MarkOutFigures[];
  readonly queue: QueueFigures;
}

/** One direction of trading: `bid` bought long or sold short, `ask` the other way. */
export interface SideFigures extends FlowFigures {
  readonly side: 'bid' | 'ask';
  readonly profit: ProfitFigures;
}

/** A market, an event, a strategy instance, or the whole run. */
export interface GroupFigures extends FlowFigures {
  readonly id: string;
  readonly title: string;
  readonly profit: AccountFigures;
  readonly sides: readonly SideFigures[];
  readonly volume: VolumeFigures;
  readonly quoting: QuotingFigures;
  readonly capital: CapitalFigures;
  readonly drawdown: DrawdownFigures;
  readonly ratios: RatioFigures;
  /** Of the mid of own quotes, and of the market's mid for comparison. */
  readonly ownScore: ScoreFigures;
  readonly marketScore: ScoreFigures;
}

export interface EventFigures extends GroupFigures {
  readonly underlying: string;
  /** UTC day on which the event was resolved, else its recordings ended, or the live run did. */
  readonly day: string;
  readonly isResolved: boolean;
  /** SHA-256 of the recordings that show it, sorted: runs on others are not compared. null in a live run. */
  readonly recordings: readonly string[] | null;
  /** SHA-256 of what is noted beside those recordings, in their order: it may decide what can be lost. null: nothing is. */
  readonly notes: readonly string[] | null;
  /** Nobody saw a price of it: nothing could be earned on it, and it is evidence of nothing. */
  readonly isUnseen: boolean;
  /** The least that it could have brought at any time of the run, open orders counted where they cost; never positive. */
  readonly worstCase: number;
}

/**
 * A step function thinned to buckets of one width; buckets in which nothing changed are left out. Bucket i covers
 * `startedAt + i x widthMicros`; `min` and `max` cover what held at its beginning, too. Null: no value.
 */
export interface SeriesColumns {
  readonly startedAt: number;
  readonly widthMicros: number;
  readonly bucket: readonly number[];
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  readonly last: readonly (number | null)[];
}

/** Fills for pictures: all of them while they are few, else every `every`-th. */
export interface FillSample {
  readonly every: number;
  readonly fills: readonly {
    readonly at: number;
    readonly side: 'bid' | 'ask';
    /** Long-side price. */
    readonly price: number;
    readonly shares: number;
    /** Mark at the time of the fill; null before there was any. */
    readonly mid: number | null;
  }[];
}

export interface MarketSeries {
  readonly bid: SeriesColumns;
  readonly ask: SeriesColumns;
  /** Where half of the shares that the book showed behind the best price are reached, and the last price that it showed. */
  readonly bidHalf: SeriesColumns;
  readonly bidFar: SeriesColumns;
  readonly askHalf: SeriesColumns;
  readonly askFar: SeriesColumns;
  readonly ownBid: SeriesColumns;
  readonly ownAsk: SeriesColumns;
  readonly inventory: SeriesColumns;
  readonly profit: SeriesColumns;
}

export interface MarketFigures extends GroupFigures {
  readonly marketId: string;
  readonly eventId: string;
  readonly strategy: string;
  readonly tick: number;
  readonly resolution: Resolution | null;
  readonly resolvedAt: number | null;
  readonly lastMark: number | null;
  readonly inventory: InventoryFigures;
  readonly series: MarketSeries;
  readonly fillSample: FillSample;
}

/** Calls at the venue, as it counts them: pages and second attempts too, and what never left does not. */
export interface RequestFigures {
  readonly total: number;
  /** As in `domain/effects.ts`; `identify` and `authorize-channel` are those that the engine does not ask for. */
  readonly byKind: Readonly<Record<string, number>>;
  /** Most in any 60 seconds, of steps of a second. */
  readonly peakPerMinute: number;
  readonly meanPerMinute: number;
  readonly perFill: number | null;
}

/** What came between the strategy and the market: a run that was stopped is not what its strategy would have come to. */
export interface GuardFigures {
  /** In the order in which they came. */
  readonly stops: readonly StopFigures[];
  /** The longest first. */
  readonly held: readonly HeldFigures[];
  /** The same of each market in which anything was. */
  readonly markets: readonly { readonly marketId: string; readonly held: readonly HeldFigures[] }[];
}

/** A parameter or a limit; lists and records as JSON. */
export interface SettingFigures {
  readonly name: string;
  readonly value: string | number | boolean | null;
  /** Such as `shares`; empty: a plain number, a word, a switch. */
  readonly unit: string;
  /** What it was at the end; left out where it did not change. */
  readonly atEnd?: SettingFigures['value'];
}

/** A strategy instance as it began, with what was left to defaults. */
export interface InstanceFigures {
  readonly name: string;
  readonly strategy: string;
  readonly markets: number;
  /** Those of its modifiers begin with their name. */
  readonly parameters: readonly SettingFigures[];
  readonly limits: readonly SettingFigures[];
}

/** A UTC day of the run. */
export interface DayFigures {
  readonly day: string;
  /** Change of the profit. */
  readonly profit: number;
  readonly fills: number;
  readonly shares: number;
  readonly amount: number;
  /** Less rebates. */
  readonly fees: number;
  /** Furthest below the best profit of the run so far; not negative. */
  readonly drawdown: number;
}

/** One run under one scenario. */
export interface RunAnalysis {
  readonly format: 1;
  readonly runId: string;
  readonly scenario: string;
  readonly currency: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** How open inventory is marked, and what counts as quoting. */
  readonly markRule: string;
  readonly uptimeRule: { readonly maxSpread: number; readonly minShares: number };
  readonly assumptions: readonly string[];
  /**
   * What mark-outs are judged by, at times of the bot's clock: the mid of the recording, without our orders and all that they
   * took; or the mid of the orders of others as the bot saw it.
   */
  readonly markOutMid: 'recorded' | 'others';
  /** null: whoever wrote it down did not say. */
  readonly guards: GuardFigures | null;
  readonly instances: readonly InstanceFigures[];
  readonly total: GroupFigures;
  readonly events: readonly EventFigures[];
  readonly strategies: readonly GroupFigures[];
  readonly markets: readonly MarketFigures[];
  readonly days: readonly DayFigures[];
  readonly requests: RequestFigures;
  /** Total profit over time. */
  readonly equity: SeriesColumns;
  /** How far it is below its best so far, over time; never positive. */
  readonly underwater: SeriesColumns;
}
