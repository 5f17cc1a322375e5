import type { EndpointHandlers, EndpointParts } from '../call.js';
import { accountEndpoints, channelEndpoints, marketEndpoints, wagerEndpoints } from './reads.js';
import { batchEndpoints, orderEndpoints } from './orders.js';

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
