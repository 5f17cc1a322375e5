/** `GET /events/{id}/get_tax/` (specification 2.8, 4.16); informational, charges nothing (facts, "Trading rules"). */
import { Type, type Static } from 'typebox';
import { shape } from '../shape.js';
import { nullable } from '../wire-types.js';

/** null: no tax applies in that mode. */
export const Tax = Type.Object({
  tax_play_money: nullable(Type.Number()),
  tax_real_money: nullable(Type.Number()),
});
export type Tax = Static<typeof Tax>;

export const tax = shape(Tax);
