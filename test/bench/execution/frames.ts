/** Private frames as the realtime service sends them; twenty follow every batch. */
import { orderPayload, type VenueOrder } from '../../../src/app/rehearsal/frames.js';
import { eventText } from '../../../src/protocol/pusher-frames.js';

export const ACCOUNT = 1;

export const orderText = (order: VenueOrder, at: number): string =>
  eventText('order-update', `private-user-${ACCOUNT}`, orderPayload(order, at));
