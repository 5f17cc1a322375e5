/** The ways in and out of a rehearsal: nothing comes from a socket, and nothing leaves through one. */
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from 'rxjs';
import type { EventId, MarketId, OrderId } from '../../domain/ids.js';
import type { FeedInput } from '../../domain/inputs.js';
import type { OrderReport } from '../../domain/orders.js';
import {
  type Micros,
  PRICE_ONE,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
  ZERO_SHARES,
} from '../../domain/units.js';
import type { Position, Side } from '../../domain/vocabulary.js';
import type { Feed, FeedStreams } from '../../core/ports/feed.js';
import { type Journal, JournalError, type JournalRecord } from '../../core/ports/journal.js';
import { readBookFrame } from '../../venues/futuur/protocol/read/book-frame.js';
import { recordPieces } from '../../storage/journal/record-text.js';
import { CHAIN_START, LineSealer } from '../../storage/journal/sealed-line.js';
import { openStreams } from '../../venues/futuur/realtime/streams.js';
import type { HttpRequest, HttpResult, Transport } from '../../venues/futuur/rest/transport.js';
import type { AgreeableVenue } from './agreeable-venue.js';
import type { VenueOrder } from './frames.js';

/** A feed that says what it is told to say. */
export class RehearsedFeed implements Feed {
  readonly #streams = openStreams();
  readonly streams: FeedStreams = this.#streams;

  constructor(private readonly channels: readonly string[]) {}

  connect(): void {
    this.#emit({ kind: 'connection', state: 'connected', reason: '' });
    for (const channel of this.channels)
      this.#emit({ kind: 'subscription', channel, state: 'subscribed', reason: '' });
  }

  close(): void {
    for (const stream of Object.values(this.#streams)) stream.complete();
  }

  /** @param text a whole frame with a book */
  book(text: string): void {
    const frame = readBookFrame(text);
    if (frame !== null) this.#emit(frame.input);
  }

  /** It rests, as a private frame has it: not read from one, for nothing waits for those. */
  order({ id, market, event, side, position, price, shares }: VenueOrder, at: Micros): void {
    const report: OrderReport = {
      orderId: id as OrderId,
      marketId: market as MarketId,
      eventId: event as EventId,
      side: side as Side,
      position: position as Position,
      currency: 'OOM',
      price: Math.round(price * PRICE_ONE) as PriceUnits,
      status: 'open',
      requested: Math.round(shares * SHARE_ONE) as Shares,
      filled: ZERO_SHARES,
      averageFillPrice: null,
      createdAt: null,
      expiresAt: null,
    };
    this.#emit({ kind: 'order-update', report, cancelReason: null, systemInitiated: false, venueTime: at });
  }

  #emit(input: FeedInput): void {
    (this.#streams[input.kind] as Subject<FeedInput>).next(input);
  }
}

/** Signs and journals what is sent, as ever, and keeps answers back until they are asked for: time passes only in between. */
export class RehearsedTransport implements Transport {
  /** Requests of which nothing but the bytes was missing. */
  sent = 0;
  readonly #kept: (() => void)[] = [];

  constructor(private readonly venue: AgreeableVenue) {}

  send(request: HttpRequest): Promise<HttpResult> {
    const withheld = heldBack(request);
    if (withheld !== null) return Promise.resolve(withheld);
    this.sent += 1;
    return new Promise((resolve) => {
      this.#kept.push(() => resolve(answered(this.venue, request)));
    });
  }

  /** All that was kept back is answered. */
  answer(): void {
    for (const answer of this.#kept.splice(0)) answer();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Everything up to the first byte: signature, last look, journal. @returns null when it would be written now */
export function heldBack(request: HttpRequest): HttpResult | null {
  request.headers();
  try {
    request.beforeFirstByte();
    return null;
  } catch (error) {
    return { kind: 'not-sent', reason: (error as Error).message };
  }
}

export const answered = (venue: AgreeableVenue, request: HttpRequest): HttpResult => ({
  kind: 'answered',
  status: 200,
  headers: JSON_TYPE,
  body: venue.answer(request),
});

const JSON_TYPE = { 'content-type': 'application/json' };

/** Seals each line and writes it over earlier ones, into a file that has no name any more and ends with the process. */
export class ForgetfulJournal implements Journal {
  readonly #sealer = new LineSealer();
  readonly #file: number;
  #sum = CHAIN_START;
  #at = 0;
  #isOpen = true;

  /** @param dir an existing folder. @throws an error of the file system */
  constructor(dir: string) {
    const path = join(dir, `rehearsal-${process.pid}.tmp`);
    this.#file = openSync(path, 'w+', 0o600);
    unlinkSync(path);
    writeSync(this.#file, Buffer.alloc(ROOM_BYTES));
  }

  append(record: JournalRecord): void {
    // Its descriptor may be another file's by now: the bot's own journal, at worst.
    if (!this.#isOpen) throw new JournalError('closed', 'the rehearsal is over');
    const { block, length, sum } = this.#sealer.seal(recordPieces(record), this.#sum);
    this.#sum = sum;
    if (this.#at + length > ROOM_BYTES) this.#at = 0;
    writeSync(this.#file, block, 0, Math.min(length, ROOM_BYTES), this.#at);
    this.#at += length;
  }

  close(): Promise<void> {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
    return Promise.resolve();
  }
}

/** Some tens of lines. */
const ROOM_BYTES = 65_536;
