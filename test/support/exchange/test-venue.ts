import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import type {
  AccountConfig,
  Command,
  EventConfig,
  ExchangeConfig,
  ExchangeEvent,
  Executed,
  OrderRequest,
  OrderUpdateRequest,
  OrderView,
  PlaceOutcome,
} from '../../../src/exchange/contract.js';
import { accountId, eventId, marketId, orderId } from '../../../src/exchange/contract/ids.js';
import type { AccountId, MarketId, OrderId } from '../../../src/exchange/contract/ids.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import type { Currency, CurrencyMode, Position, Side } from '../../../src/domain/vocabulary.js';
import { readDecimal } from '../../../src/venues/futuur/protocol/decimals.js';
import { audit, type AuditTerms } from './auditor.js';
import { drawLadder } from './ladder.js';

export const ALICE = accountId(1);
export const BOB = accountId(2);
export const CAROL = accountId(3);
export const EVENT = eventId(10);
export const RED = marketId(100);
export const BLUE = marketId(101);

const START = 1_767_225_600_000_000 as Micros;
const SECOND = 1_000_000;
const RICH = { OOM: 1e9, USDC: 1e9, USDT: 1e9, USD: 1e9 } as Record<Currency, Money>;

export interface TestVenueOptions {
  readonly exchange?: Partial<ExchangeConfig>;
  readonly event?: Partial<EventConfig>;
  /** Changes Alice; Bob and Carol stay plain and rich. */
  readonly alice?: Partial<AccountConfig>;
  /** Others' volume may cross our orders without filling them. */
  readonly foreign?: boolean;
}

/** An exchange with Alice, Bob and Carol, 1,000 of each currency each, and one event of Red and Blue. */
export function venueConfig({ exchange, event, alice }: TestVenueOptions = {}): ExchangeConfig {
  return exchangeConfig({
    accounts: [
      accountConfig({ id: ALICE, username: 'alice', balances: RICH, ...alice }),
      accountConfig({ id: BOB, username: 'bob', balances: RICH }),
      accountConfig({ id: CAROL, username: 'carol', balances: RICH }),
    ],
    events: [
      eventConfig({
        id: EVENT,
        title: 'Which colour wins?',
        markets: [marketConfig({ id: RED, title: 'Red' }), marketConfig({ id: BLUE, title: 'Blue' })],
        ...event,
      }),
    ],
    ...exchange,
  });
}

/**
 * Drives an exchange in a few words and audits it after every command. Time stands still unless a test moves it.
 */
export class TestVenue {
  readonly exchange: Exchange;
  /** What the latest command said. */
  events: readonly ExchangeEvent[] = [];
  at = START;

  private readonly terms: AuditTerms;

  constructor(options: TestVenueOptions = {}) {
    const config = venueConfig(options);
    this.exchange = new Exchange(config);
    this.terms = { fees: config.fees, mayCross: options.foreign === true };
  }

  run<C extends Command>(command: C): Executed<C['kind']> {
    const executed = this.exchange.execute(command, this.at);
    this.events = executed.events;
    audit(this.exchange, this.terms);
    return executed;
  }

  /** Lets time pass and what falls due happen. */
  pass(seconds: number): void {
    this.at = (this.at + seconds * SECOND) as Micros;
    this.run({ kind: 'advance-time' });
  }

  after(seconds: number): Micros {
    return (this.at + seconds * SECOND) as Micros;
  }

  /** @param text as {@link order} */
  place(account: AccountId, text: string, more: Partial<OrderRequest> = {}): PlaceOutcome {
    return this.run({ kind: 'place-order', account, request: null, order: order(text, more) }).outcome;
  }

  /** {@link place} of an order that must be taken. */
  placed(account: AccountId, text: string, more: Partial<OrderRequest> = {}): OrderView {
    const outcome = this.place(account, text, more);
    if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
    return outcome.order;
  }

  /** {@link place} of an order that must be refused. @returns its code */
  refused(account: AccountId, text: string, more: Partial<OrderRequest> = {}): string {
    const outcome = this.place(account, text, more);
    return outcome.ok ? 'taken' : outcome.refusal.code;
  }

  /** Fields that a refused order is told of. */
  fields(account: AccountId, text: string, more: Partial<OrderRequest> = {}): string[] {
    const outcome = this.place(account, text, more);
    return outcome.ok || !('fields' in outcome.refusal) ? [] : Object.keys(outcome.refusal.fields);
  }

  update(account: AccountId, ...updates: readonly OrderUpdateRequest[]) {
    const { outcome } = this.run({ kind: 'update-batch', account, request: null, updates });
    if (!outcome.ok) throw new Error('a batch update is never refused as a whole');
    return outcome.items;
  }

  cancel(account: AccountId, id: OrderId) {
    return this.run({ kind: 'cancel-order', account, orderId: id }).outcome;
  }

  resolve(resolutions: Readonly<Record<number, 'long' | 'short' | 'void' | number>>) {
    const list = Object.entries(resolutions).map(([id, resolution]) => ({
      marketId: marketId(Number(id)),
      resolution,
    }));
    return this.run({ kind: 'resolve-event', eventId: EVENT, resolutions: list }).outcome;
  }

  orderOf(account: AccountId, id: OrderId): OrderView {
    const view = this.exchange.order(account, orderId(id));
    if (view === null) throw new Error(`no order ${id}`);
    return view;
  }

  /** Spendable cash in currency units. */
  cash(account: AccountId, currency: Currency = 'USDC'): number {
    return (this.exchange.account(account)?.wallet[currency] ?? Number.NaN) / 1e6;
  }

  /** Locked cash in currency units. */
  locked(account: AccountId, currency: Currency = 'USDC'): number {
    const rows = this.exchange.ledger().accounts;
    return (rows.find((row) => row.id === account && row.currency === currency)?.locked ?? 0) / 1e6;
  }

  /** Whole shares held. */
  held(account: AccountId, position: Position, currency: Currency = 'USDC', market: MarketId = RED): number {
    const rows = this.exchange
      .ledger()
      .accounts.filter((row) => row.id === account && row.currency === currency)
      .flatMap(({ shares }) => shares);
    const row = rows.find((one) => one.marketId === market && one.position === position);
    return (row?.shares ?? 0) / 100;
  }

  /** Amount of one of the venue's own accounts in currency units. */
  system(name: string, currency: Currency = 'USDC'): number {
    const rows = this.exchange.ledger().system;
    return (rows.find((row) => row.name === name && row.currency === currency)?.amount ?? 0) / 1e6;
  }

  ladder(market: MarketId = RED, mode: CurrencyMode = 'real_money'): string {
    return drawLadder(this.exchange, market, mode);
  }

  /** Events of one kind that the latest command said. */
  said<K extends ExchangeEvent['kind']>(kind: K): Extract<ExchangeEvent, { kind: K }>[] {
    return this.events.filter((event): event is Extract<ExchangeEvent, { kind: K }> => event.kind === kind);
  }

  kinds(): string[] {
    return this.events.map(({ kind }) => kind);
  }
}

const WORDS = /^(bid|ask) (long|short) (?:(\S+)|for (\S+))(?: @ (\S+))?(?: (OOM|USDC|USDT|USD))?$/;

/**
 * An order in words: `bid long 10 @ 0.60`, `ask short 2.5 @ 0.3 USD`, `bid long 10` (a market order),
 * `bid long for 5` (a market order by amount), `bid long for 5 @ 0.5` (a limit order by amount). Red, in USDC unless
 * said otherwise.
 */
export function order(text: string, more: Partial<OrderRequest> = {}): OrderRequest {
  const [, side, position, shares, amount, price, currency = 'USDC'] = WORDS.exec(text) ?? [];
  if (side === undefined) throw new Error(`not an order: ${text}`);
  return {
    marketId: RED,
    eventId: null,
    side: side as Side,
    position: position as Position,
    currency: currency as Currency,
    price: price === undefined ? null : readDecimal(price, 4, 'price'),
    shares: shares === undefined ? null : readDecimal(shares, 2, 'shares'),
    amount: amount === undefined ? null : readDecimal(amount, 6, 'amount'),
    expiresAt: null,
    cancelConflicting: false,
    ...more,
  };
}
