/** Records what a venue tells everybody: public channels, and books and events read now and then. No keys. */
import { join, resolve } from 'node:path';
import { eventId, marketId } from '../../domain/ids.js';
import type { FeedInput } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Random } from '../../core/ports/random.js';
import { acquireLock, type Lock } from '../../storage/state/lock-file.js';
import type { BotSettings, SettingsSource, VenueSettings } from '../../settings/index.js';
import {
  type HeadRecord,
  type KeptLines,
  keptOf,
  TAPE_VERSION,
  tapeEndOf,
  TapeWriter,
  type TapeWriteError,
} from '../../storage/index.js';
import { createRedactor } from '../../ops/telemetry/redaction.js';
import { PusherFeed } from '../../venues/futuur/realtime/feed.js';
import type { Outcome } from '../../venues/outcome.js';
import { RestClient } from '../../venues/futuur/rest/rest-client.js';
import { tickUnitsOf } from '../live/engine-options.js';
import { programIdentity } from '../program.js';
import { restRecordOf, venueTimeOf, namedMarketsOf } from './run-recorder.js';
import { type Heard, type RecordingNews, RecordingWatch } from './recording-watch.js';
import { secretsOf, tapeScrub } from '../secrets.js';

export interface ChannelRecorderOptions {
  readonly settings: BotSettings;
  readonly venue: VenueSettings;
  readonly source: SettingsSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly runId: string;
  /** Folder of the tape; one that is there already is gone on with. */
  readonly dir: string;
  /** Nothing is recorded any more. */
  readonly onFault: (error: TapeWriteError) => void;
  /** What the venue does not tell, and that it does again. */
  readonly onNews: (news: RecordingNews) => void;
}

/** What was recorded so far. */
export interface RecordedSoFar {
  readonly lines: number;
  readonly frames: number;
  readonly connection: string;
  /** Where the tape was gone on with: lines of the runs before; 0 for a new tape. */
  readonly before: number;
  readonly heard: Heard;
}

const MIB = 1_048_576;
const MICROS_PER_MS = 1_000;

export class ChannelRecorder {
  private connection = 'connecting';
  private isClosing = false;
  private cancelPoll = (): void => undefined;
  /** What reached a disk that took no more, once nothing is written any more; null: all did. */
  private kept: KeptLines | null = null;

  private constructor(
    private readonly options: ChannelRecorderOptions,
    private readonly tape: TapeWriter,
    private readonly lock: Lock,
    private readonly rest: RestClient,
    private readonly feed: PusherFeed,
    private readonly watch: RecordingWatch,
    private readonly before: number,
  ) {}

  /** @throws LockHeldError when another process records there; TapeError when the tape there is damaged */
  static async start(options: ChannelRecorderOptions): Promise<ChannelRecorder> {
    const { settings, venue, clock, random, runId, dir, onFault } = options;
    const lock = acquireLock(join(dir, 'recording.lock'), `the tape in ${resolve(dir)}`);
    const after = await tapeEndOf(dir);
    // Which program this is takes a moment to find out: the time of the tape begins behind it.
    const head = headOf(options);
    const { flushMs, segmentMiB, bufferMiB } = settings.tape;
    const tape = new TapeWriter({
      dir,
      run: runId,
      clock,
      flushMs,
      segmentBytes: segmentMiB * MIB,
      bufferBytes: bufferMiB * MIB,
      scrub: tapeScrub(createRedactor(secretsOf(settings, null))),
      onFault,
      ...(after !== null && { after }),
    });
    tape.record(head);
    const rest = new RestClient({
      baseUrl: venue.baseUrl,
      credentials: null,
      nested: venue.signing.nested,
      timeoutMs: venue.requestTimeoutMs,
      clock,
      observe: () => undefined,
      onExchange: (exchange) => tape.record(restRecordOf(exchange)),
    });
    const { pollMs } = settings.tape;
    const watch = new RecordingWatch({ now: () => clock.now(), pollMs, tell: options.onNews });
    const feed = new PusherFeed({
      address: venue.realtime,
      events: settings.events.map(({ id }) => eventId(id)),
      account: null,
      clock,
      random: random.fork('reconnects'),
      onFrame: (frame, input) => {
        watch.frame();
        tape.record({ kind: 'frame', venueAt: venueTimeOf(input), ...frame });
      },
    });
    const recorder = new ChannelRecorder(options, tape, lock, rest, feed, watch, after?.n ?? 0);
    recorder.begin();
    return recorder;
  }

  get soFar(): RecordedSoFar {
    const { connection, before, tape, watch } = this;
    const { frames, heard } = watch;
    return { lines: tape.lines - before, frames, ...this.kept, connection, before, heard };
  }

  /** @throws TapeError where the disk took no more and what it took cannot be read */
  async close(): Promise<void> {
    this.isClosing = true;
    this.cancelPoll();
    this.feed.close();
    await this.rest.close();
    const isWhole = this.tape.isRecording;
    await this.tape.close();
    this.lock.release();
    if (!isWhole) this.kept = await keptOf(this.options.dir, this.before);
  }

  private begin(): void {
    const { streams } = this.feed;
    streams.link.subscribe((change) => {
      this.connection = change.state;
      this.told(change);
      this.watch.connection(change);
    });
    streams.subscription.subscribe((change) => {
      this.told(change);
      this.watch.subscription(change);
    });
    // One that names its event was told as a frame already.
    streams.malformed.subscribe((frame) => frame.event === '' && this.told(frame));
    this.feed.connect();
    this.poll();
  }

  private told(input: FeedInput): void {
    this.tape.record({ kind: 'input', input });
  }

  /** Books and events one after the other; every answer is recorded on its way in. */
  private poll(): void {
    const { settings, clock } = this.options;
    void this.readAll();
    const next = (clock.now() + settings.tape.pollMs * MICROS_PER_MS) as Micros;
    this.cancelPoll = clock.at(next, () => this.poll());
  }

  private async readAll(): Promise<void> {
    const { settings } = this.options;
    for (const event of settings.events) {
      await this.read(`event ${event.id}`, this.rest.event(eventId(event.id), tickUnitsOf(settings)));
      for (const { id } of event.markets)
        await this.read(`the book of market ${id}`, this.rest.book(marketId(id), settings.currencyMode));
    }
  }

  /** What closing cuts off is no news. */
  private async read(what: string, asked: Promise<Outcome<unknown>>): Promise<void> {
    const outcome = await asked;
    if (!this.isClosing) this.watch.read(what, outcome);
  }
}

const headOf = ({ settings, venue, runId, source }: ChannelRecorderOptions): HeadRecord => ({
  kind: 'head',
  version: TAPE_VERSION,
  program: programIdentity(),
  run: runId,
  purpose: 'record',
  flushMs: settings.tape.flushMs,
  seed: null,
  configuration: createRedactor(secretsOf(settings, null)).value({
    ...settings,
    venue: { ...venue, publicKey: null, privateKey: null },
  }),
  strategies: [],
  markets: namedMarketsOf(settings),
  sources: [`${venue.name} by ${source.file}`],
});
