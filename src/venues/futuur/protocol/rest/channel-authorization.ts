/** `POST /v2.0/pusher/auth/` (specification 4.17; request and answer from the facts, "Signing"): a form, answered in JSON. */
import { Type, type Static } from 'typebox';
import type { Pair } from '../form.js';
import { CHANNEL_NAME_LENGTH } from '../limits.js';
import { shape } from '../shape.js';

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
