import type { EndpointHandlers, EndpointParts } from '../call.js';
import { accountEndpoints, channelEndpoints } from './account.js';
import { batchEndpoints, orderEndpoints } from './orders.js';
import { marketEndpoints } from './markets.js';
import { wagerEndpoints } from './wagers.js';

export type { EndpointParts } from '../call.js';

/** Every endpoint of the specification and the few beyond it. */
export const endpointHandlers = (parts: EndpointParts): EndpointHandlers => ({
  ...accountEndpoints(parts),
  ...orderEndpoints(parts),
  ...batchEndpoints(parts),
  ...wagerEndpoints(parts),
  ...marketEndpoints(parts),
  ...channelEndpoints(parts),
});
