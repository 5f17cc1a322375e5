import { accountId, eventId, marketId } from '../../../src/exchange/contract/ids.js';
import type { OrderId } from '../../../src/exchange/contract/ids.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import type { ExchangeConfig, ExchangeEvent, OrderRequest } from '../../../src/exchange/contract.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import type { Ofw1Case, Ofw1Tape } from '../matching/ofw1.js';
import { ADD, CANCEL, MARKET } from '../matching/ofw1.js';

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

type FlowTape = Pick<Ofw1Tape, 'count' | 'kinds' | 'ids' | 'sides' | 'ticks' | 'sizes'>;

/**
 * Runs a tape through an exchange core: a buy is a bid on long, a sell a bid on short at 1 - p, conflicts are
 * cancelled; a replace is a batch update of one. A tape's order is followed through its replacements.
 */
export class CoreRun {
  readonly exchange: Exchange;
  private readonly tick: number;
  private at = START;

  constructor(
    flow: Ofw1Case,
    private readonly tape: FlowTape,
    private readonly targets: Targets = new FollowedTargets(tape),
  ) {
    this.exchange = new Exchange(flowConfig(flow));
    this.tick = flowTick(flow);
  }

  /** Executes one operation. */
  step(at: number): readonly ExchangeEvent[] {
    this.at += MICROS_BETWEEN;
    const kind = this.tape.kinds[at];
    if (kind === ADD || kind === MARKET) return this.place(at, kind === ADD);
    return kind === CANCEL ? this.cancel(at) : this.replace(at);
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
    if (outcome.ok) this.targets.note(at, outcome.order.id);
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

  private cancel(at: number): readonly ExchangeEvent[] {
    const account = flowAccount(this.tape.ids[at]!);
    const command = { kind: 'cancel-order', account, orderId: this.targets.of(at) } as const;
    return this.exchange.execute(command, this.at as Micros).events;
  }

  private replace(at: number): readonly ExchangeEvent[] {
    const id = this.tape.ids[at]!;
    const update = { orderId: this.targets.of(at), price: this.price(at), shares: this.tape.sizes[at]! };
    const command = {
      kind: 'update-batch',
      account: flowAccount(id),
      request: null,
      updates: [update],
    } as const;
    const { outcome, events } = this.exchange.execute(command, this.at as Micros);
    const item = outcome.ok ? outcome.items[0] : undefined;
    if (item?.ok === true) this.targets.note(at, item.value.id);
    return events;
  }
}

/** Which of the exchange's orders an operation of a tape means. */
export interface Targets {
  /** @returns 0 when its order was never accepted */
  of(operation: number): OrderId;
  /** An operation made an order. */
  note(operation: number, id: OrderId): void;
}

/** Remembers the exchange's order by the tape's id. */
export class FollowedTargets implements Targets {
  private readonly orders: Int32Array;

  constructor(private readonly tape: FlowTape) {
    this.orders = new Int32Array(tape.count + 1);
  }

  of(operation: number): OrderId {
    return this.orders[this.tape.ids[operation]!] as OrderId;
  }

  note(operation: number, id: OrderId): void {
    this.orders[this.tape.ids[operation]!] = id;
  }
}
