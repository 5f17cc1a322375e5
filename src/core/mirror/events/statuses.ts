import type { EventId, MarketId } from '../../../domain/ids.js';
import type {
  EventLiveInput,
  MarketStatusInput,
  MarketListedInput,
  EventStatusInput,
} from '../../../domain/inputs.js';
import type { EventDescription } from '../../../domain/market.js';
import type { Micros } from '../../../domain/units.js';
import type { CurrencyMode, EventStatus, MarketStatus, Resolution } from '../../../domain/vocabulary.js';
import { Agenda } from '../agenda.js';
import type { Catalogue, Doubt, EventRecord, MarketRecord } from './catalogue.js';
import type { Finding, MirrorCounters } from '../findings.js';
import type { EventReads } from './event-reads.js';
import {
  assign,
  describeNew,
  hasFittingStatus,
  takeOverEvent,
  takeOverMarket,
  tell,
  tellUntimed,
  tellWindow,
  type Told,
  tickUnitsAmong,
} from './status-facts.js';
import type { ResolutionNews } from './resolution-claims.js';
import { nextWindowEdge } from './tradability.js';
import type { VenueClock } from '../time.js';

/** What the statuses share with the rest of the mirror. */
export interface StatusSurroundings {
  readonly catalogue: Catalogue;
  readonly venueClock: VenueClock;
  readonly reads: EventReads;
  readonly mode: CurrencyMode;
  /** Markets whose quotes must be looked at again, by dense index. */
  readonly dirty: Set<number>;
  readonly counters: MirrorCounters;
  readonly report: (finding: Finding) => void;
  /** Told of every market whose tradability may have changed. @param market dense index */
  readonly reconsider: (market: number, at: Micros) => void;
}

/**
 * The status of events and markets from every message that carries one. What cannot be read puts the whole event in
 * doubt until a read has told its state.
 */
export class Statuses {
  /** Bet windows that open or close, by event. */
  readonly #windows = new Agenda();
  /** Markets reported as missing from the venue's event. */
  readonly #missing = new Set<MarketId>();

  constructor(private readonly around: StatusSurroundings) {
    for (const event of around.catalogue.events) this.#planWindow(event, 0 as Micros);
  }

  get nextDue(): Micros | null {
    return this.#windows.next;
  }

  /** The event is the last of the catalogue since now. */
  added(event: EventRecord, at: Micros): void {
    this.#planWindow(event, at);
  }

  /** The event's channel was joined: what happened before is to be read. */
  joined(event: EventRecord, at: Micros): void {
    if (this.around.reads.canRead(event)) this.#readFirst(event, at);
  }

  /** The venue cannot say: what configuration and frames said stands, except a message that nobody understood. */
  unreadable(event: EventRecord, at: Micros): void {
    if (!event.unreadable) this.around.report({ kind: 'event-not-shown', eventId: event.id });
    event.unreadable = true;
    this.#reportClaims(event, event.claims.venueSaysNothing());
    if (event.doubt === 'not-read') event.doubt = null;
    this.#touch(event, at);
  }

  /** The event's status is not to be relied on until a request sent from now on is answered. */
  doubt(event: EventRecord, why: Doubt, at: Micros): void {
    event.doubt = why;
    this.around.reads.want(event, at);
    this.#touch(event, at);
  }

  statusChanged(input: MarketStatusInput, at: Micros): void {
    const market = input.marketId === null ? undefined : this.around.catalogue.market(input.marketId);
    const event = input.eventId === null ? market?.event : this.around.catalogue.event(input.eventId);
    if (event === undefined) return this.#unplaced(input.eventId, at);
    const isPlaced = input.marketId === null || market?.event === event;
    if (!input.understood || !isPlaced || !hasFittingStatus(input)) return this.#notUnderstood(event, at);
    if (market === undefined) this.#changeEvent(event, input, at);
    else this.#changeMarket(market, input, at);
  }

  priceChanged(input: EventStatusInput, at: Micros): void {
    const event = this.#placed(input.eventId);
    if (event === undefined) return;
    const mayLift = !this.around.reads.canRead(event);
    const told = [tellUntimed(event, 'status', input.status, 'open', mayLift)];
    for (const { marketId, status, resolution } of input.markets) {
      const market = this.around.catalogue.market(marketId);
      if (market?.event !== event) continue;
      told.push(tellUntimed(market, 'status', status, 'active', mayLift));
      if (!isVoidToo(market, resolution))
        told.push(tellUntimed(market, 'resolution', resolution, null, mayLift));
    }
    const isOurs = input.mode === this.around.mode;
    const changed = isOurs && assign(event, 'wagerable', input.wagerable);
    this.#statedUntimed(event, told, changed, at);
  }

  liveDataChanged(input: EventLiveInput, at: Micros): void {
    const event = this.#placed(input.eventId);
    if (event === undefined) return;
    const mayLift = !this.around.reads.canRead(event);
    const told = tellUntimed(event, 'status', input.status, 'open', mayLift);
    const hasChanged = assign(event, 'isLive', input.isLive);
    let changed = hasChanged;
    if (input.eventStart !== null) changed = assign(event, 'eventStart', input.eventStart) || changed;
    if (input.eventEnd !== null) changed = assign(event, 'eventEnd', input.eventEnd) || changed;
    this.#statedUntimed(event, [told], changed, at);
    if (hasChanged) this.#playChanged(event, at);
  }

  /** @returns the market when it is new and belongs to a known event */
  marketAdded(input: MarketListedInput, at: Micros): MarketRecord | null {
    const event = this.#placed(input.eventId);
    if (event === undefined || this.around.catalogue.market(input.marketId) !== undefined) return null;
    const market = this.around.catalogue.addMarket(event, describeNew(input, event));
    this.#planWindow(event, at);
    return market;
  }

  /** Takes over what a read said. @returns the markets that it named for the first time */
  readOver(event: EventRecord, told: EventDescription, at: Micros): MarketRecord[] {
    event.doubt = null;
    this.#reportMissing(event, told);
    this.#reportClaims(event, takeOverEvent(event, told));
    const added: MarketRecord[] = [];
    for (const description of told.markets) {
      const market = this.around.catalogue.market(description.id);
      if (market !== undefined) takeOverMarket(market, description);
      else added.push(this.#addTold(event, description));
    }
    this.#planWindow(event, at);
    this.#touch(event, at);
    return added;
  }

  /** Touches the markets of every event whose bet window opened or closed. */
  beat(now: Micros): void {
    for (let index = this.#windows.take(now); index !== null; index = this.#windows.take(now)) {
      const event = this.around.catalogue.events[index]!;
      this.#touch(event, now);
      this.#planWindow(event, now);
    }
  }

  /** The venue's clock turned out to be another time ahead of ours: every date comes earlier or later by ours. */
  clockDiffers(now: Micros): void {
    for (const event of this.around.catalogue.events) {
      this.#windows.drop(event.index);
      this.#planWindow(event, now);
      this.#touch(event, now);
    }
  }

  /** The message may be older than one that said otherwise: play is not over before a read could have told of that. */
  #playChanged(event: EventRecord, at: Micros): void {
    if (!event.isLive && this.around.reads.canRead(event)) this.#readFirst(event, at);
    else this.around.reads.wantUnlessWanted(event, at);
  }

  #readFirst(event: EventRecord, at: Micros): void {
    event.doubt ??= 'not-read';
    this.around.reads.want(event, at);
    this.#touch(event, at);
  }

  /** Markets that are quoted although the venue's event does not have them, each once. */
  #reportMissing(event: EventRecord, { markets }: EventDescription): void {
    for (const { id, quoted } of event.markets) {
      if (!quoted || this.#missing.has(id) || markets.some((market) => market.id === id)) continue;
      this.#missing.add(id);
      this.around.report({ kind: 'market-not-in-event', eventId: event.id, marketId: id });
    }
  }

  #reportClaims({ id }: EventRecord, news: ResolutionNews | null): void {
    if (news !== null) this.around.report({ ...news, eventId: id });
  }

  #addTold(event: EventRecord, description: EventDescription['markets'][number]): MarketRecord {
    return this.around.catalogue.addMarket(event, { ...description, tickUnits: tickUnitsAmong(event) });
  }

  #changeEvent(event: EventRecord, input: MarketStatusInput, at: Micros): void {
    const { venueTime } = input;
    const statusChanged = tell(event, 'status', input.status as EventStatus | undefined, venueTime);
    // It said `not wagerable` of the status before; the next `event-status` says it of this one.
    if (statusChanged) event.wagerable = null;
    let changed = tellWindow(event, input) || statusChanged;
    // That the event as a whole is not disabled says nothing of a market that is disabled by itself.
    if (input.disabled === true)
      for (const market of event.markets) changed = tell(market, 'disabled', true, venueTime) || changed;
    if (input.status === undefined) this.#changed(event, changed, at);
    else this.#stated(event, changed, at);
  }

  #changeMarket(market: MarketRecord, input: MarketStatusInput, at: Micros): void {
    const { venueTime } = input;
    let changed = tell(market, 'status', input.status as MarketStatus | undefined, venueTime);
    changed = tellWindow(market, input) || changed;
    changed = tell(market, 'disabled', input.disabled, venueTime) || changed;
    this.#changed(market.event, changed, at);
  }

  #statedUntimed(event: EventRecord, told: readonly Told[], changed: boolean, at: Micros): void {
    if (told.some((one) => one !== 'same')) this.around.reads.wantUnlessWanted(event, at);
    this.#stated(event, changed || told.includes('taken'), at);
  }

  /** A message stated the event's status: where nothing can be read, that is what ends a doubt. */
  #stated(event: EventRecord, changed: boolean, at: Micros): void {
    const settles = event.doubt !== null && !this.around.reads.canRead(event);
    if (settles) event.doubt = null;
    this.#changed(event, changed || settles, at);
  }

  #changed(event: EventRecord, changed: boolean, at: Micros): void {
    if (!changed) return;
    this.around.reads.overtaken(event, at);
    if (event.markets.some(hasDoubtfulResolution)) this.around.reads.want(event, at);
    this.#planWindow(event, at);
    this.#touch(event, at);
  }

  #notUnderstood(event: EventRecord, at: Micros): void {
    this.around.counters.statusesNotUnderstood += 1;
    this.around.report({ kind: 'status-not-understood', eventId: event.id });
    this.doubt(event, 'not-understood', at);
  }

  /** A message that names no event may mean any of ours; one that names another event means none. */
  #unplaced(named: EventId | null, at: Micros): void {
    if (named === null) for (const event of this.around.catalogue.events) this.#notUnderstood(event, at);
    else this.around.counters.framesUnplaced += 1;
  }

  #placed(id: EventId): EventRecord | undefined {
    const event = this.around.catalogue.event(id);
    if (event === undefined) this.around.counters.framesUnplaced += 1;
    return event;
  }

  #planWindow(event: EventRecord, now: Micros): void {
    const { venueClock } = this.around;
    const edge = nextWindowEdge(event, venueClock.at(now));
    if (edge !== null) this.#windows.plan(event.index, venueClock.ours(edge));
  }

  #touch(event: EventRecord, at: Micros): void {
    const { dirty, reconsider } = this.around;
    for (const { index } of event.markets) {
      dirty.add(index);
      reconsider(index, at);
    }
  }
}

/** An `event-status` cannot say `void`: of a cancelled market it says that there is no resolution. */
const isVoidToo = ({ status, resolution }: MarketRecord, told: Resolution | null): boolean =>
  told === null && status === 'cancelled' && resolution === 'void';

/** No status message carries the resolution of a market, nor that it was taken back: a read tells it. */
const hasDoubtfulResolution = ({ status, resolution }: MarketRecord): boolean =>
  status === 'resolved' ? resolution === null : status !== 'cancelled' && resolution !== null;
