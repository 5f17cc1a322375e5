/** One run of the bot in virtual time: the real engine, gateway and client; only sockets, files and clock are doubles. */
import { claimsJournal } from '../../../src/app/claims-journal.js';
import { engineOptionsOf, tickUnitsOf } from '../../../src/app/engine-options.js';
import type { EndEffect, NoticeEffect } from '../../../src/domain/effects.js';
import { accountId, eventId } from '../../../src/domain/ids.js';
import type { FeedInput, Stamped } from '../../../src/domain/inputs.js';
import { Engine } from '../../../src/engine/engine.js';
import { EngineLoop } from '../../../src/engine/loop.js';
import type { EngineObserver } from '../../../src/engine/observing/observer.js';
import { severalObservers } from '../../../src/engine/observing/several-observers.js';
import type { EngineOptions } from '../../../src/engine/options.js';
import type { EngineView } from '../../../src/engine/observing/view.js';
import { idempotencyKey } from '../../../src/execution/sending/keys.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Random } from '../../../src/ports/random.js';
import type { BotSettings, SettingsSource, VenueSettings } from '../../../src/settings/index.js';
import { VenueGateway } from '../../../src/venue/gateway.js';
import { mayCreate } from '../../../src/venue/requests.js';
import type { RawFrame } from '../../../src/venue/realtime/feed.js';
import type { Transport } from '../../../src/venue/rest/transport.js';
import { Wire, type WireOptions } from '../../../src/venue/rest/wire.js';
import type { MemoryJournal } from '../memory-journal.js';
import type { Host } from './host.js';
import type { Network } from './network.js';
import type { Seam } from './seam.js';
import type { VenueRecord } from './venue-record.js';
import { VirtualFeed } from './virtual-feed.js';
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
  readonly transport: VirtualTransport;
  readonly journal: MemoryJournal;
  readonly seam: Seam;
  /** Last changes to what the engine is made of. */
  readonly change: (options: EngineOptions) => EngineOptions;
  readonly observer: EngineObserver | null;
  readonly onFrame: (frame: RawFrame, input: FeedInput) => void;
  /** Why no order may leave, whatever the engine says; null: it may. */
  readonly objection: () => string | null;
}

export class SimulatedBot {
  readonly notices: NoticeEffect[] = [];
  readonly inputs: Stamped[] = [];
  readonly faults: Error[] = [];
  end: EndEffect | null = null;
  broken: unknown = null;

  private constructor(
    readonly engine: Engine,
    readonly loop: EngineLoop,
    readonly feed: VirtualFeed,
    private readonly options: SimulatedBotOptions,
  ) {}

  get host(): Host {
    return this.options.host;
  }

  get runId(): string {
    return this.options.runId;
  }

  static async start(options: SimulatedBotOptions): Promise<SimulatedBot> {
    const { settings, host, journal, runId } = options;
    const { clock } = host;
    const engineOptions = await engineOptionsOf({ ...options, random: options.random.fork('engine') });
    const engine = new Engine(
      options.seam.options(
        options.change({
          ...engineOptions,
          recovered: journal.recovered(),
          venueAhead: venueAheadOf(clock, options.record),
        }),
      ),
      clock.now(),
      severalObservers([
        claimsJournal((record) => gateway.note(record)),
        ...(options.observer === null ? [] : [options.observer]),
      ]),
    );
    const feed = feedOf(options);
    journal.append({ kind: 'run', runId, at: clock.now(), configHash: '' });
    const wire = wireOf(options);
    const gateway = new VenueGateway({
      wire: options.seam.wire(wire),
      clock,
      journal,
      terms: {
        mode: settings.currencyMode,
        tickUnitsOf: tickUnitsOf(settings),
        eventsWithDisabled: () => engine.eventsWithDisabled(),
        missedBy: (shown, begunAt) => engine.missedBy(shown, begunAt),
      },
      keyOf: options.seam.keys((requestId) => idempotencyKey(runId, requestId)),
      lastCheck: (effect) => {
        const latched = mayCreate(effect.request) ? options.objection() : null;
        const objection = latched ?? engine.objectionTo(effect);
        return objection === null ? 'send' : { drop: objection };
      },
      venueAhead: () => wire.venueAhead,
      canDate: (sentAt) => wire.canDate(sentAt),
      onFault: (error) => bot.faults.push(error),
    });
    options.seam.engine(engine);
    const bot: SimulatedBot = new SimulatedBot(
      engine,
      new EngineLoop({
        engine: noting(engine, (input) => bot.inputs.push(input)),
        clock,
        feed,
        gateway,
        onNotice: (notice) => bot.#notice(notice),
        onEnd: (end) => bot.#ended(end),
        onBroken: (error) => (bot.broken = error),
      }),
      feed,
      options,
    );
    options.record.note({ kind: 'run-started', run: runId });
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

const feedOf = (options: SimulatedBotOptions): VirtualFeed => {
  const { runId, host, network, record, settings, account, onFrame } = options;
  return new VirtualFeed({
    run: runId,
    host,
    network,
    record,
    events: settings.events.map(({ id }) => eventId(id)),
    account: accountId(account),
    onFrame,
  });
};

const wireOf = ({ venue, host, transport, runId }: SimulatedBotOptions): Wire =>
  new Wire(wireOptionsOf(venue, host.clock, transport.from({ host, run: runId })));

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

/** The engine, and every input of it told. */
const noting = (engine: Engine, note: (input: Stamped) => void): Engine =>
  ({
    step: (...asked: Parameters<Engine['step']>) => {
      note(asked[0]);
      return engine.step(...asked);
    },
  }) as Engine;
