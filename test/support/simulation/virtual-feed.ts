/** The realtime service without sockets: messages of the exchange reach the engine in virtual time, as JSON text. */
import { Subject } from 'rxjs';
import type { AccountId, EventId } from '../../../src/domain/ids.js';
import type { FeedInput } from '../../../src/domain/inputs.js';
import type { ExchangeCore, ExchangeEvent } from '../../../src/exchange/contract.js';
import type { Feed, FeedStreams } from '../../../src/ports/feed.js';
import { feedInput } from '../../../src/protocol/read/frames.js';
import { eventChannel, GLOBAL_CHANNEL, userChannel } from '../../../src/protocol/realtime/channels.js';
import { messageOf } from '../../../src/server/realtime/messages.js';
import type { Network } from './network.js';

const KINDS = [
  'book-update',
  'best-prices-change',
  'price-change',
  'new-market',
  'live-data-update',
  'market-status-change',
  'market-comment',
  'order-update',
  'position-update',
  'balance-changed',
  'deposit-success',
  'test-event',
  'malformed-frame',
  'connection',
  'subscription',
] as const satisfies readonly FeedInput['kind'][];

export class VirtualFeed implements Feed {
  readonly streams: FeedStreams;
  /** Whether a connection can be made at all. */
  isReachable = true;
  /** Channels that the venue refuses to let this client join. */
  readonly refused = new Set<string>();
  readonly channels: readonly string[];
  readonly #network: Network;
  readonly #subjects = new Map<string, Subject<FeedInput>>(KINDS.map((kind) => [kind, new Subject()]));
  /** Which connection frames belong to; those of an older one are gone with it. */
  #connection = 0;
  #isUp = false;
  readonly #joined = new Set<string>();

  constructor(network: Network, events: readonly EventId[], account: AccountId) {
    this.#network = network;
    this.channels = [GLOBAL_CHANNEL, ...events.map(eventChannel), userChannel(account)];
    this.streams = Object.fromEntries(this.#subjects) as never;
  }

  connect(): void {
    this.#network.carry(() => this.#establish());
  }

  close(): void {
    this.#isUp = false;
    this.#connection += 1;
    for (const subject of this.#subjects.values()) subject.complete();
  }

  /** The connection breaks; another is tried after so long, as long as it takes. */
  lose(reason: string, againAfterMs: number): void {
    const wasUp = this.#isUp;
    this.#isUp = false;
    this.#joined.clear();
    this.#connection += 1;
    if (wasUp) this.emit({ kind: 'connection', state: 'lost', reason });
    this.#network.after(againAfterMs, () => this.#establish(againAfterMs));
  }

  /** What the exchange says goes out on every channel that was joined. */
  publish(events: readonly ExchangeEvent[], exchange: ExchangeCore): void {
    if (!this.#isUp) return;
    for (const event of events) {
      const message = messageOf(event, exchange);
      const channels = message?.channels.filter((channel) => this.#joined.has(channel)) ?? [];
      if (message === null || channels.length === 0) continue;
      const text = JSON.stringify(message.payload());
      for (const channel of channels) this.deliver(message.event, channel, text);
    }
  }

  /** One frame on its way. @param text its payload, well formed or not */
  deliver(event: string, channel: string, text: string): void {
    const connection = this.#connection;
    this.#network.frame(() => {
      if (connection === this.#connection && this.#isUp) this.#receive(event, channel, text);
    });
  }

  emit(input: FeedInput): void {
    this.#subjects.get(input.kind)?.next(input);
  }

  #receive(event: string, channel: string, text: string): void {
    const malformed = { kind: 'malformed-frame', event, channel, reason: 'not JSON' } as const;
    const payload = parsed(text);
    this.emit(payload === undefined ? malformed : (feedInput(event, channel, payload) ?? malformed));
  }

  #establish(againAfterMs = 1_000): void {
    if (this.#isUp) return;
    if (!this.isReachable) return this.lose('connection refused', againAfterMs);
    this.#isUp = true;
    this.emit({ kind: 'connection', state: 'connected', reason: '' });
    const connection = this.#connection;
    for (const channel of this.channels)
      this.#network.carry(() => {
        if (connection === this.#connection) this.#join(channel);
      });
  }

  #join(channel: string): void {
    const isRefused = this.refused.has(channel);
    if (!isRefused) this.#joined.add(channel);
    const reason = isRefused ? '403 PermissionDenied' : '';
    this.emit({ kind: 'subscription', channel, state: isRefused ? 'refused' : 'subscribed', reason });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
