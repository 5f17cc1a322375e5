import type { EventId, MarketId } from '../../../domain/ids.js';
import type { EventDescription, MarketDescription } from '../../../domain/market.js';
import { MarketNumbers } from '../../../domain/market-numbers.js';
import type { Micros } from '../../../domain/units.js';
import type { EventStatus, MarketStatus, Resolution, ResolutionMode } from '../../../domain/vocabulary.js';
import { ResolutionWords } from './resolution-words.js';

/** Why the state of an event is not to be relied on. */
export type Doubt =
  /** Not read since its channel was joined. */
  | 'not-read'
  /** A status message about it could not be read. */
  | 'not-understood'
  /** The venue refused what the status permits. */
  | 'contradicted';

/**
 * Venue time of the newest status message that stated each of these; -1 for none. Kept apart, for a message states
 * only some of them.
 */
export interface ToldAt {
  status: number;
  betStart: number;
  betEnd: number;
  disabled: number;
}

export const NEVER_TOLD: ToldAt = { status: -1, betStart: -1, betEnd: -1, disabled: -1 };

/** One event as the mirror knows it now. Outside this room it is only looked at. */
export interface EventRecord {
  /** Dense: 0, 1, 2 and so on. */
  readonly index: number;
  readonly id: EventId;
  /** In the order in which they became known; another list when one is added. */
  markets: readonly MarketRecord[];
  title: string;
  /** Who says whether its markets exclude each other. */
  readonly words: ResolutionWords;
  /** What is gone by, by those words. */
  resolutionMode: ResolutionMode;
  status: EventStatus;
  isLive: boolean;
  betStart: Micros | null;
  betEnd: Micros | null;
  eventStart: Micros | null;
  eventEnd: Micros | null;
  /** As the last `price-change` of this run's mode said; null when none did since the status changed. */
  wagerable: boolean | null;
  doubt: Doubt | null;
  /** The venue has no `GET /events/{id}/` for it: configuration and frames are all there is. */
  unreadable: boolean;
  /** Null until a status message states something. */
  toldAt: ToldAt | null;
}

/** What holds of a market and is mostly the same for those of one event: one object for all of which it is. */
interface Standing {
  readonly tickUnits: number;
  readonly quoted: boolean;
  readonly status: MarketStatus;
  readonly disabled: boolean;
  readonly betStart: Micros | null;
  readonly betEnd: Micros | null;
  readonly resolution: Resolution | null;
  readonly toldAt: ToldAt | null;
}

type Described = Omit<Standing, 'quoted' | 'toldAt' | 'disabled'> & Pick<MarketDescription, 'disabled'>;

const standingOf = (
  { tickUnits, status, disabled, betStart, betEnd, resolution }: Described,
  quoted: boolean,
  toldAt: ToldAt | null,
): Standing => ({
  tickUnits,
  quoted,
  status,
  disabled: disabled ?? false,
  betStart,
  betEnd,
  resolution,
  toldAt,
});

const isAlike = (one: Standing, other: Standing): boolean =>
  one.tickUnits === other.tickUnits &&
  one.quoted === other.quoted &&
  one.status === other.status &&
  one.disabled === other.disabled &&
  one.betStart === other.betStart &&
  one.betEnd === other.betEnd &&
  one.resolution === other.resolution &&
  one.toldAt === other.toldAt;

/** One market as the mirror knows it now. Outside this room it is only looked at. */
export class MarketRecord {
  readonly id: MarketId;
  title: string;
  private standing: Standing;

  /** @param index dense: 0, 1, 2 and so on; the same in all parts of the mirror */
  constructor(
    readonly index: number,
    readonly event: EventRecord,
    description: MarketDescription,
  ) {
    this.id = description.id;
    this.title = description.title;
    this.standing = this.shared(standingOf(description, false, null));
  }

  /** Price units per tick, from configuration or a person. */
  get tickUnits(): number {
    return this.standing.tickUnits;
  }

  set tickUnits(tickUnits: number) {
    this.restate({ tickUnits });
  }

  /** Whether an instance quotes it. Others are observed: no request is spent on them. */
  get quoted(): boolean {
    return this.standing.quoted;
  }

  set quoted(quoted: boolean) {
    this.restate({ quoted });
  }

  get status(): MarketStatus {
    return this.standing.status;
  }

  set status(status: MarketStatus) {
    this.restate({ status });
  }

  get disabled(): boolean {
    return this.standing.disabled;
  }

  set disabled(disabled: boolean) {
    this.restate({ disabled });
  }

  get betStart(): Micros | null {
    return this.standing.betStart;
  }

  set betStart(betStart: Micros | null) {
    this.restate({ betStart });
  }

  get betEnd(): Micros | null {
    return this.standing.betEnd;
  }

  set betEnd(betEnd: Micros | null) {
    this.restate({ betEnd });
  }

  get resolution(): Resolution | null {
    return this.standing.resolution;
  }

  set resolution(resolution: Resolution | null) {
    this.restate({ resolution });
  }

  /** Null until a status message states something. */
  get toldAt(): ToldAt | null {
    return this.standing.toldAt;
  }

  set toldAt(toldAt: ToldAt | null) {
    this.restate({ toldAt });
  }

  private restate(change: Partial<Standing>): void {
    const standing = Object.assign(standingOf(this.standing, this.quoted, this.toldAt), change);
    if (!isAlike(standing, this.standing)) this.standing = this.shared(standing);
  }

  /** The same as another market of the event has it, if one does. */
  private shared(standing: Standing): Standing {
    for (const market of this.event.markets) if (isAlike(market.standing, standing)) return market.standing;
    return standing;
  }
}

/** All events and markets known, by id and by dense index. */
export class Catalogue {
  readonly events: EventRecord[] = [];
  readonly markets: MarketRecord[] = [];
  readonly #events = new Map<EventId, EventRecord>();
  readonly #indexes = new MarketNumbers();

  event(id: EventId): EventRecord | undefined {
    return this.#events.get(id);
  }

  market(id: MarketId): MarketRecord | undefined {
    const index = this.#indexes.get(id);
    return index === undefined ? undefined : this.markets[index];
  }

  /** The market's dense index, without a look at its record. */
  indexOf(id: MarketId): number | undefined {
    return this.#indexes.get(id);
  }

  /** @param description as configured */
  addEvent(description: EventDescription): EventRecord {
    const words = new ResolutionWords(description.resolutionMode, description.markets.length);
    const event: EventRecord = {
      index: this.events.length,
      id: description.id,
      markets: [],
      title: description.title,
      words,
      resolutionMode: words.mode,
      status: description.status,
      isLive: description.isLive ?? false,
      betStart: description.betStart,
      betEnd: description.betEnd,
      eventStart: description.eventStart,
      eventEnd: description.eventEnd,
      wagerable: null,
      doubt: null,
      unreadable: false,
      toldAt: null,
    };
    this.events.push(event);
    this.#events.set(event.id, event);
    return event;
  }

  addMarket(event: EventRecord, description: MarketDescription): MarketRecord {
    const market = new MarketRecord(this.markets.length, event, description);
    this.markets.push(market);
    this.#indexes.set(market.id, market.index);
    // Pushed to, the list of every event would make room for seventeen.
    event.markets = event.markets.concat(market);
    return market;
  }
}
