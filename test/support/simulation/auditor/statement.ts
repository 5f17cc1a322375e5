/** What the bot says of itself when it is quiet, and what the venue says to that. */
import { complement } from '../../../../src/domain/units.js';
import type { Register, RegisteredOrder } from './register.js';
import type { AuditedExchange, Charter } from './rule.js';

/** The bot's own word, in plain values. Prices are of the long side. */
export interface Statement {
  readonly quotes: readonly {
    readonly market: number;
    readonly side: string;
    readonly price: number;
    readonly shares: number;
  }[];
  readonly holdings: readonly { readonly market: number; readonly long: number; readonly short: number }[];
  /** Free cash in money units; null: not known. */
  readonly cash: number | null;
  /** Money units that it does not count because the venue has refused orders for want of cash; left out: none. */
  readonly heldBack?: number;
}

/** What the venue says, and what it promised. */
interface Truth {
  readonly exchange: AuditedExchange;
  readonly register: Register;
  readonly charter: Charter;
  /**
   * Whether nobody can tell whose the order is: the venue applied its request by half and forgot it, or a hand placed it with
   * all the terms of one that the bot asked for and nobody told it of.
   */
  readonly mayBeEither: (order: RegisteredOrder) => boolean;
  /** Whether the bot has read what cash there is since it last asked for anything: else it may count less. */
  readonly isExact: boolean;
}

/** @returns every difference, in words */
export function differences(statement: Statement, truth: Truth): readonly string[] {
  const { register, exchange, isExact } = truth;
  const quotes = quotesOf(statement);
  return [
    ...compared('orders', ordersOf(truth, quotes), quotes),
    ...holdingDifferences(statement, register),
    ...cashDifferences(statement, exchange, register, isExact),
  ];
}

/** @returns the difference in holdings alone */
export const holdingDifferences = (statement: Statement, register: Register): readonly string[] =>
  compared('holdings', heldAt(statement, register), heldBy(statement));

function cashDifferences(
  statement: Statement,
  exchange: AuditedExchange,
  { account, currency: ours }: Register,
  isExact: boolean,
): readonly string[] {
  const row = exchange.ledger().accounts.find(({ id, currency }) => id === account && currency === ours);
  const cash = row?.cash ?? 0;
  const { cash: said, heldBack = 0 } = statement;
  const less = said === null ? -1 : cash - said;
  if (less >= 0 && (!isExact || less <= heldBack)) return [];
  return compared('cash', [String(cash)], [String(statement.cash)]);
}

const compared = (what: string, venue: readonly string[], bot: readonly string[]): readonly string[] =>
  venue.join() === bot.join()
    ? []
    : [`${what}: the venue has [${venue.join('; ')}], the bot says [${bot.join('; ')}]`];

/**
 * Orders that are the bot's: in exclusive scopes everything, elsewhere those it asked for. Those that may be either's are, as
 * far as it names more orders of such terms than are its own for certain.
 */
function ordersOf(
  { register, charter: { events }, mayBeEither }: Truth,
  quotes: readonly string[],
): readonly string[] {
  const exclusive = new Set(events.filter((one) => one.isExclusiveScope).map(({ event }) => event));
  const isScope = ({ eventId }: RegisteredOrder): boolean => exclusive.has(eventId);
  const isUnsure = (order: RegisteredOrder): boolean => !isScope(order) && mayBeEither(order);
  const working = [...register.allWorking()];
  const own = working.filter((order) => isScope(order) || order.letter !== null);
  const sure = own.filter((order) => !isUnsure(order)).map(lineOf);
  const unsure = working.filter(isUnsure).map(lineOf);
  return [...sure, ...inBoth(unsure, without(quotes, sure))].toSorted();
}

/** What is left of a list when each of the others was taken out of it once. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...lines];
  for (const other of others) if (left.includes(other)) left.splice(left.indexOf(other), 1);
  return left;
}

const inBoth = (lines: readonly string[], others: readonly string[]): readonly string[] =>
  without(lines, without(lines, others));

const lineOf = ({ marketId, bookSide, position, price, requested, filled }: RegisteredOrder): string =>
  line(marketId, bookSide, position === 'long' ? price : complement(price as never), requested - filled);

const quotesOf = ({ quotes }: Statement): readonly string[] =>
  quotes.map(({ market, side, price, shares }) => line(market, side, price, shares)).toSorted();

const line = (market: number, side: string, price: number, shares: number): string =>
  `${market} ${side} ${shares} at ${price}`;

const heldAt = ({ holdings }: Statement, register: Register): readonly string[] =>
  holdings.map(({ market }) => {
    const { long, short } = register.holding(market as never);
    return `${market} ${long}/${short}`;
  });

const heldBy = ({ holdings }: Statement): readonly string[] =>
  holdings.map(({ market, long, short }) => `${market} ${long}/${short}`);
