/** `GET /me/`, `POST /me/safe/`, `GET /me/balances/` (specification 4.1 to 4.3), and what strangers see of a user. */
import type { AccountId } from '../../../exchange/contract/ids.js';
import { invariant } from '../../../domain/errors.js';
import type { AccountView } from '../../../exchange/contract.js';
import { walletRegistration } from '../../../venues/futuur/protocol/rest/account.js';
import { balanceRows, userPrivate, userPublic } from '../../present/rest.js';
import { answered, refused, refusedFields } from '../answer.js';
import type { EndpointHandlers, EndpointParts } from '../call.js';
import { channelAuthorizationRequest } from '../../../venues/futuur/protocol/rest/channel-authorization.js';
import { parseChannel } from '../../../venues/futuur/protocol/realtime/channels.js';
import { channelSignature } from '../../../venues/futuur/protocol/signing.js';

export function accountEndpoints({
  exchange,
  funnel,
}: EndpointParts): Pick<EndpointHandlers, 'me' | 'registerWallet' | 'balances' | 'user'> {
  const account = (id: AccountId): AccountView => {
    const view = exchange.account(id);
    invariant(view !== null, `account ${id} has a key and no record`);
    return view;
  };
  return {
    me: ({ caller }) => {
      const { is_wallet_user: _isWalletUser, ...user } = userPrivate(account(caller.accountId));
      return answered(user);
    },
    registerWallet: ({ caller, body: { value } }) => {
      if (!walletRegistration.accepts(value)) return refusedFields(walletRegistration.problems(value));
      const { safe_address: safeAddress, chain_id: chainId } = value;
      funnel.execute({ kind: 'register-safe', account: caller.accountId, safeAddress, chainId });
      return answered(userPrivate(account(caller.accountId)));
    },
    user: ({ id }) => {
      const author = exchange.author(id as AccountId);
      return author === null ? refused('NotFound') : answered(userPublic(author));
    },
    balances: ({ caller, query: { currency } }) => {
      const rows = balanceRows(account(caller.accountId));
      const wanted = currency?.toUpperCase();
      return answered(wanted === undefined ? rows : rows.filter((row) => row.currency === wanted));
    },
  };
}

/** `POST /v2.0/pusher/auth/` (specification 4.17; facts, "Signing"). */

export const channelEndpoints = ({
  application,
}: EndpointParts): Pick<EndpointHandlers, 'authorizeChannel'> => ({
  authorizeChannel: ({ caller, form }) => {
    const request: unknown = Object.fromEntries(form);
    if (!channelAuthorizationRequest.accepts(request)) {
      return refusedFields(channelAuthorizationRequest.problems(request));
    }
    const { socket_id: socketId, channel_name: name } = request;
    const channel = parseChannel(name);
    const isOwn = channel.kind === 'user' && Number(channel.userId) === caller.accountId;
    if (!isOwn) return refused('PermissionDenied');
    return answered({ auth: channelSignature(application.key, application.secret, socketId, name) });
  },
});
