/**
 * Holds a run against its promises from the venue's record alone: after every entry what that entry can break, after
 * every hundred steps the whole. It shares no code with what it audits.
 */
import type { MarketId } from '../../../../src/exchange/contract/ids.js';
import type { Micros } from '../../../../src/domain/units.js';
import { GUARD, type VenueEntry } from '../venue-record.js';
import { BehindTheFence } from './behind-the-fence.js';
import { BetEnd } from './bet-end.js';
import { CashNews } from './cash-news.js';
import { booksProblem } from './books.js';
import { CleanEnd } from './clean-end.js';
import { Closed } from './closed.js';
import { Coherence } from './coherence.js';
import { Foreign } from './foreign.js';
import { HandNews } from './hand-news.js';
import { Heard } from './heard.js';
import { InTime } from './in-time.js';
import { Limits } from './limits.js';
import { NewsWindow } from './news-window.js';
import { NoRoom } from './no-room.js';
import { Once } from './once.js';
import { OneCurrency } from './one-currency.js';
import { OrderRate } from './order-rate.js';
import { Lingering } from './lingering.js';
import { LivePlay } from './live-play.js';
import { LostRequests } from './lost-requests.js';
import { OwnTrades } from './own-trades.js';
import { Register, type RegisteredOrder } from './register.js';
import type { AuditedExchange, Charter, Finding, Moment, Rule } from './rule.js';
import { Silence } from './silence.js';
import { SwitchedOff } from './switched-off.js';
import { TurnedAway } from './turned-away.js';
import { differences, holdingDifferences, type Statement } from './statement.js';

const STEPS_PER_AUDIT = 100;
const NOTHING: readonly RegisteredOrder[] = [];

/** While these are noted the exchange stands still, and has posted what it said. */
const isBotsDoing = ({ kind }: VenueEntry): boolean =>
  kind === 'handed' || kind === 'left' || kind === 'answered';

const isGuards = (entry: VenueEntry): boolean =>
  isBotsDoing(entry) && 'letter' in entry && entry.letter.run === GUARD;

export interface AuditorParts {
  readonly charter: Charter;
  readonly exchange: () => AuditedExchange;
  /** The bot's own word; null while no bot runs. */
  readonly statement: () => Statement | null;
}

export class Auditor {
  readonly findings: Finding[] = [];
  readonly #parts: AuditorParts;
  readonly #register: Register;
  readonly #rules: readonly Rule[];
  readonly #foreign: Foreign;
  readonly #heard: Heard;
  readonly #handNews: HandNews;
  readonly #cashNews = new CashNews();
  readonly #once = new Once();
  readonly #lost = new LostRequests();
  readonly #turnedAway = new TurnedAway();
  /** Events in which the venue forgot what it did. */
  #isForgetful = false;
  #steps = 0;
  #isAuditDue = false;

  constructor(parts: AuditorParts) {
    const { charter } = parts;
    this.#parts = parts;
    this.#register = new Register(charter.account, charter.currency);
    this.#heard = new Heard();
    this.#handNews = new HandNews((event) => this.#agreesOn(event));
    this.#foreign = new Foreign(charter, this.#lost);
    this.#rules = [
      this.#once,
      new InTime(charter),
      new Limits({ charter, once: this.#once, heard: this.#heard, handNews: this.#handNews }),
      new Coherence({ charter, once: this.#once, handNews: this.#handNews }),
      new OrderRate(charter),
      new Closed(charter),
      new BetEnd(charter),
      new LivePlay(charter),
      new NewsWindow(charter),
      new SwitchedOff(),
      new NoRoom(),
      new BehindTheFence(charter),
      new Lingering(charter),
      this.#turnedAway,
      new CleanEnd(charter, this.#once),
      new OwnTrades({ charter, handNews: this.#handNews, isExcused: () => this.#isForgetful }),
      this.#foreign,
      new OneCurrency(charter),
      new Silence(charter),
    ];
  }

  readonly note = (entry: VenueEntry, at: Micros): void => {
    // What a guard is told its bot does not hear of.
    if (isGuards(entry))
      return this.#judge(entry, { at, register: this.#register, created: NOTHING }, [this.#foreign]);
    const { cause = null } = entry.kind === 'said' ? entry : {};
    if (this.#isAuditDue && isBotsDoing(entry)) this.auditBooks(at);
    if (entry.kind === 'said') this.#register.take(entry.events, entry.cause, at);
    if (entry.kind === 'served' && entry.fault === 'half_applied') this.#isForgetful = true;
    this.#heard.note(entry, at);
    this.#cashNews.note(entry, at);
    const isWhole = entry.kind === 'served' || (cause !== null && cause.by !== 'letter');
    const created = isWhole ? this.#register.drainCreated() : NOTHING;
    const moment = { at, register: this.#register, created };
    this.#handNews.note(entry, moment);
    this.#lost.note(entry, moment);
    this.#judge(entry, moment, this.#rules);
    if (isWhole && ++this.#steps % STEPS_PER_AUDIT === 0) this.#isAuditDue = true;
  };

  /** Hours in which quotes stood and every request was turned away. */
  get quotedHoursOf429(): number {
    return this.#turnedAway.quotedHours;
  }

  /** Everything at once. */
  auditBooks(at: Micros): void {
    this.#isAuditDue = false;
    const problem = booksProblem(this.#parts.exchange(), this.#register);
    if (problem !== null) this.find('books', problem, at);
    const statement = this.#heard.isComplete(at) ? this.#parts.statement() : null;
    if (statement === null) return;
    for (const text of holdingDifferences(this.#certain(statement, at), this.#register))
      this.find('position', text, at);
  }

  /** Whether the bot's word on what it holds in an event is the venue's. */
  #agreesOn(event: number): boolean {
    const markets = this.#parts.charter.events.find((one) => one.event === event)?.markets ?? [];
    const holdings = this.#parts.statement()?.holdings.filter(({ market }) => markets.includes(market)) ?? [];
    return holdings.every(({ market, long, short }) => {
      const held = this.#register.holding(market as MarketId);
      return held.long === long && held.short === short;
    });
  }

  /**
   * Where money moved by decree the venue's word comes before its reason does, and what a person's order traded before
   * its first frame came only reads tell.
   */
  #certain({ holdings, ...rest }: Statement, at: Micros): Statement {
    const { decreed } = this.#register;
    const { events } = this.#parts.charter;
    const isOpen = (event: number): boolean => decreed.has(event) || !this.#handNews.wasTold(event, at);
    const isCertain = (market: number): boolean =>
      !events.some(({ event, markets }) => markets.includes(market) && isOpen(event));
    return { ...rest, holdings: holdings.filter(({ market }) => isCertain(market)) };
  }

  /** Some time after the last trouble. */
  auditHoldings(statement: Statement, at: Micros): void {
    for (const text of holdingDifferences(statement, this.#register)) this.find('holdings', text, at);
  }

  /** When nothing moves any more: the bot knows what stands, what it holds and what it has. */
  auditQuiet(statement: Statement, at: Micros): void {
    this.auditBooks(at);
    const { charter, exchange } = this.#parts;
    const mayBeEither = (order: RegisteredOrder): boolean =>
      order.letter === null ? this.#lost.mayBe(order) : this.#once.isForgotten(order);
    const isExact = this.#cashNews.isExact;
    const truth = { charter, exchange: exchange(), register: this.#register, mayBeEither, isExact };
    const found = differences(statement, truth);
    for (const text of found) this.find('quiet', text, at);
  }

  /** Orders of the bot that still work. */
  get working(): readonly RegisteredOrder[] {
    return [...this.#register.allWorking()].filter(({ letter }) => letter !== null);
  }

  #judge(entry: VenueEntry, moment: Moment, rules: readonly Rule[]): void {
    for (const rule of rules) {
      const text = rule.note(entry, moment);
      if (text !== null) this.find(rule.name, text, moment.at);
    }
  }

  /** Something is wrong that another has seen. */
  find(rule: string, text: string, at: Micros): void {
    this.findings.push({ rule, text, at });
  }
}
