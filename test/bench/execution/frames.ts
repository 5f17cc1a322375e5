/** Private frames as the realtime service sends them; twenty follow every batch. */
import { orderPayload, type VenueOrder } from '../../../src/runs/rehearsal/frames.js';
import { eventText } from '../../../src/venues/futuur/protocol/pusher-frames.js';

export const ACCOUNT = 1;

export const orderText = (order: VenueOrder, at: number): string =>
  eventText('order-update', `private-user-${ACCOUNT}`, orderPayload(order, at));
