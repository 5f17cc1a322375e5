/** What runs in the server's process: the exchange and, for the fan-out, the orders that make it speak. */
import type { AccountId, EventId, MarketId } from '../../../src/exchange/contract/ids.js';
import type { ExchangeEvent, PlaceOrder } from '../../../src/exchange/contract.js';
import { EVENTS, startVenue } from './venue.js';

/** Said to this process: change every book so many times. */
export interface SpeakOrder {
  readonly changes: number;
}
/** Said by this process: where it listens, then for each order how many messages each subscriber is to receive. */
export type Report = { readonly port: number } | { readonly messages: number };

const SPEAKER = 1 as AccountId;
const server = await startVenue();
let messages = 0;
server.observe((events) => (messages += events.filter(isOnEventChannel).length));
process.on('message', ({ changes }: SpeakOrder) => {
  messages = 0;
  for (let change = 0; change < changes; change++) speak();
  tell({ messages });
});
process.on('disconnect', () => process.exit(0));
tell({ port: server.port });

let speaking = false;

/** Heard on the global channel alone: it fills the buffers of whoever listens there and does not read. */
const LONG = { text: 'x'.repeat(9_000) };

/** One best order comes or goes in every market; each time the book and its best price change. */
function speak(): void {
  speaking = !speaking;
  for (let market = 1; market <= EVENTS; market++) {
    if (speaking) server.execute(bid(market));
    else server.execute({ kind: 'cancel-all', account: SPEAKER, eventId: market as EventId, marketId: null });
    server.execute({ kind: 'set-live', eventId: market as EventId, isLive: speaking, extraData: LONG });
  }
}

const bid = (market: number): PlaceOrder => ({
  kind: 'place-order',
  account: SPEAKER,
  request: null,
  order: {
    marketId: market as MarketId,
    eventId: null,
    side: 'bid',
    position: 'long',
    currency: 'OOM',
    price: 5_000,
    shares: 1_000,
    amount: null,
    expiresAt: null,
    cancelConflicting: false,
  },
});

function isOnEventChannel({ kind }: ExchangeEvent): boolean {
  return kind === 'order-book-update' || kind === 'best-prices-change';
}

function tell(report: Report): void {
  process.send?.(report);
}
