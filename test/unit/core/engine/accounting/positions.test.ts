import { expect, it } from 'vitest';
import type { Answer } from '../../../../../src/domain/answers.js';
import type { Fill } from '../../../../../src/domain/fill.js';
import { eventId, type MarketId, marketId } from '../../../../../src/domain/ids.js';
import type { Input } from '../../../../../src/domain/inputs.js';
import type { HoldingReport } from '../../../../../src/domain/orders.js';
import type { Micros, Shares } from '../../../../../src/domain/units.js';
import type { Currency, Position } from '../../../../../src/domain/vocabulary.js';
import { Positions } from '../../../../../src/core/engine/accounting/positions.js';
import { Holdings } from '../../../../../src/core/mirror/account.js';
import type { Mirror } from '../../../../../src/core/mirror/mirror.js';
import { Portfolio } from '../../../../../src/core/portfolio/portfolio.js';

const at = 1_000_000 as Micros;
const place = { eventId: eventId(100), marketId: marketId(11), position: 'long' } as const;

const holding = (currency: Currency, shares: number): HoldingReport =>
  ({ ...place, currency, shares, purchasesAmount: null }) as unknown as HoldingReport;
const bought = { ...place, side: 'bid', shares: 200, amount: 800_000, fee: 0, liquidity: 'maker', at };
const read = (...holdings: readonly HoldingReport[]): Answer =>
  ({
    sentAt: at,
    outcome: { ok: true, body: { kind: 'read-holdings', holdings } },
  }) as unknown as Answer;

/** A disabled market, and the message that tells of it. */
const disabled = { id: place.marketId, disabled: true, status: 'active', resolution: null };
const disabling = { kind: 'market-status', marketId: place.marketId, disabled: true } as Input;

/** Of a run in USDC, with what an onlooker was told of shares that came otherwise than by a fill. */
function positionsInUsdc() {
  const told: (readonly [shares: number, longPrice: number])[] = [];
  const portfolio = new Portfolio(() => ({ resolutionMode: 'exclusive', markets: [] }) as never, 1_000);
  const observer = {
    transferred: (...[, , , came, longPrice]: readonly [unknown, unknown, unknown, Shares, number]) =>
      void told.push([came, longPrice]),
  };
  const holdings = new Holdings();
  const mirror = {
    markets: [disabled],
    distrust: () => undefined,
    isRead: () => true,
    holdings: () => holdings.all(),
    held: (...name: readonly [MarketId, Position, Currency]) => holdings.shares(...name),
  } as unknown as Mirror;
  const positions = new Positions(portfolio, 'USDC', mirror, new Map(), observer);
  /** As an engine takes these in: the mirror first. */
  const take = (answer: Answer, time = at) => {
    const { body } = answer.outcome as { readonly body: { readonly holdings: readonly HoldingReport[] } };
    holdings.replace(body.holdings, answer.sentAt as Micros);
    const differences = positions.read(answer, () => false, time);
    for (const difference of differences) positions.repair(difference, time);
    return differences;
  };
  const report = (held: HoldingReport, time = at) => {
    holdings.update(held, time);
    positions.reported(held, time);
  };
  return { positions, portfolio, told, take, report };
}

it('what is held in another currency is known, and is none of what the analysis of a run adds up', () => {
  const { positions, portfolio, told, take } = positionsInUsdc();
  take(read(holding('USD', 300), holding('USDC', 500)));
  expect(told).toEqual([[500, 5_000]]);
  expect(portfolio.held(place.marketId, 'USD', 'long')).toBe(300);
  expect(positions.held(place.marketId, 'long')).toBe(500);
});

it('a read that left before a fill in another currency does not take its shares away, be the market disabled', () => {
  const { positions, portfolio, take } = positionsInUsdc();
  take(read());
  positions.heard(disabling, at);
  positions.filled({ ...bought, currency: 'USD' } as unknown as Fill, (at + 1) as Micros);
  take(read(holding('USD', 100)), (at + 2) as Micros);
  expect(portfolio.held(place.marketId, 'USD', 'long')).toBe(200);
});

it('of play money held nothing is to be read, for no read of the run tells of it', () => {
  const { positions, report } = positionsInUsdc();
  report(holding('OOM', 100));
  expect(positions.readDue).toBeNull();
  report(holding('USD', 100));
  expect(positions.readDue).not.toBeNull();
});

it('what a frame told while the first read was under way is newer than the read', () => {
  const { positions, take, report } = positionsInUsdc();
  report(holding('USDC', 300), (at + 1) as Micros);
  take(read(holding('USDC', 500)), (at + 2) as Micros);
  expect(positions.held(place.marketId, 'long')).toBe(300);
  expect(positions.readDue).toBeNull();
});

it('a fill that the first read contained, told of after the last report: read again, and taken back', () => {
  const { positions, take, report } = positionsInUsdc();
  take(read(holding('USDC', 500)));
  report(holding('USDC', 500), (at + 1) as Micros);
  positions.filled({ ...bought, currency: 'USDC' } as unknown as Fill, (at + 2) as Micros);
  expect(positions.held(place.marketId, 'long')).toBe(700);
  expect(positions.readDue).toBe(at + 2 + 1_000_000);
  const second = { ...read(holding('USDC', 500)), sentAt: (at + 1_000_003) as Micros };
  expect(take(second, (at + 1_000_004) as Micros)).toEqual([]);
  const third = { ...second, sentAt: (at + 2_000_005) as Micros };
  expect(take(third, (at + 2_000_006) as Micros)).toMatchObject([{ ours: 700, venue: 500 }]);
  expect(positions.held(place.marketId, 'long')).toBe(500);
});

it('a read that the mirror does not take in opens no books', () => {
  const { positions } = positionsInUsdc();
  const mirror = { isRead: () => false } as unknown as Mirror;
  const unread = new Positions(positions.portfolio, 'USDC', mirror, new Map(), null);
  expect(unread.read(read(holding('USDC', 500)), () => false, at)).toEqual([]);
  expect(unread.areOpened).toBe(false);
});

it('a fill that is told of after holdings that hold it is counted by limits as one that came, and as one that did not', () => {
  const { positions, take, report } = positionsInUsdc();
  take(read(holding('USDC', 500)));
  positions.filled({ ...bought, currency: 'USDC' } as unknown as Fill, at);
  expect(positions.netBetween(place.marketId)).toEqual({ least: 500, most: 700 });
  report(holding('USDC', 700));
  expect(positions.netBetween(place.marketId)).toEqual({ least: 700, most: 700 });
});

it('a run that trades a part of an account tells what its own markets held, of one that joins when it does', () => {
  const { portfolio } = positionsInUsdc();
  const told: unknown[] = [];
  const observer = {
    opened: (holdings: readonly HoldingReport[], _: Micros, markets: readonly MarketId[] | null) =>
      void told.push([holdings.map(({ marketId: id, shares }) => [id, shares]), markets]),
  };
  const later = marketId(12);
  const holdings = [
    holding('USDC', 500),
    holding('USD', 100),
    { ...holding('USDC', 700), marketId: later },
    { ...holding('USDC', 900), marketId: marketId(13) },
  ];
  const mirror = { isRead: () => true, holdings: () => holdings } as unknown as Mirror;
  const terms = new Map([[place.marketId, {} as never]]);
  const positions = new Positions(portfolio, 'USDC', mirror, terms, observer, true);
  positions.read(read(...holdings), () => false, at);
  terms.set(later, {} as never);
  positions.joined(later, at);
  expect(told).toEqual([
    [[[place.marketId, 500]], [place.marketId]],
    [[[later, 700]], [later]],
  ]);
});
