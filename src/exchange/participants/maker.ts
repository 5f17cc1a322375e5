import type { MarketId } from '../../domain/ids.js';
import { type Micros, PRICE_ONE, type PriceUnits, SHARE_ONE, type Shares } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { Command, ExchangeCore, ExchangeEvent } from '../contract.js';
import type { Random } from '../../core/ports/random.js';
import { gaussian, logit, sigmoid, sizeBetween } from './draws.js';
import { TraderHoldings } from './trader-holdings.js';
import { bringTo, type LadderLevel } from './ladder.js';
import { isOpen } from './orders.js';
import type { Participant, TradedMarket, Trader } from './participant.js';

export interface CompetingMakerOptions {
  readonly halfSpread: PriceUnits;
  readonly sizeMin: Shares;
  readonly sizeMax: Shares;
  /** Where its opinion of each market starts, in the order of its markets; probabilities inside (0, 1). */
  readonly opinions: readonly number[];
}

/** How often it looks at its quotes. */
const LOOKS_EVERY_MICROS = 1_000_000;
/** Standard deviation of its opinion's walk per look, in logits. */
const WANDERS = 0.02;
/** What one share held moves its quotes by, in logits: it leans against its own inventory. */
const LEANS_PER_SHARE = 0.0008;
const LEVELS = 3;

/**
 * A competing quoter: its own wandering opinion, a fixed half-spread, a few levels, leaning against its inventory.
 * A level that stays in its ladder keeps its size, so that others see resting orders and not flicker.
 */
export class CompetingMaker implements Participant {
  private readonly holdings: TraderHoldings;
  private readonly opinions: Map<MarketId, number>;
  private readonly ladders = new Map<MarketId, readonly LadderLevel[]>();
  private due: Micros;

  constructor(
    private readonly trader: Trader,
    private readonly options: CompetingMakerOptions,
    private readonly random: Random,
    start: Micros,
  ) {
    this.holdings = new TraderHoldings(trader);
    this.due = start;
    this.opinions = new Map(
      trader.markets.map(({ id }, index) => [id, logit(options.opinions[index] ?? 0.5)]),
    );
  }

  nextDue(): Micros {
    return this.due;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    this.holdings.open(venue);
    this.due = (now + LOOKS_EVERY_MICROS) as Micros;
    return this.trader.markets.flatMap((market) => {
      const ladder = this.ladder(market);
      this.ladders.set(market.id, ladder);
      return isOpen(market, venue) ? bringTo(ladder, market, this.trader, venue) : [];
    });
  }

  observe(event: ExchangeEvent): void {
    this.holdings.observe(event);
  }

  private ladder(market: TradedMarket): readonly LadderLevel[] {
    const { halfSpread } = this.options;
    const { tickUnits } = market;
    const centre = this.wander(market.id);
    const bid = Math.floor((centre - halfSpread) / tickUnits) * tickUnits;
    const ask = Math.ceil((centre + halfSpread) / tickUnits) * tickUnits;
    return [...this.levels(market, 'bid', bid, -tickUnits), ...this.levels(market, 'ask', ask, tickUnits)];
  }

  /** Its opinion now, less what its inventory makes of it, in price units. */
  private wander(market: MarketId): number {
    const opinion = this.opinions.get(market)! + WANDERS * gaussian(this.random);
    this.opinions.set(market, opinion);
    const lean = (this.holdings.net(market) / SHARE_ONE) * LEANS_PER_SHARE;
    return sigmoid(opinion - lean) * PRICE_ONE;
  }

  private levels(market: TradedMarket, side: Side, first: number, step: number): readonly LadderLevel[] {
    const levels: LadderLevel[] = [];
    for (let level = 0; level < LEVELS; level++) {
      const price = (first + level * step) as PriceUnits;
      if (price < market.tickUnits || price > PRICE_ONE - market.tickUnits) continue;
      levels.push({ side, price, shares: this.sizeAt(market.id, side, price) });
    }
    return levels;
  }

  private sizeAt(market: MarketId, side: Side, price: PriceUnits): Shares {
    const standing = this.ladders.get(market)?.find((level) => level.side === side && level.price === price);
    return standing?.shares ?? sizeBetween(this.random, this.options.sizeMin, this.options.sizeMax);
  }
}
