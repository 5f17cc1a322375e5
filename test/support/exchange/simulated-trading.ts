/** Participants on a real exchange core under a virtual clock: everything that happened, in order. */
import { accountId, eventId, marketId } from '../../../src/exchange/contract/ids.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import type { Command, ExchangeEvent } from '../../../src/exchange/contract.js';
import { type ExchangeCore, Exchange } from '../../../src/exchange/exchange.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import {
  type Participant,
  Stage,
  type TradedMarket,
  type Trader,
} from '../../../src/exchange/participants/index.js';
import { VirtualClock } from '../clocks/virtual-clock.js';

export const TRADING_START = 1_786_000_000_000_000 as Micros;
export const SECOND = 1_000_000;
export const EVENT = eventId(10);

/** Markets of the event: 101, 102 and so on, ticks of a cent. */
export const marketsOf = (count: number): readonly TradedMarket[] =>
  Array.from({ length: count }, (_, index) => ({
    id: marketId(101 + index),
    tickUnits: 100,
    minAmount: 10_000 as Money,
  }));

/** Account 1, 2, 3 ... trades play money on these markets. */
export const traderOf = (account: number, markets: readonly TradedMarket[]): Trader => ({
  account: accountId(account),
  currency: 'OOM',
  markets,
});

export interface Step {
  readonly at: Micros;
  readonly command: Command;
  readonly outcome: unknown;
}

export class SimulatedTrading {
  readonly exchange: ExchangeCore;
  readonly clock = new VirtualClock(TRADING_START);
  readonly steps: Step[] = [];
  readonly events: ExchangeEvent[] = [];
  private stage: Stage | null = null;

  /** @param markets of one exclusive event @param accounts ids from 1, a million OOM each */
  constructor(
    readonly markets: readonly TradedMarket[],
    accounts: number,
  ) {
    const balances = { OOM: 1e12 as Money };
    this.exchange = new Exchange(
      exchangeConfig({
        duplicateWindowMs: 0,
        accounts: Array.from({ length: accounts }, (_, index) =>
          accountConfig({ id: accountId(index + 1), username: `trader-${index + 1}`, balances }),
        ),
        events: [
          eventConfig({
            id: EVENT,
            title: 'Who wins?',
            resolutionMode: 'exclusive',
            markets: markets.map(({ id, tickUnits }) =>
              marketConfig({ id, tickUnits, title: `Outcome ${id}` }),
            ),
          }),
        ],
      }),
    );
  }

  execute(command: Command): unknown {
    const { outcome, events } = this.exchange.execute(command, this.clock.now());
    this.steps.push({ at: this.clock.now(), command, outcome });
    this.events.push(...events);
    this.stage?.observe(events);
    return outcome;
  }

  /** Opens the stage and lets so much time pass. */
  run(participants: readonly Participant[], seconds: number): void {
    const { clock, exchange } = this;
    this.stage = new Stage({ participants, clock, exchange, execute: (command) => this.execute(command) });
    this.stage.start();
    this.pass(seconds);
  }

  pass(seconds: number): void {
    this.clock.advanceTo((this.clock.now() + seconds * SECOND) as Micros);
  }

  close(): void {
    this.stage?.stop();
  }

  /** Commands of one account. */
  stepsOf(account: number): readonly Step[] {
    return this.steps.filter(({ command }) => 'account' in command && command.account === account);
  }

  /** Best bid and ask of others and us alike, as probabilities. */
  touch(market: TradedMarket): readonly [number | null, number | null] {
    const book = this.exchange.book(market.id, 'play_money', 'long', null);
    const price = (units: number | undefined): number | null => (units === undefined ? null : units / 10_000);
    return [price(book?.bids[0]?.price), price(book?.asks[0]?.price)];
  }

  /** Cash of the account, what is locked included, in currency units. */
  cash(account: number): number {
    const row = this.exchange.ledger().accounts.find((one) => one.id === account && one.currency === 'OOM');
    return ((row?.cash ?? 0) + (row?.locked ?? 0)) / 1e6;
  }

  /** Cash plus what the holdings pay if this market wins and the others lose. */
  worthIf(account: number, winner: TradedMarket | null): number {
    const row = this.exchange.ledger().accounts.find((one) => one.id === account && one.currency === 'OOM');
    const paid = (row?.shares ?? []).reduce((sum, { marketId: market, position, shares }) => {
      const isLong = market === winner?.id;
      return sum + ((position === 'long') === isLong ? shares / 100 : 0);
    }, 0);
    return this.cash(account) + paid;
  }
}
