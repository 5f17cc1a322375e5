/** The market data of a tape as lines of a recording: absolute books, prints, statuses. */
import type { BookInput, FeedInput } from '../../domain/inputs.js';
import type { MarketId } from '../../domain/ids.js';
import type { RecordedBook, RecordedLine, RecordedStatus } from '../../domain/recorded.js';
import type { Micros } from '../../domain/units.js';
import type { EventStatus, MarketStatus, Resolution } from '../../domain/vocabulary.js';
import { frameInput } from '../../venues/futuur/protocol/read/frames.js';
import type { TapeLine } from './records.js';

const NOTHING: readonly RecordedLine[] = [];

/**
 * Turns lines of one tape into those of a recording, in order. Frames carry no prints; what was imported does. A book
 * includes the shares of whoever recorded it. Its time is the venue's where the frame says one, else the receive time.
 * A market is resolved once its outcome is told: a change of status does not tell it, so until then it is closed.
 */
export class MarketData {
  readonly #status = new Map<MarketId, string>();

  of(line: TapeLine): readonly RecordedLine[] {
    if (line.kind === 'recorded') return [line.line];
    if (line.kind !== 'frame') return NOTHING;
    return this.read(frameInput(line.event, line.channel, line.payload), line.at);
  }

  /** @param at time of what does not say its own */
  read(input: FeedInput, at: Micros): readonly RecordedLine[] {
    if (input.kind === 'book') return [bookOf(input)];
    if (input.kind === 'event-status')
      return input.markets.flatMap(({ marketId, status, resolution }) =>
        this.#changed({ at, eventId: input.eventId, marketId }, status, resolution),
      );
    if (input.kind !== 'market-status' || input.marketId === null || input.eventId === null) return NOTHING;
    const place = { at, eventId: input.eventId, marketId: input.marketId };
    if (input.status === undefined) return NOTHING;
    return this.#changed(place, input.status === 'resolved' ? 'paused' : input.status, null);
  }

  #changed(
    place: Pick<RecordedLine, 'at' | 'eventId' | 'marketId'>,
    word: MarketStatus | EventStatus,
    resolution: Resolution | null,
  ): readonly RecordedStatus[] {
    const status = STATUS[word];
    const key = `${status} ${resolution ?? ''}`;
    if (this.#status.get(place.marketId) === key) return [];
    this.#status.set(place.marketId, key);
    return [{ ...place, kind: 'status', status, resolution, inPlay: false }];
  }
}

/** A cancelled market pays back what it cost, as a void one does; `resolution` says so where the venue does. */
const STATUS: Readonly<Record<MarketStatus | EventStatus, RecordedStatus['status']>> = {
  active: 'open',
  open: 'open',
  paused: 'closed',
  stopped: 'closed',
  reversed: 'closed',
  resolved: 'resolved',
  cancelled: 'resolved',
};

const bookOf = ({ venueTime, eventId, marketId, bids, asks }: BookInput): RecordedBook => ({
  kind: 'book',
  at: venueTime,
  eventId,
  marketId,
  bids,
  asks,
});
