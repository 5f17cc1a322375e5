import type { AccountId, MarketId } from '../contract/ids.js';
import { type Micros, type Money, type Shares, complement, type PriceUnits } from '../../domain/units.js';
import type { Currency, Position, Side } from '../../domain/vocabulary.js';
import type { Command, ExchangeEvent, OrderRequest, OrderView } from '../contract.js';
import type { ExchangeCore } from '../exchange.js';
import type { Clock } from '../../core/ports/clock.js';

/**
 * A simulated trader. It looks at the venue and answers with commands. The runner executes them in order and shows it the
 * venue's events. The same seed and venue give the same commands.
 */
export interface Participant {
  /** When it wants to act next; null: never again. A time that has passed means at once. */
  nextDue(): Micros | null;
  /** Its commands now. Called at or after {@link nextDue}, which then moves on. */
  act(now: Micros, venue: ExchangeCore): readonly Command[];
  /** Everything the venue says, in order. It may move {@link nextDue}. Absent: it does not react. */
  observe?(event: ExchangeEvent): void;
}

/** A market as a participant has to know it. */
export interface TradedMarket {
  readonly id: MarketId;
  /** Price units (0.0001) per tick. */
  readonly tickUnits: number;
  /** Least price x shares of one order. */
  readonly minAmount: Money;
}

/** Who trades where. */
export interface Trader {
  readonly account: AccountId;
  readonly currency: Currency;
  readonly markets: readonly TradedMarket[];
}

/** What a trader holds of a market, long minus short. */
export const netOf = (market: TradedMarket, trader: Trader, venue: ExchangeCore): number =>
  heldOf(market, 'long', trader, venue).shares - heldOf(market, 'short', trader, venue).shares;

const heldOf = ({ id }: TradedMarket, position: Position, trader: Trader, venue: ExchangeCore) =>
  venue.holding(trader.account, id, position, trader.currency) ?? { shares: 0, free: 0 };

export interface Wish {
  readonly market: TradedMarket;
  /** On the long side of the book. */
  readonly side: Side;
  /** Long-side price; null: whatever the book gives now. */
  readonly price: PriceUnits | null;
  readonly shares: Shares;
  readonly expiresAt: Micros | null;
}

/** Whether the venue takes orders in the market at this moment. */
export const isOpen = ({ id }: TradedMarket, venue: ExchangeCore): boolean =>
  venue.market(id)?.tradable ?? false;

/** The trader's orders that rest in the market. */
export function restingOrders(
  { id }: TradedMarket,
  trader: Trader,
  venue: ExchangeCore,
): readonly OrderView[] {
  const page = { marketId: id, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  return (['open', 'partial_filled'] as const).flatMap(
    (status) => venue.orders(trader.account, { ...page, status }).results,
  );
}

/** Buys long for a bid, short for an ask. This needs collateral only. */
export const buying = (wish: Wish, trader: Trader): Command =>
  place(wish, { side: 'bid', position: wish.side === 'bid' ? 'long' : 'short' }, trader);

/** Sells held shares of the other position where enough of them are free, and buys otherwise. */
export function sellingFirst(wish: Wish, trader: Trader, venue: ExchangeCore): Command {
  const position: Position = wish.side === 'ask' ? 'long' : 'short';
  if (heldOf(wish.market, position, trader, venue).free < wish.shares) return buying(wish, trader);
  return place(wish, { side: 'ask', position }, trader);
}

/** One command per order, so that a refused one does not matter to the others. */
function place(wish: Wish, how: Pick<OrderRequest, 'side' | 'position'>, trader: Trader): Command {
  const { market, price, shares, expiresAt } = wish;
  return {
    kind: 'place-order',
    account: trader.account,
    request: null,
    order: {
      ...how,
      marketId: market.id,
      eventId: null,
      currency: trader.currency,
      price: price === null || how.position === 'long' ? price : complement(price),
      shares,
      amount: null,
      expiresAt,
      cancelConflicting: true,
    },
  };
}

export interface StageParts {
  /** Those due at the same time act in this order. */
  readonly participants: readonly Participant[];
  readonly exchange: ExchangeCore;
  readonly clock: Clock;
  /** Executes at once; what the exchange says about it is shown to {@link Stage.observe}. */
  readonly execute: (command: Command) => void;
}

/** Lets participants act when they are due. On a virtual clock a run is a function of seeds and configuration. */
export class Stage {
  private readonly alarms: readonly Alarm[];

  constructor({ participants, exchange, clock, execute }: StageParts) {
    this.alarms = participants.map(
      (participant) =>
        new Alarm(participant, clock, () => {
          for (const command of participant.act(clock.now(), exchange)) execute(command);
        }),
    );
  }

  start(): void {
    for (const alarm of this.alarms) alarm.set();
  }

  /** What the exchange said, for participants that react. */
  observe(events: readonly ExchangeEvent[]): void {
    for (const alarm of this.alarms) {
      for (const event of events) alarm.participant.observe?.(event);
      alarm.set();
    }
  }

  /** Nobody acts any more. */
  stop(): void {
    for (const alarm of this.alarms) alarm.stop();
  }
}

/** Wakes one participant. */
class Alarm {
  private due: Micros | null = null;
  private cancel: () => void = () => undefined;
  private state: 'waiting' | 'acting' | 'stopped' = 'waiting';

  constructor(
    readonly participant: Participant,
    private readonly clock: Clock,
    private readonly act: () => void,
  ) {}

  /** Sets the timer to the participant's next due time; while it acts, this happens afterwards. */
  set(): void {
    const due = this.participant.nextDue();
    if (this.state !== 'waiting' || due === this.due) return;
    this.cancel();
    this.due = due;
    if (due !== null) this.cancel = this.clock.at(due, () => this.ring());
  }

  stop(): void {
    this.state = 'stopped';
    this.cancel();
  }

  private ring(): void {
    if (this.state === 'stopped') return;
    this.due = null;
    this.state = 'acting';
    try {
      this.act();
    } finally {
      if (this.state === 'acting') this.state = 'waiting';
    }
    this.set();
  }
}
