/** What watches over the bot of a house: its latches with their files, and sometimes a guard in a process of its own. */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundledVenueOf } from '../../../../src/runs/exchange/exchange.js';
import { clockWindowMsOf } from '../../../../src/runs/live/engine-options.js';
import { Guard, KeyCheck } from '../../../../src/ops/guard/guard.js';
import { tradedMarketsOf } from '../../../../src/ops/guard/guard-venue.js';
import type { GuardNews } from '../../../../src/ops/guard/guard-news.js';
import { clearFence } from '../../../../src/ops/guard/resume.js';
import { Latches } from '../../../../src/ops/state/latches.js';
import { startPulse } from '../../../../src/runs/live/account-files.js';
import { accountPaths, type StatePaths } from '../../../../src/ops/state/account-folder.js';
import { accountId } from '../../../../src/domain/ids.js';
import { workIn } from '../../../../src/core/execution/orders/left-behind.js';
import type { Heartbeat } from '../../../../src/storage/state/heartbeat-file.js';
import { LatchFile } from '../../../../src/storage/state/latch-file.js';
import { makeFolder } from '../../../../src/storage/files/whole-files.js';
import type { BotSettings } from '../../../../src/settings/index.js';
import { RestClient } from '../../../../src/venues/futuur/rest/rest-client.js';
import { SILENT } from '../../process/silent-logger.js';
import type { Machine } from '../host.js';
import { type SimulatedBot, wireOptionsOf } from '../simulated-bot.js';
import { GUARD } from '../venue-record.js';
import { MAKER, type World } from '../world.js';
import type { House } from './house.js';

export interface Watching {
  /** How long a heartbeat may be silent; null: there is no guard. */
  readonly silenceMs: number | null;
  /** How long a person looks at what the guard proved before he clears its fence. */
  readonly clearsAfterMs: number;
}

export interface WatchParts extends Watching {
  readonly world: World;
  readonly house: House;
  readonly machine: Machine;
  /** Of this life alone. */
  readonly folder: string;
}

const ADDRESS = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };

export class Watch {
  /** How often the guard did something. */
  readonly happened = new Map<string, number>();
  readonly #parts: WatchParts;
  readonly #settings: BotSettings;
  readonly #paths: StatePaths;
  readonly #fence: LatchFile;
  readonly #kill: LatchFile;
  readonly #over = new AbortController();
  #latches: Latches | null = null;
  #stopPulse = (): void => undefined;

  constructor(parts: WatchParts) {
    const { world, house, folder } = parts;
    const venue = bundledVenueOf(world.exchangeSettings, ADDRESS);
    const settings = { ...house.bot(world.botSettings), stateDir: folder, venue };
    this.#parts = parts;
    this.#settings = settings;
    // Nobody else has files of this user.
    this.#paths = { ...accountPaths(settings, venue, accountId(MAKER)), killCopy: null };
    this.#fence = new LatchFile(this.#paths.fence);
    this.#kill = new LatchFile(this.#paths.kill);
    // What an earlier life left here counts for nothing.
    rmSync(folder, { recursive: true, force: true });
    makeFolder(dirname(this.#paths.fence));
    const { silenceMs } = parts;
    if (silenceMs === null) return;
    const { clock } = parts.machine.host();
    const rest = this.#restOf(venue);
    const tell = (news: GuardNews): void => this.#told(news);
    const guard = new Guard({
      paths: this.#paths,
      silenceMs,
      windowMs: clockWindowMsOf(venue),
      markets: tradedMarketsOf(settings),
      rest,
      keys: new KeyCheck({ rest, budget: { isScarce: false }, clock, tell }),
      clock,
      work: () => workIn(world.journal.recovered(), rest.wire.venueAhead),
      tell,
    });
    void guard.run(this.#over.signal);
  }

  /** No bot starts behind a fence. */
  get isFenced(): boolean {
    return this.#fence.isUp;
  }

  /** Why no order may leave; null: it may. */
  objection(): 'fenced' | 'killed' | null {
    return this.#latches?.objection() ?? null;
  }

  /** A bot begins, and its heart beats from now on. */
  begin(bot: SimulatedBot): void {
    this.#stopPulse();
    const { clock } = bot.host;
    const latches = new Latches({
      paths: this.#paths,
      clock,
      logger: SILENT,
      killed: () => bot.engine.killed,
      kill: (reason) => bot.loop.command({ kind: 'command', command: 'kill', reason }),
      resume: () => bot.loop.command({ kind: 'command', command: 'resume' }),
      release: () => bot.loop.command({ kind: 'command', command: 'release' }),
    });
    this.#latches = latches;
    latches.review();
    let beat = 0;
    const beats = (): void => {
      if (bot.end === null) latches.review();
      else this.#stopPulse();
      this.#beat(bot, ++beat);
    };
    this.#stopPulse = startPulse(clock, beats);
    this.#beat(bot, ++beat);
  }

  /** A person pulls the kill switch. */
  pull(): void {
    const { record } = this.#parts.world;
    record.note({ kind: 'kill-switch', isOn: true });
    this.#latches?.latch('a person');
  }

  /** A person lets the bot go on, whichever runs. @returns false while a fence stands */
  letGo(bot: SimulatedBot | null): boolean {
    if (this.isFenced) return false;
    this.#parts.world.record.note({ kind: 'kill-switch', isOn: false });
    if (bot !== null && bot.end === null) return this.#latches?.clear() ?? true;
    this.#kill.clear();
    return true;
  }

  close(): void {
    this.#over.abort();
    this.#stopPulse();
  }

  #beat({ runId, end }: SimulatedBot, beat: number): void {
    const ended = end?.outcome ?? null;
    const heartbeat: Heartbeat = {
      pid: process.pid,
      identity: '',
      host: 'the simulation',
      runId,
      account: String(MAKER),
      beat,
      ended,
    };
    writeFileSync(this.#paths.heartbeat, JSON.stringify(heartbeat));
  }

  #told({ kind, ...news }: GuardNews): void {
    const { world, clearsAfterMs } = this.#parts;
    if (kind === 'fence-raised' || kind === 'proved')
      this.happened.set(kind, (this.happened.get(kind) ?? 0) + 1);
    if (kind === 'fence-raised') world.record.note({ kind: 'fence', isUp: true });
    if (kind !== 'proved') return;
    const leavesDoubt = 'leavesDoubt' in news && news.leavesDoubt;
    world.record.note({ kind: 'guard-proved', leavesDoubt });
    world.network.after(clearsAfterMs, () => {
      const became = clearFence(this.#settings, 'the house');
      if (became === 'cleared') world.record.note({ kind: 'fence', isUp: false });
    });
  }

  #restOf(venue: ReturnType<typeof bundledVenueOf>): RestClient {
    const { world, machine } = this.#parts;
    const host = machine.host();
    return new RestClient(wireOptionsOf(venue, host.clock, world.transport.from({ host, run: GUARD })));
  }
}
