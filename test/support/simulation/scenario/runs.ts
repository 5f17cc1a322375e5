/** The processes of the bot in a house, one after the other: they begin, are stopped, killed, frozen, and begin again. */
import { JournalError } from '../../../../src/core/ports/journal.js';
import { type Lock, LockHeldError } from '../../../../src/storage/state/lock-file.js';
import type { Edition } from '../edition.js';
import type { Machine } from '../host.js';
import type { Seam } from '../seam.js';
import type { SimulatedBot } from '../simulated-bot.js';
import { type HouseWorld, MAKER } from '../world.js';
import restless from '../../strategies/restless.js';
import type { Disk } from './disk.js';
import type { House } from './house.js';
import type { Watch } from './watch.js';

export interface RunsParts {
  readonly world: HouseWorld;
  readonly house: House;
  readonly machine: Machine;
  readonly seam: Seam;
  readonly disk: Disk;
  /** null: nobody watches, and nothing latches beyond the process. */
  readonly watch: Watch | null;
  readonly edition: Edition;
}

const RESTART_MS = 500;
/** Of {@link restless}. */
const SOOTHED = { patienceMs: 86_400_000 };

export class Runs {
  kills = 0;
  /** What no process may do, whatever befalls it. */
  readonly broken: string[] = [];
  readonly #parts: RunsParts;
  #latest: SimulatedBot | null = null;
  #lock: Lock | null = null;
  #isCalm = false;
  /** Something keeps a bot from beginning. */
  #isWaiting = false;
  #pending: Promise<void> = Promise.resolve();

  constructor(parts: RunsParts) {
    this.#parts = parts;
  }

  /** null while there is none. */
  get latest(): SimulatedBot | null {
    return this.#latest;
  }

  /** Whoever was to begin has. */
  get settled(): Promise<void> {
    return this.#pending;
  }

  /** The guard waits for orders in processing, which nobody can cancel, in a market that stays paused. */
  get isFencedForGood(): boolean {
    const { watch, world } = this.#parts;
    const { results } = world.venue.exchange.orders(MAKER, { status: 'processing', limit: 1, offset: 0 });
    return watch?.isFenced === true && results.length > 0;
  }

  begin(): void {
    const { world, house, machine, seam, disk, watch, edition } = this.#parts;
    if (this.#latest !== null && this.#latest.end === null) return;
    // No bot starts that cannot write down what it sends, or behind a fence.
    if (world.journal.isFull || watch?.isFenced === true) return this.#beginLater();
    this.#lock?.release();
    this.#lock = disk.lock();
    const host = machine.host();
    const settings = house.bot(world.botSettings);
    const windows = disk.windows(settings, host.clock);
    const kept = disk.kept();
    this.#pending = world
      .start({
        settings: house.bot,
        host,
        seam,
        observer: windows,
        objection: () => watch?.objection() ?? null,
        edition,
        engine: (options) => ({
          ...house.engine(options),
          ...kept,
          windows: { ...windows.found, sent: world.journal.sent },
        }),
      })
      .then((bot) => this.#began(bot, kept));
  }

  /** Whoever asks for it meanwhile: one begins. */
  #beginLater(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#later(RESTART_MS, () => {
      this.#isWaiting = false;
      this.begin();
    });
  }

  #began(bot: SimulatedBot, kept: ReturnType<Disk['kept']>): void {
    this.#latest = bot;
    this.#parts.disk.keep(bot, kept);
    this.#parts.watch?.begin(bot);
    if (this.#isCalm) this.#soothe();
  }

  /** Nobody changes his mind any more. */
  #soothe(): void {
    const bot = this.#latest;
    if (bot === null || bot.end !== null) return;
    for (const { name: instance, strategy } of bot.view.instances)
      if (strategy === restless.name)
        bot.loop.command({
          kind: 'command',
          command: 'configure',
          by: 'the scenario',
          events: [],
          instances: [{ instance, params: SOOTHED, modifiers: [] }],
          leaving: [],
        });
  }

  kill(againAfterMs: number): void {
    if (this.#latest === null) return;
    this.kills += 1;
    this.#note(this.#latest);
    this.#latest.kill();
    this.#latest = null;
    this.#later(againAfterMs, () => this.begin());
  }

  stop(): void {
    const bot = this.#latest;
    if (bot === null) return;
    bot.stop();
    const look = (): void => {
      if (this.#latest !== bot) return;
      if (bot.end === null) return this.#later(RESTART_MS, look);
      this.#note(bot);
      this.#latest = null;
      this.begin();
    };
    this.#later(RESTART_MS, look);
  }

  freeze(forMs: number): void {
    const bot = this.#latest;
    if (bot === null) return;
    const { record } = this.#parts.world;
    record.note({ kind: 'frozen', run: bot.runId });
    bot.host.freeze();
    this.#later(forMs, () => {
      record.note({ kind: 'thawed', run: bot.runId });
      bot.host.thaw();
    });
  }

  /** The lock of account and scope is what keeps a second instance from trading. */
  startTwice(): void {
    if (this.#latest === null || this.#latest.end !== null) return;
    try {
      this.#parts.disk.lock().release();
      this.broken.push('a second instance took the lock of a running one');
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
    }
  }

  /** A person pulls the kill switch, and lets the bot go on after a while. */
  pullSwitch(forMs: number): void {
    const { watch } = this.#parts;
    const bot = this.#latest;
    if (watch === null || bot === null || bot.end !== null || bot.host.isFrozen) return;
    watch.pull();
    const letGo = (): void => {
      if (!watch.letGo(this.#latest)) this.#later(RESTART_MS, letGo);
    };
    this.#later(forMs, letGo);
  }

  /** Nothing befalls it any more: one runs, and nobody changes his mind. */
  async calm(): Promise<void> {
    this.#isCalm = true;
    this.#latest?.host.thaw();
    if (this.#latest === null) this.begin();
    await this.#pending;
    this.#soothe();
  }

  close(): void {
    this.#note(this.#latest);
    this.#latest?.kill();
    this.#lock?.release();
    this.#parts.disk.close();
    this.#parts.watch?.close();
  }

  #note(bot: SimulatedBot | null): void {
    if (bot === null) return;
    if (bot.broken !== null)
      this.broken.push(`the bot broke: ${bot.broken instanceof Error ? bot.broken.message : 'no error'}`);
    // That there is no room it has to say.
    for (const fault of bot.faults)
      if (!(fault instanceof JournalError)) this.broken.push(`a fault of the gateway: ${fault.message}`);
  }

  #later(ms: number, act: () => void): void {
    this.#parts.world.network.after(ms, act);
  }
}
