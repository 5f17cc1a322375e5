/**
 * The local API of a running bot, as its page, commands from another terminal and programs read it. Prices are probabilities
 * of the long side unless a member says otherwise; shares are whole shares, amounts are units of the run's currency, and times
 * are milliseconds since 1970.
 */

export interface LevelJson {
  readonly price: number;
  readonly shares: number;
}

export interface StatusJson {
  /** `DEMO`: on the exchange that its own process started. */
  readonly mode: 'LIVE' | 'PAPER' | 'DEMO';
  readonly venue: string;
  readonly account: string;
  readonly currency: string;
  readonly currencyMode: string;
  readonly runId: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly now: number;
  readonly uptimeMs: number;
  readonly phase: string;
  readonly connection: { readonly state: string; readonly reason: string };
  readonly ready: boolean;
  /** Why it is not. */
  readonly reasons: readonly string[];
  readonly killed: string | null;
  /** By currency; a run trades one. */
  readonly profit: Readonly<Record<string, number>>;
  readonly balance: { readonly total: number | null; readonly free: number | null };
  readonly events: readonly EventLineJson[];
  readonly requests: {
    readonly perMinute: number;
    readonly perDay: number;
    readonly leftNow: number;
    readonly leftToday: number;
  };
  readonly instances: readonly {
    readonly name: string;
    readonly strategy: string;
    readonly fault: string | null;
    readonly markets: number;
  }[];
  readonly pauses: readonly PauseJson[];
  readonly counts: {
    readonly markets: number;
    readonly quoted: number;
    readonly openOrders: number;
    readonly fills: number;
    readonly decisions: number;
    readonly ordersCreated: number;
    readonly ordersReplaced: number;
    readonly ordersCancelled: number;
    readonly refusals: number;
    readonly alarms: number;
  };
  /** What the bot said of late, newest first. */
  readonly notices: readonly NoticeJson[];
}

export interface NoticeJson {
  readonly at: number;
  readonly level: string;
  readonly code: string;
  readonly text: string;
  readonly marketId: string | null;
}

/** What an event brings at worst, with every open order filled that costs; negative is a loss. */
export interface EventLineJson {
  readonly eventId: string;
  readonly title: string;
  readonly worst: number;
  readonly maxLoss: number;
}

/** What a person holds back. No member but `scope` where everything is meant. */
export interface PauseJson {
  readonly scope: ScopeJson;
  readonly isPaused: boolean;
  readonly until: number | null;
  readonly widenTicks: number;
  readonly by: string;
  readonly at: number;
}

/** At most one member; none: everything. */
export interface ScopeJson {
  readonly market?: string;
  readonly event?: string;
  readonly instance?: string;
}

export interface QuoteJson extends LevelJson {
  readonly side: 'bid' | 'ask';
  readonly state: string;
}

export interface MarketRowJson {
  readonly marketId: string;
  readonly eventId: string;
  readonly title: string;
  readonly eventTitle: string;
  readonly instance: string | null;
  readonly status: string;
  /** Why nothing is quoted; null when something may be. */
  readonly halted: string | null;
  /** Why an order that is wanted is refused. */
  readonly refusedBy: string | null;
  readonly book: string;
  readonly bid: LevelJson | null;
  readonly ask: LevelJson | null;
  readonly quotes: readonly QuoteJson[];
  readonly inventory: { readonly long: number; readonly short: number };
  readonly profit: number;
  readonly fair: number | null;
  readonly fills: number;
}

export interface MarketJson extends MarketRowJson {
  readonly tick: number;
  readonly bookReason: string;
  readonly bookAgeMs: number | null;
  /** The venue's book, best first, with what of each level is ours. */
  readonly bids: readonly (LevelJson & { readonly own: number })[];
  readonly asks: readonly (LevelJson & { readonly own: number })[];
  readonly mid: number | null;
  readonly weightedMid: number | null;
  readonly fairFrom: {
    readonly source: string;
    readonly p: number;
    readonly ageMs: number;
    readonly confidence: number;
  } | null;
  readonly signals: readonly {
    readonly name: string;
    readonly ageMs: number;
    readonly value: number | null;
  }[];
  /** What guards and pauses leave of the strategy's quotes. */
  readonly restriction: {
    readonly out: string | null;
    readonly reduceOnly: boolean;
    readonly widenTicks: number;
    readonly size: number;
  };
  readonly orders: readonly OrderJson[];
  readonly decisions: readonly DecisionJson[];
  readonly recentFills: readonly FillJson[];
}

export interface EventJson extends EventLineJson {
  readonly outcomes: readonly MarketRowJson[];
  /** Every way in which it can end, and what each brings. */
  readonly scenarios: readonly {
    readonly ending: string;
    readonly marketId: string | null;
    readonly title: string | null;
    readonly profit: number;
  }[];
}

export interface OrderJson {
  readonly orderId: string | null;
  readonly marketId: string;
  readonly eventId: string;
  /** On the long-side book. */
  readonly bookSide: 'bid' | 'ask';
  readonly longPrice: number;
  /** As the venue has it: of the named position. */
  readonly side: 'bid' | 'ask';
  readonly position: 'long' | 'short';
  readonly price: number;
  readonly shares: number;
  readonly filled: number;
  readonly remaining: number;
  readonly state: string;
  readonly ownership: string;
  readonly since: number;
  readonly expiresAt: number | null;
  /** Shares of others that stand before it at the most; null: not known. */
  readonly aheadAtMost: number | null;
  /** null for an order that this run did not ask for. */
  readonly why: WhyJson | null;
}

/** From what the strategy wanted to the price that was asked for. */
export interface WhyJson {
  readonly at: number;
  readonly input: string;
  readonly instance: string | null;
  readonly strategy: string | null;
  /** They add up to `wanted`: the strategy's reason, then each modifier and guard. */
  readonly steps: readonly { readonly label: string; readonly value: number }[];
  readonly wanted: number | null;
  /** To the tick, and behind what it would have taken. */
  readonly rounding: number;
  readonly moved: number;
  readonly fair: { readonly p: number; readonly ageMs: number; readonly source: string } | null;
  readonly inventory: { readonly long: number; readonly short: number } | null;
  readonly refusals: readonly string[];
}

/** One request that left. */
export interface DecisionJson {
  readonly seq: number;
  readonly at: number;
  readonly input: string;
  readonly requestId: number;
  readonly kind: string;
  /** Markets of its orders. */
  readonly markets: readonly string[];
  readonly orders: readonly string[];
}

export interface FillJson {
  /** 1, 2, 3 within the run. */
  readonly id: number;
  readonly at: number;
  readonly orderId: string;
  readonly marketId: string;
  readonly eventId: string;
  readonly instance: string | null;
  readonly side: 'bid' | 'ask';
  readonly position: 'long' | 'short';
  /** Average, of the named position. */
  readonly price: number | null;
  readonly longPrice: number | null;
  readonly shares: number;
  readonly amount: number;
  readonly fee: number;
  readonly currency: string;
  readonly liquidity: string;
  readonly isInferred: boolean;
}

export interface FillsJson {
  readonly fills: readonly FillJson[];
  /** To be asked for next: `?since=` takes it. */
  readonly last: number;
}

export interface PositionJson {
  readonly marketId: string;
  readonly eventId: string;
  readonly title: string;
  readonly eventTitle: string;
  readonly instance: string | null;
  readonly long: number;
  readonly short: number;
  readonly net: number;
  readonly mid: number | null;
  readonly profit: number;
}

export interface AlarmJson {
  readonly code: string;
  readonly text: string;
  /** A person has seen it; it stands until its cause is gone. */
  readonly acknowledged: { readonly by: string; readonly at: number } | null;
}

export interface ConfigJson {
  readonly file: string;
  /** As resolved at the start, without secrets. */
  readonly inUse: unknown;
  /** Where the file says something else by now. */
  readonly differences: readonly {
    readonly path: string;
    readonly inUse: string | null;
    readonly onDisk: string | null;
  }[];
  /** Why the file on disk would not be taken; null when it would. */
  readonly problem: string | null;
}

export const ACTIONS = ['pause', 'resume', 'widen', 'cancel', 'kill', 'acknowledge'] as const;

/** What a person asks for. */
export interface Action {
  readonly action: (typeof ACTIONS)[number];
  readonly scope: ScopeJson;
  /** Who, as log, journal and tape say it. */
  readonly by: string;
  /** Of `pause`: until it is resumed when null. */
  readonly forMs: number | null;
  /** Of `widen`: 0 ends it. */
  readonly ticks: number | null;
  /** Of `kill`. */
  readonly reason: string | null;
  /** Of `acknowledge`: code of the alarm. */
  readonly alarm: string | null;
}

export interface ActionAnswer {
  /** Of HTTP: 200 when it was done. */
  readonly code: number;
  readonly text: string;
}

/** What the run had earned at a time. */
export interface ProfitPointJson {
  readonly at: number;
  readonly profit: number;
}

/** Best prices of others, best own ones, and the fair value at a time. */
export interface HistoryPointJson {
  readonly at: number;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly ownBid: number | null;
  readonly ownAsk: number | null;
  readonly fair: number | null;
}

/** What the API serves. Each is read out between two steps of the engine. */
export interface BotApi {
  status(): StatusJson;
  markets(): readonly MarketRowJson[];
  /** One of {@link markets}. */
  row(id: string): MarketRowJson | null;
  /** Markets in which something happened since this was asked last. */
  changed(): readonly string[];
  market(id: string): MarketJson | null;
  /** The oldest first. */
  history(id: string): readonly HistoryPointJson[];
  profit(): readonly ProfitPointJson[];
  event(id: string): EventJson | null;
  orders(): readonly OrderJson[];
  fills(since: number): FillsJson;
  positions(): readonly PositionJson[];
  /** Newest first. */
  decisions(): readonly DecisionJson[];
  alarms(): readonly AlarmJson[];
  config(): Promise<ConfigJson>;
  act(action: Action): ActionAnswer;
}
