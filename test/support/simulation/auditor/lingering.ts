import type { OrderId } from '../../../../src/exchange/contract/ids.js';
import type { Letter, VenueEntry } from '../venue-record.js';
import { marketsOf } from './closed.js';
import type { Register, RegisteredOrder } from './register.js';
import { type Charter, describe, type Moment, type Rule } from './rule.js';
import { ToldClosed } from './told-closed.js';

/** From being free to act to the hand-over of a cancel: writing, and the pause after a request that failed. */
const PROMPT = 500_000;
/** From a cancel that had no effect to the next one: listings come between them, at a pace of up to five seconds. */
const AGAIN = 6_000_000;
/** A run looks at what an earlier one left before it touches it. */
const ADOPTION = 6_000_000;

const CREATING: ReadonlySet<string> = new Set(['batchCreate', 'batchUpdate']);

/** Orders of frames, listings and answers with what they say of each. */
const STANDING = /"(?:order_)?id":(\d+)[^{}]*?"status":"(\w+)"/g;
/** While an order is being processed the venue refuses to cancel it (specification 3.1). */
const CANCELABLE: ReadonlySet<string> = new Set(['open', 'partial_filled']);

interface CancelBody {
  readonly order_ids?: readonly OrderId[];
  readonly event?: number;
  readonly market?: number;
}

/**
 * Once the bot was told that a market does not trade, a cancel of what it knows to stand there is handed over at once:
 * what lasts longer than its way is not the bot's to shorten. Counted from when the bot was free to: while a request about
 * the market is under way it waits for the answer, a frozen process does nothing, and 429 is obeyed.
 */
export class Lingering implements Rule {
  readonly name = 'stood-in-a-closed-market';
  readonly #told: ToldClosed;
  readonly #exclusive: ReadonlySet<number>;
  /** When the run was first told that an order stands which it can know to be its own. */
  readonly #knownAt = new Map<number, number>();
  /** Letters about orders that are not answered yet, with their markets. */
  readonly #underWay = new Map<number, readonly number[]>();
  /** When the last letter about a market was answered. */
  readonly #freeSince = new Map<number, number>();
  /** When a cancel of the order was last answered. */
  readonly #triedAt = new Map<number, number>();
  /** Answers of a listing that is not complete. */
  readonly #pages: string[] = [];
  #run = '';
  #startedAt = 0;
  /** A process that stands still, or none. */
  #isStill = true;
  /** When the venue turned a request away and asked for silence, which the next run may obey; null since it has answered a later one. */
  #mutedAt: number | null = null;
  /** Since when nothing keeps the process from sending. */
  #ableSince = 0;
  /** When the connection was given up last: what was asked for before tells the bot nothing. */
  #lostAt = 0;

  constructor(charter: Charter) {
    this.#told = new ToldClosed(charter);
    this.#exclusive = new Set(
      charter.events.filter((one) => one.isExclusiveScope).flatMap(({ markets }) => markets),
    );
  }

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    const problem = this.#lingering(register, at);
    this.#told.note(entry, at);
    if (entry.kind === 'run-started') this.#begin(entry.run, at);
    else if (entry.kind === 'run-ended' || entry.kind === 'frozen') this.#isStill = true;
    else if (entry.kind === 'thawed') this.#goOn(at);
    else if (entry.kind === 'disconnected') this.#lose(at);
    else if (entry.kind === 'told' && entry.event === 'order-update')
      this.#hear(entry.text, at, this.#isAlone(register));
    else if (entry.kind === 'handed') this.#handed(entry.letter, register);
    else if (entry.kind === 'answered') this.#answered(entry, at, register);
    return problem;
  }

  #begin(run: string, at: number): void {
    this.#run = run;
    this.#startedAt = at;
    this.#underWay.clear();
    this.#freeSince.clear();
    this.#triedAt.clear();
    this.#knownAt.clear();
    this.#pages.length = 0;
    this.#goOn(at);
  }

  #goOn(at: number): void {
    this.#isStill = false;
    this.#ableSince = at;
  }

  /** A process that stood still gives the connection up, and with it what came in the same moment. */
  #lose(at: number): void {
    this.#lostAt = at;
    this.#pages.length = 0;
    for (const [id, knownAt] of this.#knownAt) if (knownAt === at) this.#knownAt.delete(id);
  }

  /** In a market that others share only an answer to its own request says whose an order is. */
  #hear(text: string, at: number, isCertain: (order: OrderId) => boolean): void {
    for (const [, id, status] of text.matchAll(STANDING))
      if (CANCELABLE.has(status!) && isCertain(Number(id) as OrderId)) this.#know(Number(id), at);
  }

  #know(id: number, at: number): void {
    if (!this.#knownAt.has(id)) this.#knownAt.set(id, at);
  }

  #handed(letter: Letter, register: Register): void {
    const { markets } = concernedBy(letter, register);
    if (markets.length > 0) this.#underWay.set(letter.id, markets);
  }

  #answered(entry: Extract<VenueEntry, { kind: 'answered' }>, at: number, register: Register): void {
    const { letter, answer } = entry;
    this.#mute(letter, answer?.status ?? null, at);
    for (const market of this.#underWay.get(letter.id) ?? []) this.#freeSince.set(market, at);
    this.#underWay.delete(letter.id);
    for (const order of concernedBy(letter, register).cancels) this.#triedAt.set(order, at);
    if (CREATING.has(letter.endpoint)) this.#hear(answer?.text ?? '', at, () => true);
    else if (letter.endpoint === 'orders') this.#list(entry, at, register);
  }

  /** A listing tells something once all its answers came; `partial_filled` is asked for last. */
  #list({ letter, answer }: Extract<VenueEntry, { kind: 'answered' }>, at: number, register: Register): void {
    if (letter.handedAt < this.#lostAt) return;
    const isListing = answer?.status === 200 && answer.text.startsWith('{');
    if (!isListing || letter.path.includes('status=processing')) this.#pages.length = 0;
    if (!isListing) return;
    this.#pages.push(answer.text);
    if (!letter.path.includes('status=partial_filled')) return;
    for (const page of this.#pages.splice(0)) this.#hear(page, at, this.#isAlone(register));
  }

  /** @returns whether the account has no other orders than the bot's where the order is */
  #isAlone(register: Register): (order: OrderId) => boolean {
    return (id) => this.#exclusive.has(register.orders.get(id)?.marketId ?? 0);
  }

  /** What was sent before the venue turned a request away may still be answered. */
  #mute({ handedAt }: Letter, status: number | null, at: number): void {
    if (status === 429) this.#mutedAt ??= at;
    else if (status !== null && this.#mutedAt !== null && handedAt > this.#mutedAt) {
      this.#mutedAt = null;
      this.#ableSince = at;
    }
  }

  #lingering(register: Register, at: number): string | null {
    if (this.#isStill || this.#mutedAt !== null) return null;
    for (const market of this.#told.markets) {
      if ([...this.#underWay.values()].some((markets) => markets.includes(market))) continue;
      for (const order of register.working(market as never)) {
        const late = order.letter === null ? 0 : at - this.#due(order, market);
        if (late > 0)
          return `${describe(order)} stood ${late / 1_000} ms after its cancel was due: the bot had been told`;
      }
    }
    return null;
  }

  /** When a cancel of the order has to be under way. */
  #due(order: RegisteredOrder, market: number): number {
    const told = Math.max(this.#told.since(market) ?? Infinity, this.#knownAt.get(order.id) ?? Infinity);
    const able = Math.max(told, this.#ableSince, this.#freeSince.get(market) ?? 0);
    const tried = this.#triedAt.get(order.id) ?? -1;
    const adopted = order.letter?.run === this.#run ? 0 : this.#startedAt + ADOPTION;
    return Math.max(adopted, tried < told - AGAIN ? able + PROMPT : Math.max(able, tried) + AGAIN);
  }
}

interface Concern {
  readonly markets: readonly number[];
  /** Orders that the letter is to cancel. */
  readonly cancels: readonly number[];
}

function concernedBy(letter: Letter, register: Register): Concern {
  const { endpoint, body } = letter;
  // A create whose name is taken goes on: the venue is asked for the order of that name.
  if (endpoint === 'orders' && body !== '')
    return { markets: (JSON.parse(body) as { readonly markets: readonly number[] }).markets, cancels: [] };
  if (endpoint !== 'batchCancel' && endpoint !== 'cancelAll')
    return { markets: marketsOf(letter, register), cancels: [] };
  const { order_ids: ids, event, market } = JSON.parse(body === '' ? '{}' : body) as CancelBody;
  const isMeant = (order: RegisteredOrder): boolean =>
    (market === undefined || order.marketId === market) && (event === undefined || order.eventId === event);
  // What it names may have been filled meanwhile: the bot waits for the answer all the same.
  const orders =
    ids?.flatMap((id) => register.orders.get(id) ?? []) ?? [...register.allWorking()].filter(isMeant);
  const markets = orders.map(({ marketId }) => marketId as number);
  return {
    markets: market === undefined ? markets : [market, ...markets],
    cancels: orders.map(({ id }) => id),
  };
}
