/** Records what a venue tells everybody: public channels, and books and events read now and then. No keys. */
import { join, resolve } from 'node:path';
import { eventId, marketId } from '../../domain/ids.js';
import type { FeedInput, LinkInput, SubscriptionInput } from '../../domain/inputs.js';
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
import { secretsOf, tapeScrub } from '../secrets.js';
import type { RequestFailure } from '../../domain/answers.js';

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

/** What a person should know of a recording while it goes on. */
export interface RecordingNews {
  readonly kind: 'lost' | 'back' | 'refused' | 'unreadable' | 'readable';
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
}

interface RecordingWatchOptions {
  readonly now: () => Micros;
  readonly pollMs: number;
  readonly tell: (news: RecordingNews) => void;
}

/** Why something cannot be read; `of` is null where that may be everything. */
interface Problem {
  readonly text: string;
  readonly of: string | null;
}

/** Whether the venue told anything, and what kept it. */
export type Heard = 'something' | 'only refusals' | 'nothing';

/** Looks at what a recorder hears and misses: what is missing is told at once, and again when it is back. */
export class RecordingWatch {
  #wasConnected = false;
  #lostAt: Micros | null = null;
  readonly #refusedChannels = new Set<string>();
  /** Of what could not be read, why. */
  readonly #failing = new Map<string, string>();
  /** Since when each of these reasons stands, until what suffers from it can be read. */
  readonly #standing = new Map<string, Problem & { readonly since: Micros }>();
  readonly #startedAt: Micros;
  #frames = 0;
  #reads = 0;
  #refusals = 0;

  constructor(private readonly options: RecordingWatchOptions) {
    this.#startedAt = options.now();
  }

  get frames(): number {
    return this.#frames;
  }

  get heard(): Heard {
    if (this.#frames + this.#reads > 0) return 'something';
    return this.#refusals > 0 ? 'only refusals' : 'nothing';
  }

  frame(): void {
    this.#frames += 1;
  }

  connection({ state, reason }: LinkInput): void {
    if (state === 'connected') this.#connected();
    else if (state === 'refused') this.#tell('refused', 'error', `${reason}; no frame is recorded any more`);
    else this.#lost(reason);
  }

  subscription({ channel, state, reason }: SubscriptionInput): void {
    if (state === 'subscribed') {
      if (this.#refusedChannels.delete(channel)) this.#tell('back', 'info', `${channel} is joined now`);
    } else if (!this.#refusedChannels.has(channel)) {
      this.#refusedChannels.add(channel);
      this.#tell('lost', 'warn', `${channel} may not be joined (${reason}); it is tried again and again`);
    }
  }

  /** @param what was asked for, such as `event 874` */
  read(what: string, outcome: Outcome<unknown>): void {
    if (outcome.ok) this.#wasRead(what);
    else this.#wasNotRead(what, outcome.failure);
  }

  #connected(): void {
    const since = this.#lostAt;
    if (since !== null) {
      const text = this.#wasConnected
        ? `the realtime connection is back, ${this.#longSince(since)} after it was lost`
        : `the realtime connection stands, ${this.#longSince(since)} after the start`;
      this.#tell('back', 'info', text);
    }
    this.#wasConnected = true;
    this.#lostAt = null;
  }

  #lost(reason: string): void {
    this.#lostAt ??= this.#wasConnected ? this.options.now() : this.#startedAt;
    const text = this.#wasConnected
      ? `the realtime connection is lost (${reason}); no frame is recorded until it is back`
      : `the realtime service cannot be reached (${reason}); it is tried again and again`;
    this.#tell('lost', 'warn', text);
  }

  #wasRead(what: string): void {
    this.#reads += 1;
    this.#failing.delete(what);
    for (const { text, of, since } of this.#standing.values()) {
      if (of === null ? this.#isSuffered(text) : of !== what) continue;
      this.#standing.delete(text);
      this.#tell('readable', 'info', `over after ${this.#longSince(since)}: ${text}`);
    }
  }

  #isSuffered(problem: string): boolean {
    for (const text of this.#failing.values()) if (text === problem) return true;
    return false;
  }

  #wasNotRead(what: string, failure: RequestFailure): void {
    if (failure.kind === 'refused') this.#refusals += 1;
    const problem = problemOf(what, failure);
    this.#failing.set(what, problem.text);
    if (this.#standing.has(problem.text)) return;
    this.#standing.set(problem.text, { ...problem, since: this.options.now() });
    const again = `it is asked again every ${this.options.pollMs / 1_000} s`;
    this.#tell('unreadable', 'warn', `${problem.text}; ${again}`);
  }

  #longSince(since: Micros): string {
    return `${((this.options.now() - since) / 1_000_000).toFixed(1)} s`;
  }

  #tell(kind: RecordingNews['kind'], level: RecordingNews['level'], text: string): void {
    this.options.tell({ kind, level, text });
  }
}

/** A refusal is about what was asked for; anything else, silence asked for included, is about the venue, and told once. */
function problemOf(what: string, failure: RequestFailure): Problem {
  if (failure.kind !== 'refused') return { text: `the venue cannot be read (${failure.reason})`, of: null };
  const { status, code, detail } = failure;
  if (status === TOO_MANY_REQUESTS) return { text: `the venue turns requests away (${status})`, of: null };
  return { text: `${what} cannot be read (${status} ${code}: ${detail})`, of: what };
}

const TOO_MANY_REQUESTS = 429;
