/** Lets a story happen to a world. */
import { eventId, marketId } from '../../../../src/domain/ids.js';
import type { Micros, Money } from '../../../../src/domain/units.js';
import { JournalError } from '../../../../src/ports/journal.js';
import { type Lock, LockHeldError } from '../../../../src/runtime/lock-file.js';
import { CALM } from '../network.js';
import type { Machine } from '../host.js';
import type { Seam } from '../seam.js';
import type { SimulatedBot } from '../simulated-bot.js';
import type { Cause } from '../venue-record.js';
import { MAKER, type World } from '../world.js';
import restless from '../../strategies/restless.js';
import type { Disk } from './disk.js';
import type { HandHappening, Happening } from './happening.js';
import type { House } from './house.js';
import { turningAway } from './misbehaviour.js';
import { Person } from './person.js';
import type { Watch } from './watch.js';
import type { FaultRule } from '../../../../src/fills/faults.js';

export interface DirectorParts {
  readonly world: World;
  readonly house: House;
  readonly machine: Machine;
  readonly seam: Seam;
  readonly seed: number;
  readonly disk: Disk;
  /** null: nobody watches, and nothing latches beyond the process. */
  readonly watch: Watch | null;
}

const OTHERS: Cause = { by: 'others' };
const RESTART_MS = 500;
/** Of {@link restless}. */
const SOOTHED = { patienceMs: 86_400_000 };

export class Director {
  /** How often the bot was killed, and how often two of it were tried. */
  kills = 0;
  readonly happened = new Map<string, number>();
  readonly broken: string[] = [];
  readonly #parts: DirectorParts;
  readonly #person: Person;
  #bot: SimulatedBot | null = null;
  #rules: readonly FaultRule[] = [];
  #lock: Lock | null = null;
  #isCalm = false;
  /** Something keeps a bot from beginning. */
  #isWaiting = false;
  #pending: Promise<void> = Promise.resolve();

  constructor(parts: DirectorParts) {
    this.#parts = parts;
    this.#person = new Person(parts.world, parts.house.shared);
  }

  /** The latest run; null while there is none. */
  get bot(): SimulatedBot | null {
    return this.#bot;
  }

  async perform(happening: Happening): Promise<void> {
    this.happened.set(happening.kind, (this.happened.get(happening.kind) ?? 0) + 1);
    const act = this.#acts[happening.kind] as (happening: Happening) => void;
    act(happening);
    await this.#pending;
  }

  async start(): Promise<void> {
    this.#begin();
    await this.#pending;
  }

  close(): void {
    this.#note(this.#bot);
    this.#bot?.kill();
    this.#lock?.release();
    this.#parts.disk.close();
    this.#parts.watch?.close();
  }

  /** Nothing goes wrong any more, and the bot runs. */
  async calm(): Promise<void> {
    const { world } = this.#parts;
    this.#isCalm = true;
    world.network.weather = CALM;
    this.#rules = [];
    world.venue.faults.replace({ seed: 0, rules: [] });
    world.venue.close();
    this.#setDisk(false);
    this.#bot?.host.thaw();
    if (this.#bot === null) this.#begin();
    await this.#pending;
    this.#soothe();
  }

  /** Every request is answered with 429. @param ms what the bot is asked to wait; null: no more */
  turnAway(ms: number | null): void {
    if (ms !== null) this.happened.set('turned-away', 1);
    this.#rules = ms === null ? [] : turningAway(ms);
    this.#misbehave();
  }

  /** The auditor saw quotes stand all that time. */
  quotesWereTurnedAway(): void {
    this.happened.delete('turned-away');
    this.happened.set('turned-away-while-quoted', 1);
  }

  #note(bot: SimulatedBot | null): void {
    if (bot === null) return;
    if (bot.broken !== null)
      this.broken.push(`the bot broke: ${bot.broken instanceof Error ? bot.broken.message : 'no error'}`);
    // That there is no room it has to say.
    for (const fault of bot.faults)
      if (!(fault instanceof JournalError)) this.broken.push(`a fault of the gateway: ${fault.message}`);
  }

  #begin(): void {
    const { world, house, machine, seam, disk, watch } = this.#parts;
    if (this.#bot !== null && this.#bot.end === null) return;
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
      this.#begin();
    });
  }

  #began(bot: SimulatedBot, kept: ReturnType<Disk['kept']>): void {
    this.#bot = bot;
    this.#parts.disk.keep(bot, kept);
    this.#parts.watch?.begin(bot);
    if (this.#isCalm) this.#soothe();
  }

  /** Nobody changes his mind any more. */
  #soothe(): void {
    const bot = this.#bot;
    if (bot === null || bot.end !== null) return;
    for (const { name: instance, strategy } of bot.view.instances)
      if (strategy === restless.name)
        bot.loop.command({ kind: 'command', command: 'set-parameters', instance, values: SOOTHED });
  }

  readonly #byHand = (happening: HandHappening): void => this.#person.act(happening);

  readonly #acts: {
    readonly [Kind in Happening['kind']]: (happening: Extract<Happening, { kind: Kind }>) => void;
  } = {
    weather: ({ weather }) => {
      this.#parts.world.network.weather = weather;
    },
    misbehaviour: ({ rules }) => {
      this.#rules = rules;
      this.#misbehave();
    },
    'connection-lost': ({ againAfterMs }) => this.#bot?.feed.lose('the network', againAfterMs),
    'bot-killed': ({ againAfterMs }) => this.#kill(againAfterMs),
    'bot-stopped': () => this.#stop(),
    'bot-frozen': ({ forMs }) => this.#freeze(forMs),
    'bot-started-twice': () => this.#startTwice(),
    'clock-set': ({ byMs }) => {
      this.#parts.machine.jump(byMs);
      this.#parts.world.record.note({ kind: 'clock-set', byMs });
    },
    snapshot: () => this.#parts.world.takeSnapshot(),
    'venue-killed': ({ againAfterMs }) => this.#killVenue(againAfterMs),
    'market-status': ({ market, status }) =>
      this.#admin({ kind: 'set-market-status', marketId: marketId(market), status }),
    'market-disabled': ({ market, disabled }) =>
      this.#admin({ kind: 'set-market-status', marketId: marketId(market), disabled }),
    'market-closing': ({ market, afterMs }) => this.#close(market, afterMs),
    'event-status': ({ event, status }) =>
      this.#admin({ kind: 'set-event-status', eventId: eventId(event), status }),
    'event-resolved': ({ event, resolutions }) =>
      this.#admin({
        kind: 'resolve-event',
        eventId: eventId(event),
        resolutions: resolutions.map(({ market, resolution }) => ({
          marketId: marketId(market),
          resolution,
        })),
      }),
    'event-reversed': ({ event }) => this.#admin({ kind: 'reverse-event', eventId: eventId(event) }),
    'order-by-hand': ({ kind: _kind, market, ...order }) => this.#place({ marketId: market, ...order }),
    deposit: ({ amount }) =>
      this.#admin({
        kind: 'deposit',
        account: MAKER,
        currency: this.#parts.house.company.currency,
        amount: amount as Money,
      }),
    'event-live': ({ event, isLive }) =>
      this.#admin({ kind: 'set-live', eventId: eventId(event), isLive, extraData: null }),
    'disk-full': ({ forMs }) => this.#fillDisk(forMs),
    'kill-switch': ({ forMs }) => this.#killSwitch(forMs),
    'hand-places': this.#byHand,
    'hand-cancels': this.#byHand,
    'hand-moves': this.#byHand,
    'hand-clears': this.#byHand,
  };

  #admin(command: Parameters<World['execute']>[1]): void {
    if (this.#parts.world.isListening) this.#parts.world.execute(OTHERS, command);
  }

  #misbehave(): void {
    const { world, seed } = this.#parts;
    world.venue.faults.replace({ seed, rules: this.#rules });
  }

  #kill(againAfterMs: number): void {
    if (this.#bot === null) return;
    this.kills += 1;
    this.#note(this.#bot);
    this.#bot.kill();
    this.#bot = null;
    this.#later(againAfterMs, () => this.#begin());
  }

  #stop(): void {
    const bot = this.#bot;
    if (bot === null) return;
    bot.stop();
    const look = (): void => {
      if (this.#bot !== bot) return;
      if (bot.end === null) return this.#later(RESTART_MS, look);
      this.#note(bot);
      this.#bot = null;
      this.#begin();
    };
    this.#later(RESTART_MS, look);
  }

  #freeze(forMs: number): void {
    const bot = this.#bot;
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
  #startTwice(): void {
    if (this.#bot === null || this.#bot.end !== null) return;
    try {
      this.#parts.disk.lock().release();
      this.broken.push('a second instance took the lock of a running one');
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
    }
  }

  #killVenue(againAfterMs: number): void {
    const { world } = this.#parts;
    if (!world.isListening) return;
    world.killVenue();
    this.#later(againAfterMs, () => {
      if (world.restartVenue('disk') === 'another') this.broken.push('the exchange came back another');
      this.#misbehave();
      if (this.#isCalm) world.venue.close();
    });
  }

  #fillDisk(forMs: number): void {
    this.#setDisk(true);
    this.#later(forMs, () => this.#setDisk(false));
  }

  #setDisk(isFull: boolean): void {
    const { journal, record } = this.#parts.world;
    journal.isFull = isFull;
    record.note({ kind: 'disk', isFull });
  }

  #killSwitch(forMs: number): void {
    const { watch } = this.#parts;
    if (watch === null || this.#bot === null || this.#bot.end !== null || this.#bot.host.isFrozen) return;
    watch.pull();
    const letGo = (): void => {
      if (!watch.letGo(this.#bot)) this.#later(RESTART_MS, letGo);
    };
    this.#later(forMs, letGo);
  }

  #close(market: number, afterMs: number): void {
    const betEnd = (this.#parts.world.now + afterMs * 1_000) as Micros;
    this.#admin({ kind: 'set-market-status', marketId: marketId(market), betEnd });
  }

  #place(order: Parameters<World['tryPlace']>[1]): void {
    const { world, house } = this.#parts;
    const { currency } = house.company;
    if (world.isListening) world.tryPlace(MAKER, { ...order, currency });
  }

  #later(ms: number, act: () => void): void {
    this.#parts.world.network.after(ms, act);
  }
}
