import type { MarketId } from '../domain/ids.js';
import { type Micros, PRICE_ONE, type PriceUnits, type Shares } from '../domain/units.js';
import type { Side } from '../domain/vocabulary.js';
import type { Command, ExchangeCore, ExchangeEvent } from '../exchange/contract.js';
import type { Random } from '../ports/random.js';
import { after, gaussian, logit, sigmoid, sizeBetween } from './draws.js';
import { bringTo, type LadderLevel } from './ladder.js';
import { Holdings } from './orders.js';
import type { Participant, TradedMarket, Trader } from './participant.js';

export interface CompetingMakerOptions {
  readonly halfSpread: PriceUnits;
  readonly sizeMin: Shares;
  readonly sizeMax: Shares;
  /** Where its opinion of each market starts, in the order of its markets. */
  readonly opinions: readonly number[];
}

/** How often it looks at its quotes. */
const LOOKS_EVERY_MICROS = 1_000_000;
/** Random walk of its opinion per look, in logits. */
const WANDERS = 0.02;
/** What one traded share moves its opinion by, in logits: it leans against its own inventory. */
const LEANS_PER_SHARE = 0.0008;
const LEVELS = 3;

/**
 * A competing quoter: its own wandering opinion, a fixed half-spread, a few levels, leaning against its inventory.
 * It requotes only when its prices move, so that others see resting orders and not flicker.
 */
export class CompetingMaker implements Participant {
  private readonly holdings: Holdings;
  private readonly opinions = new Map<MarketId, number>();
  private readonly quoted = new Map<MarketId, string>();
  private due: Micros;

  constructor(
    private readonly trader: Trader,
    private readonly options: CompetingMakerOptions,
    private readonly random: Random,
    start: Micros,
  ) {
    this.holdings = new Holdings(trader);
    this.due = start;
    trader.markets.forEach(({ id }, index) => this.opinions.set(id, logit(options.opinions[index] ?? 0.5)));
  }

  nextDue(): Micros {
    return this.due;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    this.due = after(now, LOOKS_EVERY_MICROS);
    return this.trader.markets.flatMap((market) => this.requote(market, venue));
  }

  observe(event: ExchangeEvent): void {
    this.holdings.observe(event);
    // A fill leaves a hole in the ladder: quote again at the next look.
    if (event.kind === 'order-update' && event.account === this.trader.account && event.filledDelta > 0)
      this.quoted.delete(event.marketId);
  }

  private requote(market: TradedMarket, venue: ExchangeCore): readonly Command[] {
    const fair = this.wander(market.id);
    const bid = this.onGrid(fair - this.options.halfSpread, market, Math.floor);
    const ask = this.onGrid(fair + this.options.halfSpread, market, Math.ceil);
    const picture = `${bid}/${ask}`;
    if (this.quoted.get(market.id) === picture) return [];
    this.quoted.set(market.id, picture);
    const ladder = [
      ...this.levels(market, 'bid', bid, -market.tickUnits),
      ...this.levels(market, 'ask', ask, market.tickUnits),
    ];
    return bringTo(ladder, market, this.trader, venue);
  }

  /** Its present opinion, in price units. */
  private wander(market: MarketId): number {
    const opinion = this.opinions.get(market)! + WANDERS * gaussian(this.random);
    this.opinions.set(market, opinion);
    const lean = (this.holdings.net(market) / 100) * LEANS_PER_SHARE;
    return sigmoid(opinion - lean) * PRICE_ONE;
  }

  private onGrid(price: number, market: TradedMarket, round: (value: number) => number): number {
    return round(price / market.tickUnits) * market.tickUnits;
  }

  private levels(market: TradedMarket, side: Side, first: number, step: number): readonly LadderLevel[] {
    const levels: LadderLevel[] = [];
    for (let level = 0; level < LEVELS; level++) {
      const price = first + level * step;
      const shares = sizeBetween(this.random, this.options.sizeMin, this.options.sizeMax);
      if (price >= market.tickUnits && price <= PRICE_ONE - market.tickUnits)
        levels.push({ side, price: price as PriceUnits, shares });
    }
    return levels;
  }
}
