/** `GET /events/{id}/price_history/` (specification 2.8, 4.15). */
import { Type, type Static } from 'typebox';
import { CURRENCY_MODES, TIME_INTERVALS } from '../../../../domain/vocabulary.js';
import { choice, required } from '../query.js';
import { shape } from '../shape.js';
import { Id, Probability, Time } from '../wire-types.js';

/** Chronological; each point names every outcome with its long price then. */
export const PriceHistory = Type.Object({
  currency_mode: Type.String(),
  time_interval: Type.String(),
  history: Type.Array(
    Type.Object({
      timestamp: Time,
      outcomes: Type.Array(Type.Object({ outcome_id: Id, name: Type.String(), price: Probability })),
    }),
  ),
});
export type PriceHistory = Static<typeof PriceHistory>;

/** Without an interval all history is returned. */
export const PRICE_HISTORY_QUERY = {
  currency_mode: required(choice(CURRENCY_MODES)),
  time_interval: choice(TIME_INTERVALS),
};

export const priceHistory = shape(PriceHistory);
