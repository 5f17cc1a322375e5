/** What the importers of all venues share: options, the place in the source, counts, and the files they make. */
import { RecordingError } from '../storage/tape/tape-files.js';
import { type EventAbout, EventFile, type Importing, type LineSink } from './event-file.js';
import type { Counted, ImportOptions } from './import-options.js';
import type { MarketRecords } from './market-records.js';

/** A file of a venue, frame by frame. One for each import: what it knows lasts from file to file. */
export interface VenueFold {
  /**
   * @param received Unix milliseconds at which the recorder had it; null: not stated
   * @throws RecordingError
   */
  take(frame: unknown, received: number | null): void;
  /** After the last frame of the last file. @throws RecordingError */
  end(): void;
}

export class Session implements Importing {
  readonly counts: Partial<Record<Counted, number>> = {};
  /** Frames of unknown kinds, by kind. */
  readonly unknown: Record<string, number> = {};
  /** Remarks, as sentences for people. */
  readonly notes = new Set<string>();
  readonly events = new Map<string, EventFile>();
  /** Ids of markets and events, wanted or not. */
  private readonly met = new Set<string>();
  /** Path and line of the frame at hand. */
  file = '';
  line = 0;
  frames = 0;

  constructor(
    readonly options: ImportOptions,
    readonly records: MarketRecords,
    private readonly sink: (name: string) => LineSink,
  ) {}

  count(what: Counted, times = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  }

  unknownFrame(kind: string): void {
    this.count('unknownFrames');
    this.unknown[kind] = (this.unknown[kind] ?? 0) + 1;
  }

  /** @throws RecordingError at the frame at hand */
  refuse(text: string): never {
    throw new RecordingError(this.file, this.line, text);
  }

  /** The neutral file of an event, made at its first frame. */
  event(name: string, about: () => EventAbout): EventFile {
    let event = this.events.get(name);
    if (event === undefined) {
      event = new EventFile(name, about(), this, this.sink(name));
      this.events.set(name, event);
    }
    return event;
  }

  /** What `--market` and `--event` name and no frame has. */
  unmet(): readonly string[] {
    const { markets, events } = this.options;
    const named = [...markets.map((id) => ['market', id]), ...events.map((id) => ['event', id])];
    return named
      .filter(([, id]) => !this.met.has(id!))
      .map(([option, id]) => `--${option} ${id}: no recording has it`);
  }

  wants(market: string, event: string | null): boolean {
    const { markets, events } = this.options;
    this.met.add(market);
    if (event !== null) this.met.add(event);
    return (
      (markets.length === 0 || markets.includes(market)) &&
      (events.length === 0 || (event !== null && events.includes(event)))
    );
  }
}
