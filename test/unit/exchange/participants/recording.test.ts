import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import type { RecordedLine } from '../../../../src/domain/recorded.js';
import { type Micros, micros, priceUnits, shares } from '../../../../src/domain/units.js';
import type { Command } from '../../../../src/exchange/contract.js';
import {
  reenactedAt,
  Reenactment,
  type ReenactmentOptions,
} from '../../../../src/exchange/participants/recording.js';
import {
  EVENT,
  TRADING_START,
  marketsOf,
  traderOf,
  SimulatedTrading,
} from '../../../support/exchange/simulated-trading.js';
import { buying } from '../../../../src/exchange/participants/stage.js';

const RECORDED = marketId(7);
const OTHER = marketId(8);
const [HERE, THERE] = marketsOf(2);
const T0 = 1_600_000_000_000_000;

const at = (ms: number, market = RECORDED) => ({
  at: micros(T0 + ms * 1_000),
  eventId: eventId(1),
  marketId: market,
});
const levels = (...rows: readonly (readonly [number, number])[]) => ({
  prices: rows.map(([cents]) => priceUnits(cents * 100)),
  shares: rows.map(([, whole]) => shares(whole * 100)),
});
const book = (ms: number, bid: number, ask: number, market = RECORDED): RecordedLine => ({
  ...at(ms, market),
  kind: 'book',
  bids: levels([bid, 10]),
  asks: levels([ask, 10]),
});
const trade = (ms: number, cents: number, takerSide: 'bid' | 'ask' | null): RecordedLine => ({
  ...at(ms),
  kind: 'trade',
  price: priceUnits(cents * 100),
  shares: shares(500),
  takerSide,
});
const status = (
  ms: number,
  word: 'open' | 'closed' | 'resolved',
  changes: Partial<{ resolution: 'long' | 'short' | 'void'; inPlay: boolean; market: typeof RECORDED }> = {},
): RecordedLine => ({
  ...at(ms, changes.market),
  kind: 'status',
  status: word,
  resolution: changes.resolution ?? null,
  inPlay: changes.inPlay ?? false,
});

function reenactment(lines: readonly RecordedLine[], changes: Partial<ReenactmentOptions> = {}): Reenactment {
  const options: ReenactmentOptions = {
    lines,
    speed: 1,
    mode: 'play_money',
    eventId: EVENT,
    markets: new Map([
      [RECORDED, HERE!.id],
      [OTHER, THERE!.id],
    ]),
    depth: 10,
    ...changes,
  };
  return new Reenactment(options, TRADING_START);
}

/** What it does when asked exactly on time, all of it. */
function play(lines: readonly RecordedLine[], changes: Partial<ReenactmentOptions> = {}): readonly Command[] {
  const { exchange } = new SimulatedTrading(marketsOf(2), 1);
  const participant = reenactment(lines, changes);
  const commands: Command[] = [];
  for (let due = participant.nextDue(); due !== null; due = participant.nextDue())
    commands.push(...participant.act(due, exchange));
  return commands;
}
const kinds = (commands: readonly Command[]): readonly string[] => commands.map(({ kind }) => kind);

describe('the time of a re-enactment', () => {
  it('begins with the first line and runs at its speed', () => {
    const moment = (ms: number, speed: number) =>
      reenactedAt(micros(T0 + ms * 1_000), micros(T0), TRADING_START, speed) - TRADING_START;
    expect([moment(0, 1), moment(1_500, 1), moment(1_500, 20), moment(1_500, 0.5)]).toEqual([
      0, 1_500_000, 75_000, 3_000_000,
    ]);
  });

  it('asks to be woken line by line', () => {
    const participant = reenactment([book(0, 40, 60), book(1_000, 41, 60), book(3_000, 42, 60)], {
      speed: 2,
    });
    const { exchange } = new SimulatedTrading(marketsOf(2), 1);
    const dues: (number | null)[] = [];
    for (let due = participant.nextDue(); due !== null; due = participant.nextDue()) {
      dues.push(due - TRADING_START);
      participant.act(due, exchange);
    }
    expect(dues).toEqual([0, 500_000, 1_500_000]);
  });
});

describe('a re-enactment', () => {
  it('sets others’ volume and prints trades into it', () => {
    expect(play([book(0, 40, 60), trade(10, 60, 'bid')])).toEqual([
      {
        kind: 'set-foreign-book',
        marketId: HERE!.id,
        mode: 'play_money',
        bids: levels([40, 10]),
        asks: levels([60, 10]),
        depth: 10,
        crossing: 'fill',
      },
      {
        kind: 'foreign-print',
        marketId: HERE!.id,
        mode: 'play_money',
        takerSide: 'bid',
        price: 6_000,
        shares: 500,
      },
    ]);
  });

  it('tells the side of a print that does not say from the last book, at the middle a purchase', () => {
    const sideAt = (cents: number) =>
      play([book(0, 40, 60), trade(10, cents, null)])
        .map((command) => 'takerSide' in command && command.takerSide)
        .at(-1);
    expect([60, 65, 51, 50, 49, 40, 35].map(sideAt)).toEqual([
      'bid',
      'bid',
      'bid',
      'bid',
      'ask',
      'ask',
      'ask',
    ]);
  });

  it('tells it without any book, too', () => {
    expect(play([trade(0, 70, null)])).toMatchObject([{ takerSide: 'bid' }]);
    expect(play([trade(0, 30, null)])).toMatchObject([{ takerSide: 'ask' }]);
  });

  it('pauses a market that is recorded as closed and opens it again', () => {
    expect(play([status(0, 'open'), status(5, 'closed'), status(9, 'open')])).toEqual(
      ['active', 'paused', 'active'].map((word) => ({
        kind: 'set-market-status',
        marketId: HERE!.id,
        status: word,
      })),
    );
  });

  it.each(['long', 'short', 'void'] as const)('resolves %s as recorded', (resolution) => {
    expect(play([status(0, 'resolved', { resolution })])).toEqual([
      { kind: 'resolve-event', eventId: EVENT, resolutions: [{ marketId: HERE!.id, resolution }] },
    ]);
  });

  it('takes a resolution that is not told for a void', () => {
    expect(play([status(0, 'resolved')])).toMatchObject([{ resolutions: [{ resolution: 'void' }] }]);
  });

  it('decides outcomes that are resolved together in one command', () => {
    const commands = play([
      status(0, 'closed'),
      status(5, 'resolved', { resolution: 'long' }),
      status(5, 'resolved', { resolution: 'short', market: OTHER }),
    ]);
    expect(commands.slice(1)).toEqual([
      {
        kind: 'resolve-event',
        eventId: EVENT,
        resolutions: [
          { marketId: HERE!.id, resolution: 'long' },
          { marketId: THERE!.id, resolution: 'short' },
        ],
      },
    ]);
  });

  it('says when the event goes live and when it does not any more', () => {
    const commands = play([
      status(0, 'open'),
      status(5, 'open', { inPlay: true }),
      status(6, 'closed', { inPlay: true }),
      status(9, 'closed'),
    ]);
    expect(commands.flatMap((command) => (command.kind === 'set-live' ? [command.isLive] : []))).toEqual([
      true,
      false,
    ]);
  });

  it('leaves out markets that the exchange does not have', () => {
    expect(
      play([book(0, 40, 60, OTHER), trade(1, 50, 'bid')], { markets: new Map([[RECORDED, HERE!.id]]) }),
    ).toHaveLength(1);
  });

  it('catches up in order when it is asked late, a resolution before what comes after it', () => {
    const lines = [
      status(0, 'open'),
      book(0, 40, 60),
      trade(10, 60, 'bid'),
      status(20, 'resolved', { resolution: 'long' }),
      book(30, 45, 55, OTHER),
      status(40, 'resolved', { resolution: 'short', market: OTHER }),
      book(99_000, 1, 2, OTHER),
    ];
    const participant = reenactment(lines);
    const { exchange } = new SimulatedTrading(marketsOf(2), 1);
    const late = participant.act((TRADING_START + 1_000_000) as Micros, exchange);
    expect(kinds(late)).toEqual(kinds(play(lines.slice(0, -1))));
    expect(kinds(late)).toEqual([
      'set-market-status',
      'set-foreign-book',
      'foreign-print',
      'resolve-event',
      'set-foreign-book',
      'resolve-event',
    ]);
    expect(participant.nextDue()).toBe(TRADING_START + 99_000_000);
  });

  it('fills our resting order by a recorded trade and pays it out by the recorded resolution', () => {
    const trading = new SimulatedTrading(marketsOf(2), 1);
    const lines = [
      status(0, 'open'),
      book(0, 40, 60),
      trade(2_000, 41, 'ask'),
      status(3_000, 'closed'),
      status(4_000, 'resolved', { resolution: 'long' }),
      status(4_000, 'resolved', { resolution: 'short', market: OTHER }),
    ];
    trading.run([reenactment(lines)], 1);
    trading.execute(
      buying(
        { market: HERE!, side: 'bid', price: priceUnits(4_100), shares: shares(300), expiresAt: null },
        traderOf(1, trading.markets),
      ),
    );
    trading.pass(2);
    expect(trading.worthIf(1, HERE!)).toBeCloseTo(1_000_000 + 3 * (1 - 0.41), 6);
    trading.pass(2);
    expect(trading.cash(1)).toBeCloseTo(1_000_000 + 3 * (1 - 0.41), 6);
    expect(trading.exchange.event(EVENT)?.status).toBe('resolved');
    expect(trading.exchange.ledger().sum['OOM']).toBe(0);
  });
});
