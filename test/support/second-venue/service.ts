/** Harbour's face: sockets with numbered subscriptions, signed requests, a rate limit. Everything is text. */
import { createHmac } from 'node:crypto';
import { accountTopic, eventTopic, Harbour, type HarbourOptions } from './harbour.js';
import type { Ask, Envelope, Item, Replies, Reply, SocketMessage, TopicMessage, Word } from './messages.js';

/** Most orders of one request. */
export const BATCH = 10;
/** Difference of clocks that a request may show, in microseconds. */
export const STAMP_WINDOW_US = 5_000_000;
const MINUTE_US = 60_000_000;

export const signatureOf = (secret: string, { account, stamp, text }: Omit<Envelope, 'signature'>): string =>
  createHmac('sha256', secret).update(`${account}\n${stamp}\n${text}`).digest('hex');

/** The venue's end of a socket. */
export interface Socket {
  send(text: string): void;
  /** The venue hangs up. */
  hangUp(reason: string): void;
}

interface Subscription {
  readonly socket: Socket;
  readonly topic: string;
  readonly sub: string;
  seq: number;
}

export interface ServiceOptions extends Omit<HarbourOptions, 'say'> {
  /** Secret of each account. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly requestsPerMinute?: number;
  /** Told of everything that a topic is told, before any subscriber. */
  readonly onSaid?: (topic: string, message: TopicMessage) => void;
}

export class HarbourService {
  readonly harbour: Harbour;
  /** Refuses so many requests with `SLOW_DOWN`, whatever they are. */
  throttles: { left: number; readonly retryMs: number | null } = { left: 0, retryMs: null };
  readonly #options: ServiceOptions;
  #subscriptions: Subscription[] = [];
  readonly #asked: number[] = [];
  #subs = 0;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.harbour = new Harbour({ ...options, say: (topic, message) => this.#said(topic, message) });
  }

  /** A socket asks for a topic; asking again begins a new subscription. @param text JSON of `{topic, proof}` */
  hear(socket: Socket, text: string): void {
    const { topic, proof } = JSON.parse(text) as { topic: string; proof: Envelope | null };
    if (topic.startsWith('account/') && !this.#isSigned(proof, topic))
      return post(socket, { type: 'denied', topic, word: 'BAD_SIGNATURE' });
    this.#subscriptions = this.#subscriptions.filter((one) => one.socket !== socket || one.topic !== topic);
    const subscription = { socket, topic, sub: `S-${++this.#subs}`, seq: 0 };
    this.#subscriptions.push(subscription);
    post(socket, { type: 'subscribed', topic, sub: subscription.sub });
    for (const message of this.#snapshot(topic)) tell(subscription, message);
  }

  /** The socket is gone. */
  forget(socket: Socket): void {
    this.#subscriptions = this.#subscriptions.filter((one) => one.socket !== socket);
  }

  /** Every socket is cut off. */
  hangUp(reason: string): void {
    for (const socket of new Set(this.#subscriptions.map((one) => one.socket))) socket.hangUp(reason);
  }

  /** Answers a request. @param text JSON of an {@link Envelope} */
  serve(text: string): string {
    return JSON.stringify(this.#reply(JSON.parse(text) as Envelope));
  }

  #reply(envelope: Envelope): Reply {
    const clock = this.harbour.now;
    const no = (word: Word, retryMs: number | null = null): Reply => ({
      ok: false,
      clock,
      word,
      text: '',
      retryMs,
    });
    if (this.#isTooMuch()) return no('SLOW_DOWN', this.throttles.retryMs);
    if (!this.#isSigned(envelope)) return no('BAD_SIGNATURE');
    if (Math.abs(clock - envelope.stamp) > STAMP_WINDOW_US) return no('STALE_STAMP');
    const ask = JSON.parse(envelope.text) as Ask;
    const items = ask.op === 'place' ? ask.orders : ask.op === 'cancel' ? ask.ids : [];
    if (items.length > BATCH) return no('TOO_MANY');
    if (ask.op === 'book' && !this.harbour.hasMarket(ask.market)) return no('WHICH_MARKET');
    return { ok: true, clock, value: this.#answer(envelope.account, ask) };
  }

  #answer(account: string, ask: Ask): Replies[Ask['op']] {
    const { harbour } = this;
    switch (ask.op) {
      case 'place':
        return ask.orders.map((item) => harbour.place(account, item));
      case 'cancel':
        return ask.ids.map((id): Item<string> => harbour.cancel(account, id));
      case 'cancel-all':
        return harbour.cancelAll(account, ask.market);
      case 'orders':
        return harbour.orders(account);
      case 'find':
        return harbour.find(account, ask);
      case 'positions':
        return harbour.positions(account);
      case 'cash':
        return harbour.cash(account);
      case 'book':
        return harbour.book(ask.market, account);
      case 'event':
        return harbour.event(ask.event);
    }
  }

  #isTooMuch(): boolean {
    const { requestsPerMinute = Infinity } = this.#options;
    const since = this.harbour.now - MINUTE_US;
    while (this.#asked.length > 0 && this.#asked[0]! <= since) this.#asked.shift();
    if (this.throttles.left > 0) {
      this.throttles.left -= 1;
      return true;
    }
    if (this.#asked.length >= requestsPerMinute) return true;
    this.#asked.push(this.harbour.now);
    return false;
  }

  #isSigned(envelope: Envelope | null, topic?: string): boolean {
    if (envelope === null) return false;
    const secret = this.#options.secrets[envelope.account];
    const isOwn = topic === undefined || topic === accountTopic(envelope.account);
    return secret !== undefined && isOwn && signatureOf(secret, envelope) === envelope.signature;
  }

  #snapshot(topic: string): readonly TopicMessage[] {
    const { harbour } = this;
    if (topic.startsWith('account/')) return harbour.accountSnapshot(topic.slice('account/'.length));
    return this.#options.markets
      .filter(({ event }) => topic === eventTopic(event))
      .flatMap(({ event, market }) => {
        const told = harbour.event(event).markets.find((one) => one.market === market)!;
        return [told, this.#bookOf(event, market)];
      });
  }

  #bookOf(event: string, market: string): TopicMessage {
    const { buys, sells } = this.harbour.book(market, '');
    const level = ([price, size]: readonly [number, number, number]) => [price, size] as const;
    const at = this.harbour.now;
    return { type: 'snapshot', event, market, buys: buys.map(level), sells: sells.map(level), at };
  }

  #said(topic: string, message: TopicMessage): void {
    this.#options.onSaid?.(topic, message);
    for (const subscription of this.#subscriptions)
      if (subscription.topic === topic) tell(subscription, message);
  }
}

const post = (socket: Socket, message: SocketMessage): void => socket.send(JSON.stringify(message));

function tell(subscription: Subscription, message: TopicMessage): void {
  subscription.seq += 1;
  post(subscription.socket, { type: 'told', sub: subscription.sub, seq: subscription.seq, message });
}
