/** `GET /markets/{id}/book/` (specification 2.7, 4.14). */
import { Type, type Static } from 'typebox';
import { CURRENCY_MODES, POSITIONS } from '../../../../domain/vocabulary.js';
import { choice, required } from '../query.js';
import { shape } from '../shape.js';
import { Probability } from '../wire-types.js';

/** Columns accumulate from the best level on. The two user columns stand in signed answers only. */
export const BookLevel = Type.Object({
  price: Probability,
  total_shares: Type.Number(),
  total_amount: Type.Number(),
  total_fees: Type.Number(),
  cumulative_shares: Type.Number(),
  cumulative_amount: Type.Number(),
  cumulative_fees: Type.Number(),
  total_user_shares: Type.Optional(Type.Number()),
  total_user_shares_requested: Type.Optional(Type.Number()),
});
export type BookLevel = Static<typeof BookLevel>;

/** `bid` from the highest price down, `ask` from the lowest up. */
export const Book = Type.Object({ bid: Type.Array(BookLevel), ask: Type.Array(BookLevel) });
export type Book = Static<typeof Book>;

export const BOOK_QUERY = { currency_mode: required(choice(CURRENCY_MODES)), position: choice(POSITIONS) };

export const book = shape(Book);
