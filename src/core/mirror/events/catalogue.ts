import type { EventId, MarketId } from '../../../domain/ids.js';
import type { EventDescription, MarketDescription } from '../../../domain/market.js';
import type { Micros } from '../../../domain/units.js';
import type { EventStatus, MarketStatus, Resolution, ResolutionMode } from '../../../domain/vocabulary.js';
import { ResolutionClaims } from './resolution-claims.js';

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
  /** In the order in which they became known. */
  readonly markets: MarketRecord[];
  title: string;
  /** What configuration and venue say about whether its markets exclude each other. */
  readonly claims: ResolutionClaims;
  /** What follows from these claims. */
  resolutionMode: ResolutionMode;
  status: EventStatus;
  isLive: boolean;
  betStart: Micros | null;
  betEnd: Micros | null;
  eventStart: Micros | null;
  eventEnd: Micros | null;
  /** As the last `event-status` of this run's mode said; null when none did since the status changed. */
  wagerable: boolean | null;
  doubt: Doubt | null;
  /** The venue has no `GET /events/{id}/` for it: configuration and frames are all there is. */
  unreadable: boolean;
  /** Null until a status message states something. */
  toldAt: ToldAt | null;
}

/** One market as the mirror knows it now. Outside this room it is only looked at. */
export interface MarketRecord {
  /** Dense: 0, 1, 2 and so on; the same in all parts of the mirror. */
  readonly index: number;
  readonly id: MarketId;
  readonly event: EventRecord;
  title: string;
  /** Price units per tick, from configuration, a person or the book. */
  tickUnits: number;
  /** Whether the book and refusals teach the tick. */
  learnsGrid: boolean;
  /** Whether an instance quotes it. Others are observed: no request is spent on them. */
  quoted: boolean;
  /** An instance quoted it in this run: shares of it may be held, so reads of its event go on. */
  wasQuoted: boolean;
  status: MarketStatus;
  disabled: boolean;
  betStart: Micros | null;
  betEnd: Micros | null;
  resolution: Resolution | null;
  /** Null until a status message states something. */
  toldAt: ToldAt | null;
}

/** All events and markets known, by id and by dense index. */
export class Catalogue {
  readonly events: EventRecord[] = [];
  readonly markets: MarketRecord[] = [];
  readonly #events = new Map<EventId, EventRecord>();
  readonly #markets = new Map<MarketId, MarketRecord>();

  event(id: EventId): EventRecord | undefined {
    return this.#events.get(id);
  }

  market(id: MarketId): MarketRecord | undefined {
    return this.#markets.get(id);
  }

  /** @param description as configured */
  addEvent(description: EventDescription): EventRecord {
    const claims = new ResolutionClaims(description.resolutionMode, description.markets.length);
    const event: EventRecord = {
      index: this.events.length,
      id: description.id,
      markets: [],
      title: description.title,
      claims,
      resolutionMode: claims.mode,
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
    const { id, title, tickUnits, status, disabled, betStart, betEnd, resolution } = description;
    const market: MarketRecord = {
      index: this.markets.length,
      id,
      event,
      title,
      tickUnits,
      learnsGrid: false,
      quoted: false,
      wasQuoted: false,
      status,
      disabled: disabled ?? false,
      betStart,
      betEnd,
      resolution,
      toldAt: null,
    };
    this.markets.push(market);
    this.#markets.set(id, market);
    event.markets.push(market);
    return market;
  }
}
