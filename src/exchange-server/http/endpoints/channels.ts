/** `POST /v2.0/pusher/auth/` (specification 4.17; facts, "Signing"). */
import { channelAuthorizationRequest } from '../../../venues/futuur/protocol/rest/channel-authorization.js';
import { parseChannel } from '../../../venues/futuur/protocol/realtime/channels.js';
import { channelSignature } from '../../../venues/futuur/protocol/signing.js';
import { answered, refused, refusedFields } from '../answer.js';
import type { EndpointHandlers } from '../call.js';
import type { EndpointParts } from './parts.js';

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
    const isOwn = channel.kind === 'user' && channel.userId === caller.accountId;
    if (!isOwn) return refused('PermissionDenied');
    return answered({ auth: channelSignature(application.key, application.secret, socketId, name) });
  },
});
