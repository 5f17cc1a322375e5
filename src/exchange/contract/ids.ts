/** The bundled exchange counts its events, markets, orders, wagers and accounts. */
declare const id: unique symbol;
type Id<Name extends string> = number & { readonly [id]: Name };

export type EventId = Id<'EventId'>;
export type MarketId = Id<'MarketId'>;
export type OrderId = Id<'OrderId'>;
export type WagerId = Id<'WagerId'>;
export type AccountId = Id<'AccountId'>;

/** Brands a whole number, or the digits that name it elsewhere. @throws RangeError for anything else */
function identifier(value: number | string, what: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0 || String(number) !== String(value))
    throw new RangeError(`${what} is not an id of the exchange: ${JSON.stringify(value)}`);
  return number;
}

export const eventId = (value: number | string): EventId => identifier(value, 'event') as EventId;
export const marketId = (value: number | string): MarketId => identifier(value, 'market') as MarketId;
export const orderId = (value: number | string): OrderId => identifier(value, 'order') as OrderId;
export const wagerId = (value: number | string): WagerId => identifier(value, 'wager') as WagerId;
export const accountId = (value: number | string): AccountId => identifier(value, 'account') as AccountId;
