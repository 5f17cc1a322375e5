import type { ReadRequest } from '../../domain/effects.js';
import type { RequestFailure } from '../../domain/answers.js';
import { type Micros, type Money, type Shares, ZERO_SHARES } from '../../domain/units.js';
import type { Currency, Position } from '../../domain/vocabulary.js';
import { Agenda } from './agenda.js';
import { earliest, laterBy } from './time.js';
import { FRESHNESS, type Freshness } from './books/freshness.js';
import { Reads } from './reads.js';
import type { MirrorSettings } from './settings.js';
import type { Silence } from './silence.js';
import type { MarketId } from '../../domain/ids.js';
import type { HoldingReport } from '../../domain/orders.js';

/** The three things of an account that are read as a whole. */
export const ACCOUNT_PARTS = ['orders', 'holdings', 'balances'] as const;
export type AccountPart = (typeof ACCOUNT_PARTS)[number];
const PLACES: Readonly<Record<AccountPart, number>> = { orders: 0, holdings: 1, balances: 2 };

/**
 * How fresh the account's orders, holdings and balances are, and the reads that keep them so. After every
 * (re)connection all three are read by requests sent after the private channel was joined.
 */
export class Account {
  readonly #reads: Reads;
  /** Routine and paced reads, by part. */
  readonly #agenda = new Agenda();
  /** When the request was sent whose answer each part rests on; null while it is not known. */
  readonly #asOf: (Micros | null)[] = [null, null, null];
  #balancesChanged: Micros | null = null;
  /** As last read; never added across currencies. */
  balances: ReadonlyMap<Currency, Money> = new Map();

  constructor(
    private readonly settings: MirrorSettings,
    private readonly silence: Silence,
  ) {
    this.#reads = new Reads(settings);
  }

  /** Whether the part was read since the private channel was joined, and nothing has cast doubt on it since. */
  isRead(part: AccountPart): boolean {
    return this.asOf(part) !== null;
  }

  get isAllRead(): boolean {
    return this.#asOf[0] !== null && this.#asOf[1] !== null && this.#asOf[2] !== null;
  }

  /** Which part is still to be read; call only when not all are. */
  get missing(): Freshness {
    if (this.#asOf[0] === null) return FRESHNESS.ordersNotRead;
    return this.#asOf[1] === null ? FRESHNESS.holdingsNotRead : FRESHNESS.balancesNotRead;
  }

  /** When the request was sent whose answer the part rests on. */
  asOf(part: AccountPart): Micros | null {
    return this.#asOf[PLACES[part]]!;
  }

  /** The same of the balances, which are asked about most. */
  get balancesAsOf(): Micros | null {
    return this.#asOf[BALANCES]!;
  }

  /** Whether balances moved since the reading they rest on. */
  get balancesMoved(): boolean {
    const asOf = this.balancesAsOf;
    return this.#balancesChanged !== null && asOf !== null && this.#balancesChanged >= asOf;
  }

  disconnected(): void {
    this.#asOf.fill(null);
    this.#reads.clear();
    for (const part of ACCOUNT_PARTS.keys()) this.#agenda.drop(part);
  }

  /** The private channel was joined: everything before is to be read. */
  joined(at: Micros): void {
    for (const part of ACCOUNT_PARTS) this.distrust(part, at);
  }

  /** Something contradicts the part: it does not count until a request sent from now on is answered. */
  distrust(part: AccountPart, at: Micros): void {
    this.#asOf[PLACES[part]] = null;
    this.#reads.want(PLACES[part], at, 'resync');
  }

  /** A `balance` input has no amount: balances are to be read again, but not for each of a burst. */
  balanceChanged(at: Micros): void {
    this.#balancesChanged = at;
    const asOf = this.asOf('balances');
    if (asOf === null) return;
    this.#agenda.plan(BALANCES, laterBy(asOf, this.settings.balancePaceMs));
  }

  get isIdle(): boolean {
    return this.#reads.isIdle;
  }

  /** The parts to read now. */
  needs(): ReadRequest[] {
    return this.#reads.ready(Infinity).map((part) => ({ kind: `read-${ACCOUNT_PARTS[part]!}` as const }));
  }

  issued(requestId: number, part: AccountPart): void {
    this.#reads.issued(requestId, PLACES[part]);
  }

  /** @returns whether the answer tells the present state */
  answered(requestId: number, sentAt: Micros): boolean {
    const part = this.#reads.ended(requestId);
    if (part === null || !this.#reads.succeeded(part, sentAt)) return false;
    this.#asOf[part] = sentAt;
    this.#agenda.drop(part);
    const everyMs = this.#everyMs(part);
    if (everyMs !== null)
      this.silence.plan(ACCOUNT_PARTS[part]!, sentAt, everyMs, (due) => this.#agenda.plan(part, due));
    if (part === BALANCES && this.balancesMoved)
      this.#agenda.plan(part, laterBy(sentAt, this.settings.balancePaceMs));
    return true;
  }

  /** The answer left something out: it tells nothing, and what is wanted still is. */
  overlooked(requestId: number): void {
    this.#reads.ended(requestId);
  }

  /** @returns whether the request was one of these */
  failed(requestId: number, failure: RequestFailure, now: Micros): boolean {
    const part = this.#reads.ended(requestId);
    if (part !== null) this.#reads.failed(part, failure, now);
    return part !== null;
  }

  get nextDue(): Micros | null {
    return earliest(this.#reads.nextRetry, this.#agenda.next);
  }

  beat(now: Micros): void {
    this.#reads.beat(now);
    for (let part = this.#agenda.take(now); part !== null; part = this.#agenda.take(now))
      if (!this.#reads.wants(part)) this.#reads.want(part, now, 'witness');
  }

  /** Null where nothing but need calls for a read: the routine listing of orders is the desk's. */
  #everyMs(part: number): number | null {
    const { holdingsEveryMs, balancesEveryMs } = this.settings;
    return [null, holdingsEveryMs, balancesEveryMs][part] ?? null;
  }
}

const BALANCES = PLACES.balances;

interface Entry {
  readonly report: HoldingReport;
  /** Receive time of the frame, or when the read that told it was sent. */
  readonly at: Micros;
}

/** One key per (market, position, currency): holdings of different kinds are never netted (facts, "Trading rules"). */
const keyOf = (market: MarketId, position: Position, currency: Currency): string =>
  `${position} ${currency} ${market}`;

/** What the venue says the account holds. Frames are absolute and come in order; a read never undoes a later frame. */
export class Holdings {
  readonly #entries = new Map<string, Entry>();

  /** @returns whole holding in shares; zero when the venue named none */
  shares(market: MarketId, position: Position, currency: Currency): Shares {
    return this.#entries.get(keyOf(market, position, currency))?.report.shares ?? ZERO_SHARES;
  }

  /** Every holding the venue named and has not taken back, in the order it first named them. */
  all(): HoldingReport[] {
    return [...this.#entries.values()].map((entry) => entry.report);
  }

  /** Applies a `holding` input. */
  update(report: HoldingReport, at: Micros): void {
    this.#entries.set(keyOf(report.marketId, report.position, report.currency), { report, at });
  }

  /**
   * Applies a complete read: what it does not name is not held, unless a frame since it was sent says so.
   * @returns the markets named before or now
   */
  replace(reports: readonly HoldingReport[], sentAt: Micros): MarketId[] {
    const touched = new Set<MarketId>();
    for (const [key, { report, at }] of this.#entries) {
      touched.add(report.marketId);
      if (at < sentAt) this.#entries.delete(key);
    }
    for (const report of reports) {
      touched.add(report.marketId);
      const key = keyOf(report.marketId, report.position, report.currency);
      if (!this.#entries.has(key)) this.#entries.set(key, { report, at: sentAt });
    }
    return [...touched];
  }
}
