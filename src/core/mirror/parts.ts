import type { EventId, MarketId } from '../../domain/ids.js';
import type { LinkInput, SubscriptionInput } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import { invariant } from '../../domain/errors.js';
import type { EventDescription } from '../../domain/market.js';
import { Account, Holdings } from './account.js';
import { BookWatch } from './books/book-watch.js';
import { Books } from './books/books.js';
import { Catalogue, type EventRecord } from './events/catalogue.js';
import { EventReads } from './events/event-reads.js';
import { type Finding, type MirrorCounters, noCounts } from './findings.js';
import { checkMirrorSettings, type MirrorSettings } from './settings.js';
import { Silence } from './silence.js';
import { Statuses } from './events/statuses.js';
import { VenueClock } from './time.js';

type Membership = { readonly state: SubscriptionInput['state']; readonly at: Micros };

/** The realtime connection and the channels joined on it; both are gone with every loss. */
export class Connection {
  #up = false;
  readonly #events = new Map<EventId, Membership>();
  #private: Membership | null = null;
  #latest: { readonly state: LinkInput['state'] | 'connecting'; readonly reason: string } = {
    state: 'connecting',
    reason: '',
  };

  get latest(): { readonly state: string; readonly reason: string } {
    return this.#latest;
  }

  get up(): boolean {
    return this.#up;
  }

  /** Since when the private channel is joined; null when it is not. */
  get privateSince(): Micros | null {
    return this.#private?.state === 'subscribed' ? this.#private.at : null;
  }

  get privateRefused(): boolean {
    return this.#private?.state === 'refused';
  }

  /** A connection begins without channels, and nothing of an older one counts: nothing is replayed (facts, Limits). */
  change(input: LinkInput): void {
    this.#up = input.state === 'connected';
    this.#latest = { state: input.state, reason: input.reason };
    this.#events.clear();
    this.#private = null;
  }

  join({ about, state }: SubscriptionInput, at: Micros): void {
    if (about.kind === 'event') this.#events.set(about.eventId, { state, at });
    if (about.kind === 'account') this.#private = { state, at };
  }

  /** Since when the event's channel is joined; null when it is not. */
  joinedSince(event: EventId): Micros | null {
    const membership = this.#events.get(event);
    return membership?.state === 'subscribed' ? membership.at : null;
  }

  refused(event: EventId): boolean {
    return this.#events.get(event)?.state === 'refused';
  }
}

/** What a mirror begins with. */
export interface MirrorBeginning {
  /** As far as configuration knows them. */
  readonly events: readonly EventDescription[];
  /** Markets that some instance quotes; the others are observed and cost no requests. */
  readonly quoted: Iterable<MarketId>;
  /** Markets whose tick the book teaches; that of others is as configured. */
  readonly learnedGrids: readonly MarketId[];
  readonly settings: MirrorSettings;
}

/** The parts of one mirror, wired. */
export interface MirrorParts {
  readonly settings: MirrorSettings;
  readonly catalogue: Catalogue;
  readonly venueClock: VenueClock;
  readonly connection: Connection;
  readonly silence: Silence;
  readonly account: Account;
  readonly holdings: Holdings;
  readonly eventReads: EventReads;
  readonly statuses: Statuses;
  readonly books: Books;
  readonly watch: BookWatch;
  /** Markets whose quotes must be looked at again, by dense index: each once, in the order they were touched. */
  readonly dirty: Set<number>;
  readonly counters: MirrorCounters;
  readonly findings: Finding[];
}

/**
 * @throws UsageError when the settings contradict each other
 * @throws InvariantError when a quoted market is in none of the events
 */
export function assemble({ events, quoted, learnedGrids, settings }: MirrorBeginning): MirrorParts {
  checkMirrorSettings(settings);
  const catalogue = catalogueOf(events, quoted);
  for (const id of learnedGrids) catalogue.market(id)!.learnsGrid = true;
  const findings: Finding[] = [];
  const dirty = new Set<number>();
  const counters = noCounts();
  const report = (finding: Finding): void => void findings.push(finding);
  const around = { catalogue, settings, dirty, counters, report };
  const books = new Books(around);
  const eventReads = new EventReads(catalogue, settings);
  const venueClock = new VenueClock();
  const silence = new Silence(settings.omitsSilentReads);
  const watch = new BookWatch(books, around, venueClock, eventReads, silence);
  const reconsider = (market: number, at: Micros): void => watch.reconsider(market, at);
  const { mode } = settings;
  return {
    settings,
    catalogue,
    venueClock,
    connection: new Connection(),
    silence,
    account: new Account(settings, silence),
    holdings: new Holdings(),
    eventReads,
    statuses: new Statuses({
      catalogue,
      venueClock,
      dirty,
      counters,
      report,
      reads: eventReads,
      mode,
      reconsider,
    }),
    books,
    watch,
    dirty,
    counters,
    findings,
  };
}

function catalogueOf(events: readonly EventDescription[], quoted: Iterable<MarketId>): Catalogue {
  const catalogue = new Catalogue();
  for (const event of events) addWithMarkets(catalogue, event);
  for (const id of quoted) {
    const market = catalogue.market(id);
    invariant(market !== undefined, `quoted market ${id} is in none of the events given`);
    market.quoted = true;
  }
  return catalogue;
}

function addWithMarkets(catalogue: Catalogue, description: EventDescription): EventRecord {
  const event = catalogue.addEvent(description);
  for (const market of description.markets) catalogue.addMarket(event, market);
  return event;
}
