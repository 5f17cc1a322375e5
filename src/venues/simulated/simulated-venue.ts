import TinyQueue from 'tinyqueue';
import type { Answer } from '../../domain/answers.js';
import type { SendEffect } from '../../domain/effects.js';
import { InvariantError } from '../../domain/errors.js';
import { type MarketId, marketId } from '../../domain/ids.js';
import type { AccountId } from '../../exchange/contract/ids.js';
import type { FeedInput } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import { type RequestLimits, RateLimit } from '../../exchange-server/http/rate-limit.js';
import type {
  Command,
  ExchangeConfig,
  ExchangeEvent,
  ExchangeSnapshot,
  OutcomeOf,
  TradeEvent,
} from '../../exchange/contract.js';
import { Exchange } from '../../exchange/exchange.js';
import { inputOf, isHeardTwice, latestOnly } from './event-inputs.js';
import type { LatencyModel } from './models/latency.js';
import type { LiquidityModels } from './models/liquidity.js';
import { throttled } from './order-reports.js';
import { type Outcome, RequestDesk, type Service } from './request-desk.js';
import { subscriptionChange } from '../futuur/protocol/realtime/channels.js';

export interface SimulatedVenueOptions {
  readonly exchange: ExchangeConfig;
  /** Of an exchange that this one goes on where it stood; left out: a new one. */
  readonly snapshot?: ExchangeSnapshot;
  readonly liquidity: LiquidityModels;
  /** The account that trades. */
  readonly account: AccountId;
  readonly mode: CurrencyMode;
  readonly latency: LatencyModel;
  /** null: no limit. */
  readonly rateLimit: RequestLimits | null;
  /** How old a book may be that a read returns. */
  readonly bookCacheMs: number;
  /** A request without an answer by then is in doubt. */
  readonly timeoutMs: number;
  readonly now: () => Micros;
  /** The idempotency key of a request id. */
  readonly keyOf: (requestId: number) => string;
  readonly onTrade?: (trade: TradeEvent) => void;
  /** Called before prints reach the book of a market. */
  readonly onPrints?: (market: MarketId) => void;
  /** Called with each trade of the prints at once. {@link onTrade} is called later, when the time is complete. */
  readonly onPrinted?: (trade: TradeEvent) => void;
}

/** What travels between the bot and the venue. */
type InFlight = { readonly at: number; readonly seq: number } & (Call | Frame | Reply);

/** A request on its way to the venue. */
interface Call {
  readonly kind: 'call';
  readonly effect: SendEffect;
  readonly sentAt: Micros;
  /** From 1: a listing needs several calls. */
  readonly calls: number;
  readonly service: Service;
}

interface Frame {
  readonly kind: 'frame';
  readonly input: FeedInput;
}

interface Reply {
  readonly kind: 'reply';
  readonly answer: Answer;
}

const MICROS_PER_MS = 1_000;
const KEY = 'bot';
/** Requests arrive before frames, frames before answers, when all arrive at the same time. */
const RANK: Readonly<Record<InFlight['kind'], number>> = { call: 0, frame: 1, reply: 2 };

const sooner = (a: InFlight, b: InFlight): number =>
  a.at - b.at || RANK[a.kind] - RANK[b.kind] || a.seq - b.seq;

/**
 * A venue made of the exchange core and market data of others. Its clock, its data and its latency are given: with a
 * recording and virtual time it is the venue of a backtest.
 *
 * The caller shows market data with {@link show} and {@link publish}, sends requests with
 * {@link submit}, and calls {@link advance} whenever {@link nextAt} has come.
 */
export class SimulatedVenue {
  readonly exchange: Exchange;
  private readonly desk: RequestDesk;
  private readonly rateLimit: RateLimit;
  private readonly inFlight = new TinyQueue<InFlight>([], sooner);
  private sent = 0;
  /** Arrival of the last frame. One connection carries all frames, so none overtakes another. */
  private lastFrameAt = 0;
  /** When the bot hears the channels; infinite before {@link connect}. */
  private joinedAt = Infinity;
  /** When the exchange has something to do next; null: to be asked. */
  private dueAt: number | null = null;
  /** Events of each command of the market data since the last {@link publish}. */
  private unpublished: (readonly ExchangeEvent[])[] = [];

  constructor(private readonly options: SimulatedVenueOptions) {
    const { exchange, snapshot, liquidity } = options;
    this.exchange =
      snapshot === undefined ? new Exchange(exchange, liquidity) : Exchange.restore(snapshot, liquidity);
    this.rateLimit = new RateLimit(options.rateLimit);
    this.desk = new RequestDesk({
      ...options,
      exchange: this.exchange,
      execute: (command) => this.execute(command),
    });
  }

  /** When something happens here next; infinite: nothing is under way. */
  get nextAt(): number {
    const due = (this.dueAt ??= this.exchange.nextDue() ?? Infinity);
    return Math.min(due, this.inFlight.peek()?.at ?? Infinity);
  }

  /** Whether nothing more reaches the bot at the present time. */
  get isQuiet(): boolean {
    return (this.inFlight.peek()?.at ?? Infinity) > this.options.now();
  }

  /** The bot joins channels: it hears what is published once the subscriptions have been answered. */
  connect(channels: readonly string[]): void {
    const { latency, now } = this.options;
    this.joinedAt = now() + latency.request() + latency.response();
    for (const channel of channels) this.deliver(this.joinedAt, subscriptionChange(channel, 'subscribed'));
  }

  /**
   * Executes a command of the market data: books, prints and statuses of others.
   * @throws InvariantError when the exchange refuses it: the run would be of another market
   */
  show(command: Command): void {
    const { onPrints, onPrinted, now } = this.options;
    const prints = command.kind === 'foreign-moment' && command.prints.length > 0;
    if (prints) onPrints?.(marketId(command.marketId));
    const { outcome, events } = this.exchange.execute(command, now());
    if ('ok' in outcome && !outcome.ok) throw refusedRow(command, outcome);
    if (prints) for (const event of events) if (event.kind === 'trade') onPrinted?.(event);
    this.dueAt = null;
    this.unpublished.push(events);
  }

  /** All market data of the present time is shown: the venue publishes what changed. */
  publish(): void {
    const [only] = this.unpublished;
    if (only === undefined) return;
    const events = this.unpublished.length === 1 ? only : latestOnly(this.unpublished.flat());
    this.unpublished = [];
    for (const event of events) this.tell(event);
  }

  /** A request leaves the bot. */
  submit(effect: SendEffect): void {
    const service = this.desk.serve(effect.requestId, effect.request);
    const sentAt = this.options.now();
    this.send(this.options.latency.request(), { kind: 'call', effect, sentAt, calls: 1, service });
  }

  /** Does what is due now, one thing at a time. @returns what the bot hears; null: nothing */
  advance(): FeedInput | Answer | null {
    const next = this.inFlight.peek();
    if (next === undefined || this.dueAt! <= next.at) {
      this.execute({ kind: 'advance-time' });
      return null;
    }
    this.inFlight.pop();
    if (next.kind === 'frame') return next.input;
    if (next.kind === 'reply') return next.answer;
    this.arrive(next);
    return null;
  }

  /** Executes a command at once, without latency and limits. */
  execute<C extends Command>(command: C): OutcomeOf[C['kind']] {
    const { outcome, events } = this.exchange.execute(command, this.options.now());
    this.dueAt = null;
    for (const event of events) this.tell(event);
    return outcome;
  }

  private arrive(call: Call): void {
    const { now, latency } = this.options;
    const wait = isCounted(call.effect) ? this.rateLimit.take(KEY, now()) : null;
    if (wait !== null) return this.answer(call, { ok: false, failure: throttled(wait) });
    const { done, value } = call.service.next();
    if (done === true) return this.answer(call, value);
    const { kind, effect, sentAt, service } = call;
    this.send(latency.response() + latency.request(), {
      kind,
      effect,
      sentAt,
      calls: call.calls + 1,
      service,
    });
  }

  private answer({ effect: { requestId }, sentAt, calls }: Call, outcome: Outcome): void {
    const { now, latency, timeoutMs } = this.options;
    const delay = latency.response();
    const most = sentAt + timeoutMs * MICROS_PER_MS - now();
    const told: Outcome =
      delay > most ? { ok: false, failure: { kind: 'unknown', reason: 'time-out' } } : outcome;
    const answer: Answer = { kind: 'answer', requestId, sentAt, calls, outcome: told };
    this.send(Math.min(delay, most), { kind: 'reply', answer });
  }

  private tell(event: ExchangeEvent): void {
    const { onTrade, now, latency } = this.options;
    if (event.kind === 'trade') return onTrade?.(event);
    if (now() < this.joinedAt) return;
    const input = inputOf(event, this.exchange);
    if (input === null) return;
    this.deliver(now() + latency.feed(), input);
    if (isHeardTwice(event.kind)) this.deliver(now() + latency.feed(), input);
  }

  private deliver(at: number, input: FeedInput): void {
    this.lastFrameAt = Math.max(this.lastFrameAt, at);
    this.inFlight.push({ at: this.lastFrameAt, seq: this.sent++, kind: 'frame', input });
  }

  private send(delay: number, item: Call | Reply): void {
    this.inFlight.push({ ...item, at: this.options.now() + delay, seq: this.sent++ });
  }
}

/** Only signed requests count against the limit of a key; reads of an event need no signature. */
const isCounted = ({ request }: SendEffect): boolean => request.kind !== 'read-event';

const refusedRow = ({ kind, ...row }: Command, outcome: object): InvariantError =>
  new InvariantError(
    `the simulated venue refused what the recording says: ${kind} ${JSON.stringify(row)}: ${JSON.stringify(outcome)}`,
  );
