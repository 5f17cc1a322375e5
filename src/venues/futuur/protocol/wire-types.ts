/** Schema parts that several resources share. */
import { Type, type TSchema } from 'typebox';
import { CURRENCIES, CURRENCY_MODES, ORDER_STATUSES, SIDES } from '../../../domain/vocabulary.js';

/** An integer id; beyond safe integers two ids would look the same. */
export const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** How many, or the how-manieth. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** An id written as text, as in the batch order (specification 2.3, second table). */
export const IdText = Type.String({ pattern: '^[0-9]{1,16}$' });
/** A decimal as text: `12.5`. Digits and range are checked where it is read. */
export const DecimalText = Type.String({ maxLength: 64 });
/** A decimal in a request: number, or text where a client wants exactness (specification 2.4). */
export const Decimal = Type.Union([Type.Number(), DecimalText]);
/** ISO 8601; the calendar is checked where it is read. */
export const Time = Type.String({ maxLength: 40 });
/** A probability or price, 0 to 1. */
export const Probability = Type.Number({ minimum: 0, maximum: 1 });

export const Currency = Type.Enum(CURRENCIES);
export const CurrencyMode = Type.Enum(CURRENCY_MODES);
export const Side = Type.Enum(SIDES);
export const OrderStatus = Type.Enum(ORDER_STATUSES);
/** Both spellings are accepted everywhere (facts, "Events and markets"). */
export const PositionWord = Type.Enum(['long', 'short', 'l', 's'] as const);

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
/** A member that may be missing or null. */
export const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(nullable(schema));
