declare const id: unique symbol;
type Id<Name extends string> = string & { readonly [id]: Name };

/** A question. */
export type EventId = Id<'EventId'>;
/** One outcome of an event. */
export type MarketId = Id<'MarketId'>;
/** An order, by the name that the venue gave it. */
export type OrderId = Id<'OrderId'>;
/** An account of the venue. */
export type AccountId = Id<'AccountId'>;

/** Brands a venue's own name for a thing. A whole number becomes its digits. @throws RangeError for anything else */
function identifier(value: number | string, what: string): string {
  if (typeof value === 'string' ? value === '' : !Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${what} is not an id: ${JSON.stringify(value)}`);
  return String(value);
}

export const eventId = (value: number | string): EventId => identifier(value, 'event') as EventId;
export const marketId = (value: number | string): MarketId => identifier(value, 'market') as MarketId;
export const orderId = (value: number | string): OrderId => identifier(value, 'order') as OrderId;
export const accountId = (value: number | string): AccountId => identifier(value, 'account') as AccountId;

/** How files for people and decision lines write an id: digits as a number, other names as text. */
export const writtenId = (id: string): number | string =>
  /^(?:0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id;
