/** Harbour's sockets as the core's feed: deltas folded into books, sequence numbers checked, a lost socket made anew. */
import { Subject } from 'rxjs';
import type { Clock } from '../../../src/core/ports/clock.js';
import { eventId, marketId } from '../../../src/domain/ids.js';
import type { ChannelSubject, FeedInput } from '../../../src/domain/inputs.js';
import { type Micros, micros, type PriceUnits, type Shares } from '../../../src/domain/units.js';
import type { Feed, FeedStreams } from '../../../src/venues/port.js';
import { accountTopic, eventTopic } from './harbour.js';
import type { HarbourLine } from './line.js';
import { CURRENCY, holdingReports, levelsOf, marketStatusOf, orderReport } from './mapping.js';
import type {
  Envelope,
  EventTopicMessage,
  HarbourSide,
  MarketMessage,
  SocketMessage,
  TopicMessage,
} from './messages.js';

/** How long messages behind a missing one are kept: the missing one may only be late. */
const PATIENCE_US = 250_000;
/** A subscription that is not confirmed is asked for again after so long. */
const CONFIRM_US = 2_000_000;
const RECONNECT_US = 500_000;
/** More levels than any strategy looks at; the venue tells all. */
const LEVELS = 20;

export type Told = Extract<SocketMessage, { readonly type: 'told' }>;

/** One topic and how far it was heard. */
interface Topic {
  readonly name: string;
  readonly about: ChannelSubject;
  /** null: asked for and not confirmed. */
  sub: string | null;
  seq: number;
  /** Messages behind a missing one, by number. */
  readonly ahead: Map<number, TopicMessage>;
  cancelTimer: () => void;
}

interface Book {
  readonly buy: Map<number, number>;
  readonly sell: Map<number, number>;
}

export interface HarbourFeedOptions {
  readonly line: HarbourLine;
  readonly clock: Clock;
  readonly events: readonly string[];
  readonly account: string;
  /** Signs what proves whose topic it is. */
  readonly prove: (text: string) => Envelope;
  /** Told of every message when its turn has come, before the core is. */
  readonly onTaken?: (topic: string, told: Told) => void;
}

export class HarbourFeed implements Feed {
  readonly streams: FeedStreams;
  readonly #options: HarbourFeedOptions;
  readonly #subjects: { readonly [K in FeedInput['kind']]: Subject<FeedInput> };
  readonly #topics: readonly Topic[];
  readonly #books = new Map<string, Book>();
  /** The markets of each event, as told last. */
  readonly #markets = new Map<string, MarketMessage>();
  #told: 'connected' | 'lost' | null = null;
  #isClosed = false;

  constructor(options: HarbourFeedOptions) {
    this.#options = options;
    this.#subjects = openSubjects();
    this.streams = this.#subjects as unknown as FeedStreams;
    this.#topics = [
      ...options.events.map((event) =>
        topicOf(eventTopic(event), { kind: 'event', eventId: eventId(event) }),
      ),
      topicOf(accountTopic(options.account), { kind: 'account' }),
    ];
  }

  connect(): void {
    if (this.#isClosed) return;
    this.#options.line.open({
      onOpen: () => this.#opened(),
      onText: (text) => this.#heard(text),
      onClosed: (reason) => this.#lost(reason),
    });
  }

  reconnect(reason: string): void {
    this.#options.line.close();
    this.#lost(reason);
  }

  close(): void {
    this.#isClosed = true;
    this.#options.line.close();
    for (const topic of this.#topics) topic.cancelTimer();
    for (const subject of Object.values(this.#subjects)) subject.complete();
  }

  #opened(): void {
    this.#tellLink('connected', '');
    for (const topic of this.#topics) this.#ask(topic);
  }

  #lost(reason: string): void {
    for (const topic of this.#topics) forget(topic);
    this.#tellLink('lost', reason);
    this.#after(RECONNECT_US, () => this.connect());
  }

  #ask(topic: Topic): void {
    const { line, prove } = this.#options;
    forget(topic);
    const proof = topic.about.kind === 'account' ? prove(topic.name) : null;
    line.ask(JSON.stringify({ topic: topic.name, proof }));
    topic.cancelTimer = this.#after(CONFIRM_US, () => this.#ask(topic));
  }

  #heard(text: string): void {
    const message = JSON.parse(text) as SocketMessage;
    if (message.type === 'told') return this.#place(message);
    const topic = this.#topics.find(({ name }) => name === message.topic);
    if (topic === undefined) return;
    topic.cancelTimer();
    if (message.type === 'denied') {
      topic.cancelTimer = this.#after(CONFIRM_US, () => this.#ask(topic));
      return this.#tellTopic(topic, 'refused', message.word);
    }
    forget(topic);
    topic.sub = message.sub;
    this.#tellTopic(topic, 'subscribed', '');
  }

  /** Takes messages in the order of their numbers. A missing one is waited for, and then the topic is joined anew. */
  #place({ sub, seq, message }: Told): void {
    const topic = this.#topics.find((one) => one.sub === sub);
    if (topic === undefined || seq <= topic.seq) return;
    topic.ahead.set(seq, message);
    while (topic.ahead.has(topic.seq + 1)) {
      topic.seq += 1;
      const next = topic.ahead.get(topic.seq)!;
      topic.ahead.delete(topic.seq);
      this.#options.onTaken?.(topic.name, { type: 'told', sub, seq: topic.seq, message: next });
      this.#take(next);
    }
    topic.cancelTimer();
    if (topic.ahead.size > 0) topic.cancelTimer = this.#after(PATIENCE_US, () => this.#missed(topic));
  }

  /** What was told before counts no longer; the new subscription begins with everything. */
  #missed(topic: Topic): void {
    this.#tellTopic(topic, 'subscribed', `message ${topic.seq + 1} was lost`);
    this.#ask(topic);
  }

  #take(message: TopicMessage): void {
    switch (message.type) {
      case 'snapshot':
      case 'delta':
        return this.#fold(message);
      case 'market':
        return this.#takeMarket(message);
      case 'order':
        return this.#tell({
          kind: 'order',
          // A message says when it was placed by the venue's clock, which need not be ours.
          report: { ...orderReport(message), createdAt: null },
          cancelReason: message.why,
          systemInitiated: message.why !== null && message.why !== 'asked',
          venueTime: message.at as Micros,
        });
      case 'position':
        for (const holding of holdingReports(message)) this.#tell({ kind: 'holding', holding });
        return;
      case 'cash':
        return this.#tell({ kind: 'balance', venueTime: message.at as Micros });
      case 'deposit':
        return this.#tell({ kind: 'deposit', amount: message.amount as never, currency: CURRENCY });
      case 'print':
        return this.#tell({
          kind: 'trade',
          eventId: eventId(message.event),
          marketId: marketId(message.market),
          mode: 'play_money',
          price: message.price as PriceUnits,
          shares: message.size as Shares,
          takerSide: message.taker === 'buy' ? 'bid' : 'ask',
          venueTime: message.at as Micros,
        });
    }
  }

  #fold(message: Extract<EventTopicMessage, { type: 'snapshot' | 'delta' }>): void {
    const { event, market, at } = message;
    const book = this.#books.get(market) ?? { buy: new Map(), sell: new Map() };
    if (message.type === 'snapshot') {
      this.#books.set(market, { buy: new Map(message.buys), sell: new Map(message.sells) });
    } else
      for (const [side, price, change] of message.changes) {
        const size = (book[side].get(price) ?? 0) + change;
        if (size > 0) book[side].set(price, size);
        else book[side].delete(price);
      }
    const { buy, sell } = this.#books.get(market) ?? book;
    this.#tell({
      kind: 'book',
      eventId: eventId(event),
      marketId: marketId(market),
      mode: 'play_money',
      topN: LEVELS,
      bids: levelsOf(best(buy, 'buy')),
      asks: levelsOf(best(sell, 'sell')),
      venueTime: at as Micros,
    });
  }

  #takeMarket(message: MarketMessage): void {
    this.#markets.set(message.market, message);
    this.#tell({
      kind: 'market-status',
      understood: true,
      eventId: eventId(message.event),
      marketId: marketId(message.market),
      status: marketStatusOf(message),
      betEnd: message.closes as Micros | null,
      venueTime: message.at as Micros,
    });
  }

  #tellLink(state: 'connected' | 'lost', reason: string): void {
    if (this.#told === state) return;
    this.#told = state;
    this.#tell({ kind: 'link', state, reason });
  }

  #tellTopic({ name: channel, about }: Topic, state: 'subscribed' | 'refused', reason: string): void {
    this.#tell({ kind: 'subscription', channel, about, state, reason });
  }

  #tell(input: FeedInput): void {
    if (!this.#isClosed) this.#subjects[input.kind].next(input);
  }

  #after(us: number, run: () => void): () => void {
    const { clock } = this.#options;
    return clock.at(micros(clock.now() + us), () => {
      if (!this.#isClosed) run();
    });
  }
}

const topicOf = (name: string, about: ChannelSubject): Topic => ({
  name,
  about,
  sub: null,
  seq: 0,
  ahead: new Map(),
  cancelTimer: () => undefined,
});

function forget(topic: Topic): void {
  topic.cancelTimer();
  topic.sub = null;
  topic.seq = 0;
  topic.ahead.clear();
}

const best = (levels: ReadonlyMap<number, number>, side: HarbourSide): [number, number][] =>
  [...levels].toSorted(([a], [b]) => (side === 'buy' ? b - a : a - b)).slice(0, LEVELS);

const KINDS = [
  'book',
  'trade',
  'touch',
  'event-status',
  'market-listed',
  'event-live',
  'market-status',
  'comment',
  'order',
  'holding',
  'balance',
  'deposit',
  'test',
  'malformed',
  'link',
  'subscription',
] as const satisfies readonly FeedInput['kind'][];

const openSubjects = () =>
  Object.fromEntries(KINDS.map((kind) => [kind, new Subject<FeedInput>()])) as {
    readonly [K in FeedInput['kind']]: Subject<FeedInput>;
  };
