/** `POST /v2.0/pusher/auth/` (specification 4.17; request and answer from the facts, "Signing"): a form, answered in JSON. */
import { Type, type Static } from 'typebox';
import { type Pair, shape, DecimalText, Id } from '../shape.js';
import { CHANNEL_NAME_LENGTH } from '../profile.js';
import { KYC_STATUSES } from '../../../../domain/vocabulary.js';

/** `socket_id` is two numbers and a point, given by the realtime service at connection. */
export const ChannelAuthorizationRequest = Type.Object({
  socket_id: Type.String({ pattern: '^[0-9]{1,20}\\.[0-9]{1,20}$' }),
  channel_name: Type.String({ minLength: 1, maxLength: CHANNEL_NAME_LENGTH }),
});
export type ChannelAuthorizationRequest = Static<typeof ChannelAuthorizationRequest>;

export const ChannelAuthorization = Type.Object({ auth: Type.String() });
export type ChannelAuthorization = Static<typeof ChannelAuthorization>;

/** The form parameters, which are also what is signed. */
export const channelAuthorizationPairs = (request: ChannelAuthorizationRequest): readonly Pair[] => [
  ['channel_name', request.channel_name],
  ['socket_id', request.socket_id],
];

export const channelAuthorizationRequest = shape(ChannelAuthorizationRequest);
export const channelAuthorization = shape(ChannelAuthorization);

/** `GET /me/`, `POST /me/safe/`, `GET /me/balances/` (specification 2.1, 2.2, 4.1 to 4.3). */

const userMembers = {
  id: Id,
  username: Type.Optional(Type.String()),
  email: Type.String(),
  /** Currency code to decimal text. */
  wallet: Type.Record(Type.String(), DecimalText),
  email_confirmed: Type.Boolean(),
  real_currency_enabled: Type.Boolean(),
  kyc_status: Type.Enum(KYC_STATUSES),
  date_joined: Type.Optional(Type.String()),
};

export const UserPrivate = Type.Object({ ...userMembers, is_wallet_user: Type.Optional(Type.String()) });
export type UserPrivate = Static<typeof UserPrivate>;

/** Answer of `POST /me/safe/`: here `is_wallet_user` (text `true` or `false`) always stands. */
export const RegisteredUser = Type.Object({ ...userMembers, is_wallet_user: Type.String() });
export type RegisteredUser = Static<typeof RegisteredUser>;

export const WalletRegistration = Type.Object({
  safe_address: Type.String({ minLength: 1, maxLength: 128 }),
  chain_id: Id,
});
export type WalletRegistration = Static<typeof WalletRegistration>;

export const BalanceRow = Type.Object({ currency: Type.String(), amount: DecimalText });
export type BalanceRow = Static<typeof BalanceRow>;

export const userPrivate = shape(UserPrivate);
export const registeredUser = shape(RegisteredUser);
export const walletRegistration = shape(WalletRegistration);
export const balanceRows = shape(Type.Array(BalanceRow));
