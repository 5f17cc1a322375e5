/** What others did on a tape: its books without the recorder's own shares, prints, statuses, in the venue's order. */
import type { MarketId } from '../../domain/ids.js';
import type { RecordedBook, RecordedLine } from '../../domain/recorded.js';
import type { Micros } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import type { TradesModel } from '../../fills/trades/index.js';
import type { HeadRecord, TapeLine } from '../own/records.js';
import { Heard, type News } from './heard.js';
import { StandingOrders } from './standing-orders.js';
import { VenueOrder } from './venue-order.js';
import { type OthersSide, withoutOwn } from './without-own.js';

/** What was done to a tape so that it could be traded on; every number is that of book lines. */
export interface Repairs {
  /** Own shares were taken out. */
  readonly withoutOwn: number;
  /** Came too late to be put in order and were left out. */
  readonly late: number;
  /** Prints that stand on no line of the tape. */
  readonly inferred: number;
}

type Line = Extract<News, { kind: 'line' }>;

/** Takes the lines of one tape in order. Times of what it gives never decrease. */
export class OthersFlow {
  readonly #heard = new Heard();
  readonly #order = new VenueOrder<News>();
  readonly #own = new StandingOrders();
  readonly #books = new Map<MarketId, RecordedBook>();
  #known: ReadonlySet<MarketId> = new Set();
  #mode: CurrencyMode | null = null;
  #at = 0;
  readonly #repairs = { withoutOwn: 0, late: 0, inferred: 0 };

  constructor(private readonly trades: TradesModel) {}

  get repairs(): Repairs {
    return { ...this.#repairs };
  }

  take(line: TapeLine): readonly RecordedLine[] {
    if (line.kind === 'head') this.#head(line);
    return this.#heard.of(line, this.#mode ?? 'play_money').flatMap((news) => this.#news(news));
  }

  /** Nothing more comes. */
  end(): readonly RecordedLine[] {
    return this.#order.end().flatMap((news) => this.#happened(news));
  }

  #head({ configuration, markets }: HeadRecord): void {
    this.#mode ??= modeOf(configuration);
    this.#known = new Set([...this.#known, ...markets.map(({ marketId }) => marketId)]);
  }

  /** The trades model looks ahead: turnover and own fills are told it before the books around them leave. */
  #news(news: News): readonly RecordedLine[] {
    if (news.kind === 'volume') this.trades.turnover(news.eventId, news.at, news.volume);
    else if (news.kind === 'own-fill') this.trades.ownFill(news.eventId, news.at, news.shares);
    else return this.#order.push(news).flatMap((one) => this.#happened(one));
    return [];
  }

  #happened(news: News): readonly RecordedLine[] {
    if (news.kind === 'line') return this.#line(news);
    if (news.kind === 'order') this.#own.report(news.report, news.at);
    else if (news.kind === 'ended') for (const id of news.orderIds) this.#own.end(id);
    else if (news.kind === 'listing') this.#own.listed(news.orders, news.at);
    return [];
  }

  #line(news: Line): readonly RecordedLine[] {
    const { line } = news;
    if (this.#known.size > 0 && !this.#known.has(line.marketId)) return [];
    if (line.kind === 'book') return this.#book(line, news.shown);
    return [{ ...line, at: this.#forward(line.at) }];
  }

  #book(line: RecordedBook, shown: number): readonly RecordedLine[] {
    const before = this.#books.get(line.marketId) ?? null;
    if (line.at < (before?.at ?? 0)) {
      this.#repairs.late += 1;
      return [];
    }
    const book = { ...this.#others(line, shown), at: this.#forward(line.at) };
    this.#books.set(line.marketId, book);
    const prints = this.trades.between(before, book);
    this.#repairs.inferred += prints.length;
    return [...prints, book];
  }

  #others(line: RecordedBook, shown: number): RecordedBook {
    const own = this.#own.in(line.marketId);
    if (own.length === 0) return line;
    const bids = withoutOwn(line.bids, 'bid', own);
    const asks = withoutOwn(line.asks, 'ask', own);
    this.#repairs.withoutOwn += 1;
    const isCut = ({ levels, emptied }: OthersSide): boolean =>
      emptied > 0 && levels.prices.length + emptied >= shown;
    return {
      ...line,
      bids: bids.levels,
      asks: asks.levels,
      cut: { bids: isCut(bids), asks: isCut(asks) },
    };
  }

  #forward(at: Micros): Micros {
    this.#at = Math.max(this.#at, at);
    return this.#at as Micros;
  }
}

function modeOf(configuration: unknown): CurrencyMode | null {
  const mode = (configuration as { readonly currencyMode?: unknown } | null)?.currencyMode;
  return mode === 'play_money' || mode === 'real_money' ? mode : null;
}
