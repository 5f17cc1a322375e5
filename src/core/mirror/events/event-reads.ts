import type { ReadRequest } from '../../../domain/effects.js';
import type { RequestFailure } from '../../../domain/answers.js';
import type { Micros } from '../../../domain/units.js';
import type { Catalogue, EventRecord } from './catalogue.js';
import { Reads } from '../reads.js';
import type { MirrorSettings } from '../settings.js';

const MOST_UNDER_WAY = 10;

/** Which events are in doubt, and the reads that end it. Only events with a market that is quoted, or was, are read. */
export class EventReads {
  readonly #reads: Reads;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly settings: MirrorSettings,
  ) {
    this.#reads = new Reads(settings);
  }

  get nextDue(): Micros | null {
    return this.#reads.nextRetry;
  }

  canRead(event: EventRecord): boolean {
    return this.settings.eventSource === 'venue' && !event.unreadable;
  }

  /** Wants the event read by a request sent at or after `since`. */
  want(event: EventRecord, since: Micros): void {
    if (!this.canRead(event) || !event.markets.some((market) => market.quoted || market.wasQuoted)) return;
    this.#reads.want(event.index, since, 'resync');
  }

  /** As {@link want}, but messages that keep contradicting do not put off the read that settles it. */
  wantUnlessWanted(event: EventRecord, since: Micros): void {
    if (!this.#reads.wants(event.index)) this.want(event, since);
  }

  /** Something newer than `at` became known, so an answer to an earlier request would undo it. */
  overtaken(event: EventRecord, at: Micros): void {
    if (this.#reads.wants(event.index)) this.#reads.want(event.index, at, 'resync');
  }

  /** What is in doubt is wanted again once its channel is joined. */
  disconnected(): void {
    this.#reads.clear();
  }

  beat(now: Micros): void {
    this.#reads.beat(now);
  }

  get isIdle(): boolean {
    return this.#reads.isIdle;
  }

  /** Another number after every change of what is asked for. */
  get version(): number {
    return this.#reads.version;
  }

  /** Whether the event is to be asked for later than those that are asked for now: the books of these come first. */
  isHeldBack({ index }: EventRecord): boolean {
    return this.#reads.isWaiting(index) && !this.#next().includes(index);
  }

  /** The events to read now, a few at a time. */
  needs(): ReadRequest[] {
    return this.#next().map((index) => ({ kind: 'read-event', eventId: this.catalogue.events[index]!.id }));
  }

  #next(): number[] {
    return this.#reads.ready(Math.max(0, MOST_UNDER_WAY - this.#reads.underWay));
  }

  issued(requestId: number, request: Extract<ReadRequest, { kind: 'read-event' }>): void {
    const event = this.catalogue.event(request.eventId);
    if (event !== undefined) this.#reads.issued(requestId, event.index);
  }

  /** @returns the event when the answer serves, null when it was overtaken or is none of these */
  answered(requestId: number, sentAt: Micros): EventRecord | null {
    const index = this.#reads.ended(requestId);
    return index === null || !this.#reads.succeeded(index, sentAt) ? null : this.catalogue.events[index]!;
  }

  /** @returns whether the request was one of these, and its event when the venue says that it cannot be read at all */
  failed(
    requestId: number,
    failure: RequestFailure,
    now: Micros,
  ): { readonly isOurs: boolean; readonly unreadable: EventRecord | null } {
    const index = this.#reads.ended(requestId);
    if (index === null) return { isOurs: false, unreadable: null };
    if (failure.kind === 'refused' && failure.means === 'not-found') {
      this.#reads.drop(index);
      return { isOurs: true, unreadable: this.catalogue.events[index]! };
    }
    this.#reads.failed(index, failure, now);
    return { isOurs: true, unreadable: null };
  }
}
