import type { MarketId } from '../../domain/ids.js';
import type { Shares } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { ExchangeCore, ExchangeEvent } from '../contract.js';
import type { Trader } from './participant.js';

/** What a trader holds: as the venue has it at first, then as its position updates say. */
export class TraderHoldings {
  private readonly held = new Map<string, Shares>();
  private isOpened = false;

  constructor(private readonly trader: Trader) {}

  /** Looks once at what was held before; an exchange may have been running for long. */
  open(venue: ExchangeCore): void {
    if (this.isOpened) return;
    this.isOpened = true;
    const { account, currency } = this.trader;
    for (const row of venue.ledger().accounts)
      if (row.id === account && row.currency === currency)
        for (const { marketId, position, shares } of row.shares) this.set(marketId, position, shares);
  }

  observe(event: ExchangeEvent): void {
    if (event.kind !== 'position-update' || event.account !== this.trader.account) return;
    if (event.currency === this.trader.currency) this.set(event.marketId, event.position, event.shares);
  }

  of(market: MarketId, position: Position): Shares {
    return this.held.get(`${market}/${position}`) ?? (0 as Shares);
  }

  /** Long minus short. */
  net(market: MarketId): number {
    return this.of(market, 'long') - this.of(market, 'short');
  }

  private set(market: MarketId, position: Position, shares: Shares): void {
    this.held.set(`${market}/${position}`, shares);
  }
}
