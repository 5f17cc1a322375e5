/** The venue's own books, read in full now and then: they add up, and they say what the venue told. */
import type { Register } from './register.js';
import type { AuditedExchange } from './rule.js';

const ACTIVE = ['processing', 'open', 'partial_filled'] as const;
const ALL = { limit: 100_000, offset: 0 };

/** @returns what does not add up, or null */
export function booksProblem(exchange: AuditedExchange, register: Register): string | null {
  const { sum, accounts } = exchange.ledger();
  for (const [currency, amount] of Object.entries(sum))
    if (amount !== 0) return `${currency} adds up to ${amount}`;
  return holdingsProblem(accounts, register) ?? ordersProblem(exchange, register);
}

function holdingsProblem(
  accounts: ReturnType<AuditedExchange['ledger']>['accounts'],
  register: Register,
): string | null {
  for (const { id, currency, shares } of accounts) {
    if (id !== register.account || currency !== register.currency) continue;
    for (const row of shares) {
      const told = register.holding(row.marketId)[row.position];
      if (told !== row.shares)
        return `${row.marketId} ${row.position}: told ${told}, the ledger has ${row.shares}`;
    }
  }
  return null;
}

function ordersProblem(exchange: AuditedExchange, register: Register): string | null {
  const listed = ACTIVE.flatMap((status) =>
    exchange.orders(register.account as never, { status, ...ALL }).results.map(({ id }) => id as number),
  ).toSorted((a, b) => a - b);
  const told = [...register.allWorking()].map(({ id }) => id as number).toSorted((a, b) => a - b);
  return listed.join() === told.join()
    ? null
    : `working orders: told ${told.join()}, listed ${listed.join()}`;
}
