import { accountId, eventId, marketId } from '../../../src/domain/ids.js';
import type { OrderId } from '../../../src/domain/ids.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import type { ExchangeConfig, ExchangeEvent, OrderRequest } from '../../../src/exchange/contract.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import type { Ofw1Case, Ofw1Tape } from '../ofw1.js';
import { ADD, CANCEL, MARKET } from '../ofw1.js';

/** The order-flow workload OFW1 as commands of the whole exchange core. */
export const FLOW_ACCOUNTS = 100;
export const FLOW_MARKET = marketId(1);
/** What every account starts with: more than it can ever lock. */
export const FLOW_CASH = 10_000_000_000_000 as Money;
const START = 1_767_225_600_000_000;
const MICROS_BETWEEN = 10;

/** Account of an operation: its order id modulo the number of accounts. */
export const flowAccount = (id: number) => accountId(1 + (id % FLOW_ACCOUNTS));

/** Price units of one tick of a case, so that its ticks fill the range from 0 to 1. */
export const flowTick = ({ maxTick }: Pick<Ofw1Case, 'maxTick'>): number => 10_000 / (maxTick + 1);

/** One event with one market in play money, 100 rich accounts, no least amount. */
export const flowConfig = (flow: Ofw1Case): ExchangeConfig =>
  exchangeConfig({
    accounts: Array.from({ length: FLOW_ACCOUNTS }, (_, at) =>
      accountConfig({ id: flowAccount(at), username: `trader${at}`, balances: { OOM: FLOW_CASH } }),
    ),
    events: [
      eventConfig({
        id: eventId(1),
        title: 'Does the flow go on?',
        minAmount: 1 as Money,
        markets: [marketConfig({ id: FLOW_MARKET, title: 'Yes', tickUnits: flowTick(flow) })],
      }),
    ],
  });

/**
 * Runs a tape through an exchange core: a buy is a bid on long, a sell a bid on short at 1 - p, conflicts are
 * cancelled; a replace is a batch update of one. A tape's order is followed through its replacements.
 */
export class CoreRun {
  readonly exchange: Exchange;
  /** The exchange's order by the tape's id. */
  private readonly orders: Float64Array;
  private readonly tick: number;
  private at = START;

  constructor(
    flow: Ofw1Case,
    private readonly tape: Pick<Ofw1Tape, 'count' | 'kinds' | 'ids' | 'sides' | 'ticks' | 'sizes'>,
  ) {
    this.exchange = new Exchange(flowConfig(flow));
    this.orders = new Float64Array(tape.count + 1);
    this.tick = flowTick(flow);
  }

  /** Executes one operation. */
  step(at: number): readonly ExchangeEvent[] {
    this.at += MICROS_BETWEEN;
    const kind = this.tape.kinds[at];
    if (kind === ADD || kind === MARKET) return this.place(at, kind === ADD);
    return kind === CANCEL ? this.cancel(this.tape.ids[at]!) : this.replace(at);
  }

  private place(at: number, isLimit: boolean): readonly ExchangeEvent[] {
    const id = this.tape.ids[at]!;
    const command = {
      kind: 'place-order',
      account: flowAccount(id),
      request: null,
      order: this.request(at, isLimit ? this.price(at) : null),
    } as const;
    const { outcome, events } = this.exchange.execute(command, this.at as Micros);
    if (outcome.ok) this.orders[id] = outcome.order.id;
    return events;
  }

  private request(at: number, price: number | null): OrderRequest {
    return {
      marketId: FLOW_MARKET,
      eventId: null,
      side: 'bid',
      position: this.tape.sides[at] === 0 ? 'long' : 'short',
      currency: 'OOM',
      price,
      shares: this.tape.sizes[at]!,
      amount: null,
      expiresAt: null,
      cancelConflicting: true,
    };
  }

  /** Of the position that is bought. */
  private price(at: number): number {
    const long = this.tape.ticks[at]! * this.tick;
    return this.tape.sides[at] === 0 ? long : 10_000 - long;
  }

  private cancel(id: number): readonly ExchangeEvent[] {
    const command = { kind: 'cancel-order', account: flowAccount(id), orderId: this.orderOf(id) } as const;
    return this.exchange.execute(command, this.at as Micros).events;
  }

  private replace(at: number): readonly ExchangeEvent[] {
    const id = this.tape.ids[at]!;
    const update = { orderId: this.orderOf(id), price: this.price(at), shares: this.tape.sizes[at]! };
    const command = {
      kind: 'update-batch',
      account: flowAccount(id),
      request: null,
      updates: [update],
    } as const;
    const { outcome, events } = this.exchange.execute(command, this.at as Micros);
    const item = outcome.ok ? outcome.items[0] : undefined;
    if (item?.ok === true) this.orders[id] = item.value.id;
    return events;
  }

  private orderOf(id: number): OrderId {
    return this.orders[id] as OrderId;
  }
}
