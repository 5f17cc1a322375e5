/** The account: user, wallet, balances and channel authorisation (specification 4.1 to 4.3, 4.17). */
import type { Money } from '../../../domain/units.js';
import type { Currency } from '../../../domain/vocabulary.js';
import { readBalances } from '../protocol/read/account.js';
import { registeredUser, userPrivate } from '../protocol/rest/account.js';
import type { RegisteredUser, UserPrivate, WalletRegistration } from '../protocol/rest/account.js';
import { channelAuthorization, channelAuthorizationPairs } from '../protocol/rest/channel-authorization.js';
import type {
  ChannelAuthorization,
  ChannelAuthorizationRequest,
} from '../protocol/rest/channel-authorization.js';
import { AUTHORIZE_CHANNEL_PATH, ENDPOINTS, pathOf } from '../protocol/rest/endpoints.js';
import type { Call } from './call.js';
import { asking, asReceived, telling } from './call.js';

/** 4.1 */
export const me = (): Call<UserPrivate> => ({
  ...asking('me', pathOf(ENDPOINTS.me.path), {}),
  read: asReceived(userPrivate),
});

/** 4.2 */
export const registerWallet = (wallet: WalletRegistration): Call<RegisteredUser> => ({
  ...telling('registerWallet', pathOf(ENDPOINTS.registerWallet.path), { json: wallet }),
  read: asReceived(registeredUser),
});

/** 4.3; one currency or all. */
export const balances = (currency?: Currency): Call<ReadonlyMap<Currency, Money>> => ({
  ...asking('balances', pathOf(ENDPOINTS.balances.path), { currency }),
  read: readBalances,
});

/** 4.17 */
export const authorizeChannel = (request: ChannelAuthorizationRequest): Call<ChannelAuthorization> => ({
  ...telling('authorizeChannel', AUTHORIZE_CHANNEL_PATH, { form: channelAuthorizationPairs(request) }),
  read: asReceived(channelAuthorization),
});
