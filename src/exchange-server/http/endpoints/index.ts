import type { EndpointHandlers } from '../call.js';
import { accountEndpoints } from './account.js';
import { batchEndpoints } from './batches.js';
import { channelEndpoints } from './channels.js';
import { marketEndpoints } from './markets.js';
import { orderEndpoints } from './orders.js';
import type { EndpointParts } from './parts.js';
import { wagerEndpoints } from './wagers.js';

export type { EndpointParts } from './parts.js';

/** Every endpoint of the specification and the few beyond it. */
export const endpointHandlers = (parts: EndpointParts): EndpointHandlers => ({
  ...accountEndpoints(parts),
  ...orderEndpoints(parts),
  ...batchEndpoints(parts),
  ...wagerEndpoints(parts),
  ...marketEndpoints(parts),
  ...channelEndpoints(parts),
});
