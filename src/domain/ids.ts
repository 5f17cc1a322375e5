declare const id: unique symbol;
type Id<Name extends string> = number & { readonly [id]: Name };

/** A question (specification 1). */
export type EventId = Id<'EventId'>;
/** One outcome of an event (specification 1). */
export type MarketId = Id<'MarketId'>;
/** An order as the venue numbers it. */
export type OrderId = Id<'OrderId'>;
/** A position record as the venue numbers it. */
export type WagerId = Id<'WagerId'>;
/** An account of the venue. */
export type AccountId = Id<'AccountId'>;

/** Brands a positive safe integer. @throws RangeError otherwise */
function identifier(value: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${what} is not an id: ${value}`);
  return value;
}

export const eventId = (value: number): EventId => identifier(value, 'event') as EventId;
export const marketId = (value: number): MarketId => identifier(value, 'market') as MarketId;
export const orderId = (value: number): OrderId => identifier(value, 'order') as OrderId;
export const wagerId = (value: number): WagerId => identifier(value, 'wager') as WagerId;
export const accountId = (value: number): AccountId => identifier(value, 'account') as AccountId;
