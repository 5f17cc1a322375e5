import { invariant } from '../../domain/errors.js';
import type { AccountId } from '../contract/ids.js';
import { CURRENCIES } from '../../domain/vocabulary.js';
import type { AccountConfig } from '../contract.js';
import type { Book } from '../markets/book.js';
import { type Amounts, noAmounts } from '../money/ledger.js';
import type { BookAccount } from './book-accounts.js';

/** The wallet registered with `POST /me/safe/`. */
export interface Safe {
  readonly address: string;
  readonly chainId: number;
}

/** One account: who it is, and its money. */
export class Account {
  /** Spendable, money units. */
  readonly cash = noAmounts();
  /** Locked by bids, money units. */
  readonly locked = noAmounts();
  /** Cash as it was when the last command ended. */
  readonly published: Amounts;
  /** The running command may have changed the cash. */
  isTouched = false;
  safe: Safe | null = null;
  /** What it has in each book, in order of first need. */
  readonly inBook = new Map<Book, BookAccount>();
  readonly id: AccountId;

  constructor(readonly config: AccountConfig) {
    this.id = config.id;
    for (const currency of CURRENCIES) this.cash[currency] = config.balances[currency] ?? 0;
    this.published = { ...this.cash };
  }
}

/** All accounts, those of the configuration first, in its order. */
export class Accounts {
  readonly list: Account[] = [];
  private readonly byId = new Map<AccountId, Account>();

  constructor(configs: readonly AccountConfig[]) {
    for (const config of configs) this.add(config);
  }

  find(id: AccountId): Account | null {
    return this.byId.get(id) ?? null;
  }

  /** The account of a command. @throws InvariantError when there is none: callers have authenticated it */
  get(id: AccountId): Account {
    const account = this.byId.get(id);
    invariant(account !== undefined, `no account ${id}`);
    return account;
  }

  add(config: AccountConfig): Account {
    invariant(!this.byId.has(config.id), `two accounts have the id ${config.id}`);
    const account = new Account(config);
    this.list.push(account);
    this.byId.set(config.id, account);
    return account;
  }
}
