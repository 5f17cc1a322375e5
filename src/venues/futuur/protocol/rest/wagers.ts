/** Positions: `GET /wagers/`, `/wagers/{id}/`, `/events/{id}/wagers/`, `/wagers/rebates/` (specification 2.5, 4.11 to 4.13). */
import { Type, type Static } from 'typebox';
import { WAGER_STATUSES } from '../../../../domain/vocabulary.js';
import { shape, Count, DecimalText, Id, maybe, PositionWord, Time } from '../shape.js';
import { pageOf } from './pagination.js';

/** `user`, `event` and `market` are references in URL form; the id is their last number. */
export const Wager = Type.Object({
  id: Id,
  status: Type.Enum(WAGER_STATUSES),
  status_display: Type.String(),
  user: Type.String(),
  event: Type.String(),
  market: Type.String(),
  position: PositionWord,
  position_display: Type.String(),
  currency: Type.Optional(Type.String()),
  shares: Type.Number(),
  shares_in_canonical: Type.Number(),
  total_amount: DecimalText,
  purchases_amount: Type.Optional(Type.Number()),
  active_purchases_amount: DecimalText,
  active_purchases: Type.Optional(Type.Unknown()),
  roi: Type.String(),
  earnings: DecimalText,
  amount_on_win: DecimalText,
  amount_on_sell: DecimalText,
  last_profit: maybe(Type.Number()),
  last_sell_amount: maybe(Type.Number()),
  last_purchase: Time,
  last_update: Time,
  last_action: Type.Optional(Type.Unknown()),
  actions_count: Type.Optional(Count),
});
export type Wager = Static<typeof Wager>;

/** `WagerDetail`: the action history as a URL reference beside all of {@link Wager}. */
export const WagerDetail = Type.Object({ ...Wager.properties, actions: Type.String() });
export type WagerDetail = Static<typeof WagerDetail>;

const WagerPage = pageOf(Wager);

/** `active` is `purchased` alone, `past_bets` every other status (specification 3.2); these two hold shares. */
export const HELD_WAGER_STATUSES: readonly string[] = ['purchased', 'disabled'];

export const Rebates = Type.Object({ rebated_fee_usd: Type.Number() });
export type Rebates = Static<typeof Rebates>;

export const wagerPage = shape(WagerPage);
export const wagerDetail = shape(WagerDetail);
export const wagerList = shape(Type.Array(Wager));
export const rebates = shape(Rebates);
