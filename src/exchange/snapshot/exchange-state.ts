/** The whole exchange as plain JSON, and back. */
import type { LiquidityModels } from '../../venues/simulated/models/liquidity.js';
import { UsageError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import type { Account, Safe } from '../money/accounts.js';
import type { Comment } from '../comments.js';
import type { ExchangeConfig, ExchangeSnapshot } from '../contract.js';
import type { DueItem } from '../due.js';
import { Floor } from '../floor.js';
import type { StoredAnswer } from '../idempotency.js';
import type { SavedOrders } from '../orders/order-table.js';
import type { RebateRow } from '../money/rebates.js';
import type { SavedRing } from '../ring-table.js';
import {
  loadBooks,
  loadEvents,
  saveBooks,
  saveEvents,
  type SavedBook,
  type SavedEvent,
} from './market-state.js';
import { loadSettlements, saveSettlements, type SavedSettlement } from './settlement-state.js';
import { loadStakes, saveStakes, type SavedStake } from './stake-state.js';
import { loadWagers, saveWagers, type SavedWagers } from './wager-state.js';

/** Changes whenever an older snapshot cannot be read any more. */
const FORMAT = 1;

interface SavedAccount {
  readonly cash: readonly number[];
  readonly locked: readonly number[];
  readonly safe: Safe | null;
}

interface SavedExchange {
  readonly format: number;
  readonly config: ExchangeConfig;
  readonly now: Micros;
  readonly accounts: readonly SavedAccount[];
  readonly deposits: readonly number[];
  readonly events: readonly SavedEvent[];
  readonly orders: SavedOrders;
  readonly books: readonly SavedBook[];
  readonly stakes: readonly SavedStake[];
  readonly wagers: SavedWagers;
  readonly settlements: readonly SavedSettlement[];
  readonly trades: SavedRing;
  readonly due: readonly DueItem[];
  readonly comments: { readonly lastId: number; readonly pending: readonly Comment[] };
  readonly answers: readonly (readonly [string, StoredAnswer])[];
  readonly duplicates: readonly (readonly [string, Micros])[];
  readonly rebates: readonly (readonly [string, RebateRow])[];
}

export function saveFloor(floor: Floor): ExchangeSnapshot {
  const stakes = saveStakes(floor);
  const saved: SavedExchange = {
    format: FORMAT,
    config: { ...floor.config, accounts: floor.accounts.list.map(({ config }) => config), events: [] },
    now: floor.now,
    accounts: floor.accounts.list.map(saveAccount),
    deposits: [...floor.deposits],
    events: saveEvents(floor),
    orders: floor.orders.save(stakes.flatMap(({ orders }) => orders)),
    books: saveBooks(floor),
    stakes,
    wagers: saveWagers(floor),
    settlements: saveSettlements(floor),
    trades: floor.trades.save(),
    due: floor.due.items(),
    comments: { lastId: floor.comments.lastId, pending: [...floor.comments.pending.values()] },
    answers: [...floor.idempotency.answers],
    duplicates: [...floor.duplicates.taken],
    rebates: [...floor.rebates.rows],
  };
  return { ...saved };
}

const saveAccount = ({ cash, locked, safe }: Account): SavedAccount => ({
  cash: [...cash],
  locked: [...locked],
  safe,
});

/** @throws UsageError when the snapshot is of another format */
export function loadFloor(snapshot: ExchangeSnapshot, liquidity: LiquidityModels): Floor {
  if (snapshot['format'] !== FORMAT) {
    throw new UsageError(
      `the snapshot has format ${String(snapshot['format'])}, this version reads ${FORMAT}`,
    );
  }
  const saved = snapshot as unknown as SavedExchange;
  const floor = new Floor(saved.config, liquidity);
  floor.now = saved.now;
  for (const [index, account] of saved.accounts.entries()) loadAccount(floor.accounts.at(index), account);
  floor.deposits.set(saved.deposits);
  loadEvents(floor, saved.events);
  floor.orders.load(saved.orders);
  loadBooks(floor, saved.books);
  loadStakes(floor, saved.stakes);
  loadWagers(floor, saved.wagers);
  loadSettlements(floor, saved.settlements);
  loadRecords(floor, saved);
  return floor;
}

function loadAccount(account: Account, { cash, locked, safe }: SavedAccount): void {
  account.cash.set(cash);
  account.locked.set(locked);
  account.safe = safe;
}

function loadRecords(floor: Floor, saved: SavedExchange): void {
  floor.trades.load(saved.trades);
  for (const item of saved.due) floor.due.schedule(item);
  floor.comments.load(saved.comments.lastId, saved.comments.pending);
  for (const [name, answer] of saved.answers) floor.idempotency.put(name, answer);
  for (const [content, at] of saved.duplicates) floor.duplicates.take(content, at);
  for (const [name, row] of saved.rebates) floor.rebates.rows.set(name, row);
}
