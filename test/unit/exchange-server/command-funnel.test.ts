import { describe, expect, test } from 'vitest';
import type { AccountId, MarketId } from '../../../src/exchange/contract/ids.js';
import { micros, type Micros } from '../../../src/domain/units.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import type { Command, ExchangeEvent } from '../../../src/exchange/contract.js';
import type { CommandLog, CommandRecord } from '../../../src/core/ports/command-log.js';
import { JournalError } from '../../../src/core/ports/journal.js';
import { VirtualClock } from '../../support/clocks/virtual-clock.js';
import { CommandFunnel } from '../../../src/exchange-server/command-funnel.js';

const START = 1_700_000_000_000_000;
const SECOND = 1_000_000;
const ALICE = 1 as AccountId;
const MARKET = 11 as MarketId;

class MemoryLog implements CommandLog<Command> {
  readonly lastSequence = 7;
  readonly records: CommandRecord<Command>[] = [];
  broken = false;

  append(record: CommandRecord<Command>): void {
    if (this.broken) throw new JournalError('disk-full', 'no space left');
    this.records.push(record);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function scene() {
  const clock = new VirtualClock(micros(START));
  const log = new MemoryLog();
  const config = exchangeConfig({
    accounts: [accountConfig({ id: ALICE, username: 'alice', balances: { OOM: 100_000_000 as never } })],
    events: [
      eventConfig({
        id: 1 as never,
        title: 'Event',
        markets: [marketConfig({ id: MARKET, title: 'Market' })],
      }),
    ],
  });
  const exchange = new Exchange(config);
  const funnel = new CommandFunnel({ exchange, clock, log });
  const told: ExchangeEvent['kind'][] = [];
  funnel.observe((events) => told.push(...events.map(({ kind }) => kind)));
  return { clock, log, exchange, funnel, told };
}

const order = (expiresAt: Micros | null = null): Extract<Command, { kind: 'place-order' }> => ({
  kind: 'place-order',
  account: ALICE,
  request: null,
  order: {
    marketId: MARKET,
    eventId: null,
    side: 'bid',
    position: 'long',
    currency: 'OOM',
    price: 5_000,
    shares: 100,
    amount: null,
    expiresAt,
    cancelConflicting: false,
  },
});

describe('a command', () => {
  test('is logged with the next sequence and its time, executed, and made known', () => {
    const { funnel, log, told } = scene();
    expect(funnel.execute(order())).toMatchObject({ ok: true });
    expect(log.records).toEqual([{ sequence: 8, at: START, command: order() }]);
    expect(told).toContain('order-update');
  });

  test('that cannot be logged has no effect', () => {
    const { funnel, log, exchange, told } = scene();
    log.broken = true;
    expect(() => funnel.execute(order())).toThrow(JournalError);
    expect(exchange.orders(ALICE, { status: 'open', limit: 10, offset: 0 }).total).toBe(0);
    expect(told).toEqual([]);
    log.broken = false;
    funnel.execute(order());
    expect(log.records.map(({ sequence }) => sequence)).toEqual([8]);
  });

  test('the log alone makes the same exchange again', () => {
    const { funnel, log, clock, exchange } = scene();
    funnel.execute(order());
    clock.advanceTo(micros(START + 5 * SECOND));
    funnel.execute(order(micros(START + 9 * SECOND)));
    clock.advanceTo(micros(START + 10 * SECOND));
    const again = scene().exchange;
    for (const { command, at } of log.records) again.execute(command, at);
    expect(again.ledger()).toEqual(exchange.ledger());
    expect(again.orders(ALICE, { status: 'canceled', limit: 9, offset: 0 })).toEqual(
      exchange.orders(ALICE, { status: 'canceled', limit: 9, offset: 0 }),
    );
  });
});

describe('time', () => {
  test('what falls due happens by itself, once the funnel watches the time', () => {
    const { funnel, clock, exchange, log } = scene();
    funnel.start();
    funnel.execute(order(micros(START + 3 * SECOND)));
    clock.advanceTo(micros(START + 2 * SECOND));
    expect(exchange.orders(ALICE, { status: 'open', limit: 1, offset: 0 }).total).toBe(1);
    clock.advanceTo(micros(START + 3 * SECOND));
    expect(exchange.orders(ALICE, { status: 'open', limit: 1, offset: 0 }).total).toBe(0);
    expect(log.records.at(-1)).toMatchObject({ command: { kind: 'advance-time' }, at: START + 3 * SECOND });
  });

  test('an earlier thing falls due before a later one that was known first', () => {
    const { funnel, clock, exchange } = scene();
    funnel.execute(order(micros(START + 9 * SECOND)));
    funnel.execute(order(micros(START + 3 * SECOND)));
    clock.advanceTo(micros(START + 4 * SECOND));
    expect(exchange.orders(ALICE, { status: 'open', limit: 9, offset: 0 }).total).toBe(1);
  });

  test('what is due while the log takes nothing happens once it does again', () => {
    const { funnel, clock, exchange, log } = scene();
    funnel.start();
    funnel.execute(order(micros(START + 3 * SECOND)));
    log.broken = true;
    clock.advanceTo(micros(START + 8 * SECOND));
    expect(exchange.orders(ALICE, { status: 'open', limit: 1, offset: 0 }).total).toBe(1);
    log.broken = false;
    clock.advanceTo(micros(START + 9 * SECOND));
    expect(exchange.orders(ALICE, { status: 'open', limit: 1, offset: 0 }).total).toBe(0);
  });

  test('a read is not refused because what is due cannot be logged: it shows what is kept', () => {
    const { funnel, clock, exchange, log } = scene();
    funnel.execute(order(micros(START + 3 * SECOND)));
    log.broken = true;
    clock.advanceTo(micros(START + 4 * SECOND));
    funnel.settle();
    expect(exchange.orders(ALICE, { status: 'open', limit: 1, offset: 0 }).total).toBe(1);
    expect(() => funnel.execute(order())).toThrow(JournalError);
    log.broken = false;
    funnel.settle();
    expect(exchange.orders(ALICE, { status: 'open', limit: 1, offset: 0 }).total).toBe(0);
    expect(log.records.map(({ sequence }) => sequence)).toEqual([8, 9]);
  });

  test('a start with something due that cannot be logged is none', () => {
    const { funnel, clock, log } = scene();
    funnel.execute(order(micros(START + 3 * SECOND)));
    log.broken = true;
    clock.advanceTo(micros(START + 4 * SECOND));
    expect(() => funnel.start()).toThrow(JournalError);
  });

  test('settling does what is due and nothing when nothing is', () => {
    const { funnel, log } = scene();
    funnel.settle();
    expect(log.records).toEqual([]);
  });

  test('a stopped funnel wakes no more', () => {
    const { funnel, clock, log } = scene();
    funnel.execute(order(micros(START + 3 * SECOND)));
    funnel.stop();
    clock.advanceTo(micros(START + 10 * SECOND));
    expect(log.records).toHaveLength(1);
    expect(clock.nextAt).toBeNull();
  });
});
