/**
 * What Harbour and its clients say to each other, as JSON text. Prices are of the outcome `yes` in 0.0001, sizes in 0.01
 * shares, money in 0.000001, times in microseconds.
 */

export type HarbourSide = 'buy' | 'sell';
export type MarketState = 'open' | 'halted' | 'over' | 'undone';
export type Result = 'yes' | 'no' | 'void';

/** An order as its owner is told of it. */
export interface OrderMessage {
  readonly type: 'order';
  /** The venue's name for the order. */
  readonly id: string;
  /** The client's own name; no two orders of an account have the same. */
  readonly cid: string;
  readonly event: string;
  readonly market: string;
  readonly side: HarbourSide;
  /** A reducing order closes a position and never opens one. */
  readonly reduce: boolean;
  readonly price: number;
  readonly size: number;
  readonly filled: number;
  /** Sum of price x size of all fills. */
  readonly value: number;
  readonly state: 'open' | 'filled' | 'gone';
  /** Why it is gone: `asked`, `expired`, `closed`, `settled`, `nothing to reduce`. */
  readonly why: string | null;
  readonly expires: number | null;
  readonly placed: number;
  readonly at: number;
}

/** One signed number a market: above zero `yes` shares are held, below zero `no` shares. */
export interface PositionMessage {
  readonly type: 'position';
  readonly event: string;
  readonly market: string;
  readonly net: number;
  /** What the shares held were bought for. */
  readonly cost: number;
}

/** `[side, price, change of the size there]`. */
export type Change = readonly [HarbourSide, number, number];

export interface MarketMessage {
  readonly type: 'market';
  readonly event: string;
  readonly market: string;
  readonly name: string;
  readonly tick: number;
  readonly state: MarketState;
  readonly result: Result | null;
  readonly closes: number | null;
  readonly at: number;
}

export type EventTopicMessage =
  | {
      readonly type: 'snapshot';
      readonly event: string;
      readonly market: string;
      /** `[price, size]`, best first. */
      readonly buys: readonly (readonly [number, number])[];
      readonly sells: readonly (readonly [number, number])[];
      readonly at: number;
    }
  | {
      readonly type: 'delta';
      readonly event: string;
      readonly market: string;
      readonly changes: readonly Change[];
      readonly at: number;
    }
  | {
      readonly type: 'print';
      readonly event: string;
      readonly market: string;
      readonly id: string;
      readonly price: number;
      readonly size: number;
      readonly taker: HarbourSide;
      readonly at: number;
    }
  | MarketMessage;

export type AccountTopicMessage =
  | OrderMessage
  | PositionMessage
  | { readonly type: 'cash'; readonly at: number }
  | { readonly type: 'deposit'; readonly amount: number };

export type TopicMessage = EventTopicMessage | AccountTopicMessage;

/** What comes over a socket. Every message of a subscription carries the next number: 1, 2, 3 and so on. */
export type SocketMessage =
  | { readonly type: 'subscribed'; readonly topic: string; readonly sub: string }
  | { readonly type: 'denied'; readonly topic: string; readonly word: string }
  | { readonly type: 'told'; readonly sub: string; readonly seq: number; readonly message: TopicMessage };

export interface PlaceItem {
  readonly cid: string;
  readonly market: string;
  readonly side: HarbourSide;
  readonly reduce: boolean;
  readonly price: number;
  readonly size: number;
  /** Refused instead of traded at once. */
  readonly post: boolean;
  readonly expires: number | null;
}

/** What a client asks for. */
export type Ask =
  | { readonly op: 'place'; readonly orders: readonly PlaceItem[] }
  | { readonly op: 'cancel'; readonly ids: readonly string[] }
  /** @property market null: of the whole account */
  | { readonly op: 'cancel-all'; readonly market: string | null }
  | { readonly op: 'orders' }
  | { readonly op: 'find'; readonly ids?: readonly string[]; readonly cids?: readonly string[] }
  | { readonly op: 'positions' }
  | { readonly op: 'cash' }
  | { readonly op: 'book'; readonly market: string }
  | { readonly op: 'event'; readonly event: string };

/** A request: `text` is the JSON of an {@link Ask}, `stamp` the time of signing. */
export interface Envelope {
  readonly account: string;
  readonly stamp: number;
  readonly text: string;
  readonly signature: string;
}

/** Harbour's error words. */
export type Word =
  | 'WOULD_TAKE'
  | 'TAKEN_CID'
  | 'NO_MONEY'
  | 'NOTHING_TO_REDUCE'
  | 'BAD_SIZE'
  | 'BAD_PRICE'
  | 'TOO_MANY'
  | 'NOT_TRADING'
  | 'OWN_ORDER'
  | 'ALREADY_OVER'
  | 'WHICH_ORDER'
  | 'WHICH_MARKET'
  | 'SLOW_DOWN'
  | 'STALE_STAMP'
  | 'BAD_SIGNATURE'
  | 'BROKEN';

export type Item<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly word: Word; readonly text: string };

export interface BookReply {
  /** `[price, size, own size]`, best first. */
  readonly buys: readonly (readonly [number, number, number])[];
  readonly sells: readonly (readonly [number, number, number])[];
}

/** The value of each answer. */
export interface Replies {
  place: readonly Item<OrderMessage>[];
  cancel: readonly Item<string>[];
  'cancel-all': readonly string[];
  orders: readonly OrderMessage[];
  find: readonly OrderMessage[];
  positions: readonly PositionMessage[];
  cash: number;
  book: BookReply;
  event: { readonly name: string; readonly exclusive: boolean; readonly markets: readonly MarketMessage[] };
}

/** What an answer's text says; `clock` is the venue's time. */
export type Reply =
  | { readonly ok: true; readonly clock: number; readonly value: Replies[Ask['op']] }
  | {
      readonly ok: false;
      readonly clock: number;
      readonly word: Word;
      readonly text: string;
      readonly retryMs: number | null;
    };
