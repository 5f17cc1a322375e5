import { Subject } from 'rxjs';
import type { FeedInput } from '../../../domain/inputs.js';

/** What is said through them is said to whoever listens now. */
export type OpenStreams = {
  readonly [K in FeedInput['kind']]: Subject<Extract<FeedInput, { readonly kind: K }>>;
};

/** A stream for everything that a realtime feed can say. */
export const openStreams = (): OpenStreams => ({
  'book-update': new Subject(),
  'best-prices-change': new Subject(),
  'price-change': new Subject(),
  'new-market': new Subject(),
  'live-data-update': new Subject(),
  'market-status-change': new Subject(),
  'market-comment': new Subject(),
  'order-update': new Subject(),
  'position-update': new Subject(),
  'balance-changed': new Subject(),
  'deposit-success': new Subject(),
  'test-event': new Subject(),
  'malformed-frame': new Subject(),
  connection: new Subject(),
  subscription: new Subject(),
});
