/** One run of the bot in virtual time, put together as every bot is; only sockets, files and clock are doubles. */
import { assemble } from '../../../src/runs/live/assembly.js';
import { openFeed } from '../../../src/runs/live/connections.js';
import { engineOptionsOf } from '../../../src/runs/live/engine-options.js';
import { Reloading, type Wanted } from '../../../src/runs/live/reload.js';
import { Listening } from '../../../src/runs/live/reselection.js';
import type { EndEffect, NoticeEffect } from '../../../src/domain/effects.js';
import { accountId, eventId } from '../../../src/domain/ids.js';
import type { Stamped } from '../../../src/domain/inputs.js';
import type { Engine } from '../../../src/core/engine/engine.js';
import type { EngineLoop } from '../../../src/core/engine/loop.js';
import type { EngineObserver } from '../../../src/core/engine/observing/observer.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import type { EngineView } from '../../../src/core/engine/observing/view.js';
import type { Clock } from '../../../src/core/ports/clock.js';
import type { Feed, VenueClient, VenueProfile } from '../../../src/venues/port.js';
import type { Random } from '../../../src/core/ports/random.js';
import {
  eventChannel,
  GLOBAL_CHANNEL,
  userChannel,
} from '../../../src/venues/futuur/protocol/realtime/channels.js';
import type { BotSettings, SettingsSource, VenueSettings } from '../../../src/settings/index.js';
import type { OpenLink, FrameObserver } from '../../../src/venues/futuur/realtime/feed.js';
import { clientOf } from '../../../src/venues/futuur/requests.js';
import { RestClient } from '../../../src/venues/futuur/rest/rest-client.js';
import type { Transport } from '../../../src/venues/futuur/rest/transport.js';
import type { Wire, WireOptions } from '../../../src/venues/futuur/rest/wire.js';
import type { MemoryJournal } from '../disk/memory-journal.js';
import { EarlierFeed } from './earlier-feed.js';
import type { Edition } from './edition.js';
import type { Host } from './host.js';
import type { Network } from './network.js';
import type { Seam } from './seam.js';
import type { VenueRecord } from './venue-record.js';
import { VirtualLine } from './virtual-line.js';
import { VirtualLink } from './virtual-link.js';
import type { VirtualTransport } from './virtual-transport.js';

export interface SimulatedBotOptions {
  readonly settings: BotSettings;
  readonly source: SettingsSource;
  readonly venue: VenueSettings;
  readonly account: number;
  readonly runId: string;
  readonly host: Host;
  readonly random: Random;
  readonly network: Network;
  readonly record: VenueRecord;
  /** Of Futuur's bots; left out where `edges` are given. */
  readonly transport?: VirtualTransport;
  /** How a bot of another venue is connected. */
  readonly edges?: (run: Pick<SimulatedBotOptions, 'runId' | 'host' | 'settings'>) => BotEdges;
  readonly profile?: VenueProfile;
  readonly journal: MemoryJournal;
  readonly seam: Seam;
  /** Last changes to what the engine is made of. */
  readonly change: (options: EngineOptions) => EngineOptions;
  readonly observer: EngineObserver | null;
  readonly onFrame: FrameObserver;
  /** Why no order may leave, whatever the engine says; null: it may. */
  readonly objection: () => string | null;
  readonly edition: Edition;
}

/** What a bot trades over, and the socket that a simulation can cut. */
export interface BotEdges {
  readonly feed: Feed;
  readonly client: VenueClient;
  readonly line: Pick<VirtualLine, 'lose'>;
}

export class SimulatedBot {
  readonly notices: NoticeEffect[] = [];
  readonly inputs: Stamped[] = [];
  readonly faults: Error[] = [];
  readonly engine: Engine;
  readonly loop: EngineLoop;
  readonly reloading: Reloading;
  readonly listening: Listening;
  /** Its file, where it is told to read it. */
  onDisk: () => Promise<Wanted> = () => Promise.reject(new Error('a simulated bot has no file'));
  /** What its feed hears over. */
  readonly line: VirtualLine;
  end: EndEffect | null = null;
  broken: unknown = null;

  private constructor(
    private readonly options: SimulatedBotOptions,
    engine: EngineOptions,
  ) {
    const { settings, host, journal, seam, change, observer, objection, random } = options;
    const made = seam.options(change(engine));
    const { clock } = host;
    const { feed, client, line } = options.edges?.(options) ?? futuurEdges(options);
    this.line = line as VirtualLine;
    const inputs = { took: (input: Stamped) => void this.inputs.push(input) };
    const assembly = assemble({
      clock,
      feed,
      client,
      journal,
      settings,
      engine: made,
      startedAt: clock.now(),
      observers: [inputs, ...(observer === null ? [] : [observer])],
      latched: objection,
      onFault: (error) => void this.faults.push(error),
      onNotice: (notice) => this.#notice(notice),
      onEnd: (end) => this.#ended(end),
      onBroken: (error) => (this.broken = error),
    });
    this.engine = assembly.engine;
    this.loop = assembly.loop;
    const inUse = () => this.reloading.inUse;
    this.listening = new Listening({ clock, feed, inUse, view: () => this.view });
    this.reloading = new Reloading({
      ...options,
      stated: options,
      chosen: null,
      random: random.fork('reload'),
      logger: { info: () => undefined, warn: () => undefined },
      engine: this.engine,
      made,
      load: () => this.onDisk(),
      command: (command) => this.loop.command(command),
      joins: () => undefined,
      follow: () => this.listening.changed(),
    });
  }

  /** Takes over other settings while it runs, as a bot on the wire does. */
  configure(settings: BotSettings): ReturnType<Reloading['configure']> {
    return this.reloading.configure(this.wanted(settings), 'the test');
  }

  wanted(settings: BotSettings): Wanted {
    const { source } = this.options;
    return { settings, source, stated: { settings, source }, chosen: null };
  }

  get host(): Host {
    return this.options.host;
  }

  get runId(): string {
    return this.options.runId;
  }

  static async start(options: SimulatedBotOptions): Promise<SimulatedBot> {
    const { clock } = options.host;
    const engineOptions = await engineOptionsOf({ ...options, random: options.random.fork('engine') });
    const bot = new SimulatedBot(options, {
      ...engineOptions,
      recovered: options.journal.recovered(),
      venueAhead: venueAheadOf(clock, options.record),
    });
    options.seam.engine(bot.engine);
    options.record.note({ kind: 'run-started', run: options.runId });
    bot.loop.start();
    return bot;
  }

  get view(): EngineView {
    return this.engine.view();
  }

  stop(): void {
    this.loop.command({ kind: 'command', command: 'stop', reason: 'the test' });
  }

  /** Ends without a word to the venue, as a process that is killed. */
  kill(): void {
    this.host.kill();
    this.loop.close();
    this.options.record.note({ kind: 'run-ended', run: this.runId, outcome: null });
  }

  #notice(notice: NoticeEffect): void {
    this.notices.push(notice);
    const { code } = notice;
    if (code.startsWith('alarm-')) this.options.record.note({ kind: 'alarm', run: this.runId, code });
  }

  #ended(end: EndEffect): void {
    this.end = end;
    const { journal, host } = this.options;
    if (!journal.isFull) journal.append({ kind: 'end', at: host.clock.now(), outcome: end.outcome });
    this.options.record.note({ kind: 'run-ended', run: this.runId, outcome: end.outcome });
  }

  /** Codes of the notices, each once, in order of appearance. */
  get noticeCodes(): readonly string[] {
    return [...new Set(this.notices.map(({ code }) => code))];
  }
}

function futuurEdges(options: SimulatedBotOptions): BotEdges {
  const rest = restOf(options);
  const line = new VirtualLine({ ...options, run: options.runId });
  return { line, feed: feedOf(options, line, rest), client: clientOf(wireOf(rest.wire, options.seam)) };
}

function feedOf(options: SimulatedBotOptions, line: VirtualLine, rest: RestClient): Feed {
  const { host, network, settings, venue, random, onFrame, edition } = options;
  const id = accountId(options.account);
  if (edition > 6) {
    const open: OpenLink = (link) => new VirtualLink({ line, host, network }, link);
    return openFeed({ settings, venue, random, clock: host.clock }, { rest, account: id, onFrame, open });
  }
  const channels = [GLOBAL_CHANNEL, ...settings.events.map((event) => eventChannel(eventId(event.id)))];
  const feelsStandstill = edition > 5;
  return new EarlierFeed({
    line,
    host,
    network,
    channels: [...channels, userChannel(id)],
    onFrame,
    feelsStandstill,
  });
}

const restOf = ({ venue, host, transport, runId }: SimulatedBotOptions): RestClient =>
  new RestClient(wireOptionsOf(venue, host.clock, transport!.from({ host, run: runId })));

/** What the seam changes are calls; how the venue's clock is known stays as it is. */
function wireOf(wire: Wire, seam: Seam): Parameters<typeof clientOf>[0] {
  const changed = seam.wire(wire);
  return {
    call: (call, sending) => changed.call(call, sending),
    canDate: (sentAt) => wire.canDate(sentAt),
    get venueAhead() {
      return wire.venueAhead;
    },
  };
}

/** What makes calls for the account of the bot, whoever makes them. */
export const wireOptionsOf = (venue: VenueSettings, clock: Clock, transport: Transport): WireOptions => ({
  baseUrl: venue.baseUrl,
  credentials: { publicKey: venue.publicKey, privateKey: venue.privateKey },
  nested: venue.signing.nested,
  timeoutMs: venue.requestTimeoutMs,
  clock,
  observe: () => undefined,
  transport,
});

/** What the answer that tells whose keys these are says of the venue's clock; a small difference it leaves out. */
function venueAheadOf(clock: Clock, record: Pick<VenueRecord, 'now'>): number {
  const ahead = record.now() - clock.now();
  return Math.abs(ahead) > 2_000_000 ? ahead : 0;
}
