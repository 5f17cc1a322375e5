import { invariant } from '../../domain/errors.js';
import type { AccountId } from '../../domain/ids.js';
import { CURRENCIES } from '../../domain/vocabulary.js';
import { CURRENCY_COUNT, currencyCode } from '../codes.js';
import type { AccountConfig } from '../contract.js';

/** The wallet registered with `POST /me/safe/`. */
export interface Safe {
  readonly address: string;
  readonly chainId: number;
}

/** One account: who it is, and its money by currency code. */
export class Account {
  /** Spendable, money units. */
  readonly cash = new Float64Array(CURRENCY_COUNT);
  /** Locked by bids, money units. */
  readonly locked = new Float64Array(CURRENCY_COUNT);
  safe: Safe | null = null;
  /** Cash before the running command touched it. */
  readonly cashBefore = new Float64Array(CURRENCY_COUNT);
  touched = false;
  readonly id: AccountId;

  /** @param index place in the list of accounts */
  constructor(
    readonly index: number,
    readonly config: AccountConfig,
  ) {
    this.id = config.id;
  }

  rememberCash(): void {
    const { cash, cashBefore } = this;
    for (let at = 0; at < CURRENCY_COUNT; at++) cashBefore[at] = cash[at] as number;
  }

  /** Whether any cash differs from what was remembered. */
  hasChanged(): boolean {
    const { cash, cashBefore } = this;
    for (let at = 0; at < CURRENCY_COUNT; at++) if (cash[at] !== cashBefore[at]) return true;
    return false;
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

  at(index: number): Account {
    return this.list[index] as Account;
  }

  add(config: AccountConfig): Account {
    invariant(!this.byId.has(config.id), `two accounts have the id ${config.id}`);
    const account = new Account(this.list.length, config);
    for (const currency of CURRENCIES) account.cash[currencyCode(currency)] = config.balances[currency] ?? 0;
    this.list.push(account);
    this.byId.set(config.id, account);
    return account;
  }
}
