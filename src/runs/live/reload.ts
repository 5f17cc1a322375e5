/** Takes over a changed configuration while a bot runs: all of it, or nothing where something of it cannot be. */
import type { Engine } from '../../core/engine/engine.js';
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import type { Logger } from '../../core/ports/logger.js';
import type { Random } from '../../core/ports/random.js';
import {
  changedParameters,
  differenceText,
  type ParameterDifference,
} from '../../core/strategy/parameters.js';
import { OddsmithError } from '../../domain/errors.js';
import type { EventId } from '../../domain/ids.js';
import type { EventDescription, MarketDescription } from '../../domain/market.js';
import { type PriceUnits, probability } from '../../domain/units.js';
import type { ConfigurationChange, ConfiguredEvent, OperatorCommand } from '../../domain/inputs.js';
import {
  type BotSettings,
  type Chosen,
  type Loaded,
  ofShard,
  type VenueSettings,
} from '../../settings/index.js';
import type { ReloadAnswer } from '../../ops/state/running-bot.js';
import { AT_THE_START, valueDifference } from './configured-values.js';
import { engineOptionsOf } from './engine-options.js';

/** Settings to be in force, and what they were made of. */
export interface Wanted extends Loaded<BotSettings> {
  /** As the file has them, without what the venue chose. */
  readonly stated: Loaded<BotSettings>;
  /** Markets among them that the venue chose; null: the file names its markets. */
  readonly chosen: Chosen | null;
}

export interface ReloadParts extends Wanted {
  readonly venue: VenueSettings;
  readonly runId: string;
  readonly random: Random;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly engine: Engine;
  /** What the engine was made of. */
  readonly made: EngineOptions;
  readonly load: (file: string) => Promise<Wanted>;
  /** Takes effect before it returns. */
  readonly command: (command: OperatorCommand) => void;
  /** Told of an instance before it joins. */
  readonly joins: (owner: QuotingInstance, settings: BotSettings) => void;
  /** Told of what is in force from now on. */
  readonly follow: (wanted: Wanted) => void;
}

export class Reloading {
  #loaded: Wanted;
  #made: EngineOptions;
  /** As the engine was told first of each event and market: it keeps that also of those that left. */
  readonly #known = new Map<EventId, EventDescription>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: ReloadParts) {
    const { settings, source, stated, chosen } = parts;
    this.#loaded = { settings, source, stated, chosen };
    this.#made = parts.made;
    this.#remember(parts.made.events);
  }

  /** What is in force. */
  get inUse(): Wanted {
    return this.#loaded;
  }

  /** What reads the settings in force and changes them waits for what was asked before, whatever became of that. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const answer = this.#last.then(work);
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** One file after the other. @param by who wants it, for the log @param isTrial changes nothing */
  take(file: string, by: string, isTrial = false): Promise<ReloadAnswer> {
    return this.inTurn(() => this.#take(file, by, isTrial));
  }

  async #take(file: string, by: string, isTrial: boolean): Promise<ReloadAnswer> {
    const { load, logger } = this.parts;
    try {
      const loaded = await load(file);
      const answer = await this.configure(loaded, by, isTrial);
      const { changes, refused, isApplied } = answer;
      if (refused.length > 0) logger.warn(`${file} was not taken over: ${refused.join('; ')}`);
      else if (isApplied) logger.info(`${file} was taken over`, { by, changes });
      return answer;
    } catch (error) {
      if (!(error instanceof OddsmithError)) throw error;
      logger.warn(`${file} was not taken over: ${error.message}`);
      return { problem: error.message, changes: [], refused: [], isApplied: false };
    }
  }

  /**
   * Takes over settings that were read; to be called in turn.
   * @throws SettingsError, UsageError for settings that cannot be used
   */
  async configure(given: Wanted, by: string, isTrial = false): Promise<ReloadAnswer> {
    const loaded = { ...given, settings: ofShard(given.settings) };
    const { venue, runId, random, engine, command, joins, follow } = this.parts;
    const after = await engineOptionsOf({ ...loaded, venue, runId, random });
    const { changes, refused } = this.#difference(loaded, after);
    if (refused.length === 0 && changes.length === 0 && !isTrial) this.#loaded = loaded;
    if (refused.length > 0 || changes.length === 0 || isTrial)
      return { problem: null, changes, refused, isApplied: false };
    const change = changeTo(after, this.#made, engine.instances);
    for (const owner of after.instances) {
      if (engine.instances.some(({ instance }) => instance.name === owner.instance.name)) continue;
      engine.offer(owner.instance);
      joins(owner, loaded.settings);
    }
    command({ kind: 'command', command: 'configure', by, ...change });
    const left = changeTo(after, after, engine.instances);
    if (left.instances.length + left.leaving.length > 0)
      return {
        problem: 'the bot did not take it over; its log says why',
        changes,
        refused,
        isApplied: false,
      };
    this.#loaded = loaded;
    this.#made = after;
    this.#remember(after.events);
    follow(loaded);
    return { problem: null, changes, refused, isApplied: true };
  }

  #difference(loaded: Loaded<BotSettings>, after: EngineOptions): Pick<ReloadAnswer, 'changes' | 'refused'> {
    const { changes, refused } = valueDifference(this.#loaded, loaded);
    const { instances: running } = this.parts.engine;
    // A strategy that is another has other parameters.
    if (refused.some((text) => /^(?:instances\.|code of )/.test(text))) return { changes: [], refused };
    const changed = after.instances.flatMap((owner) => parametersChanged(owner, running));
    return {
      changes: [
        ...changed.flatMap(([text, { live }]) => (live ? [text] : [])),
        ...changes,
        ...membership(running, after.instances),
      ],
      refused: [
        ...refused,
        ...this.#returned(after),
        ...changed.flatMap(([text, { live }]) =>
          live ? [] : [`${text}: declared live: false; ${AT_THE_START}`],
        ),
      ],
    };
  }

  /** Events and markets that come back with other terms than they had when they left. */
  #returned({ events, learnedGrids }: EngineOptions): readonly string[] {
    return events.flatMap(({ id, resolutionMode, markets }) => {
      const known = this.#known.get(id);
      if (known === undefined) return [];
      const present = this.#made.events.find((event) => event.id === id);
      const text = (name: string, before: unknown, now: unknown): readonly string[] =>
        before === now ? [] : [`${name}: ${String(before)} -> ${String(now)}: ${AT_THE_START}`];
      const ticks = markets
        .filter(({ id: market }) => present?.markets.every((one) => one.id !== market) !== false)
        .filter(({ id: market }) => !learnedGrids.includes(market))
        .flatMap((market) => {
          const before = known.markets.find((one) => one.id === market.id);
          const ticksOf = ({ tickUnits }: MarketDescription): number => probability(tickUnits as PriceUnits);
          if (before === undefined) return [];
          return text(`events.${id}.markets.${market.id}.tickSize`, ticksOf(before), ticksOf(market));
        });
      const mode =
        present === undefined
          ? text(`events.${id}.resolutionMode`, known.resolutionMode, resolutionMode)
          : [];
      return [...mode, ...ticks];
    });
  }

  #remember(events: readonly EventDescription[]): void {
    for (const event of events) {
      const known = this.#known.get(event.id);
      const before = known?.markets ?? [];
      const joined = event.markets.filter((market) => before.every((one) => one.id !== market.id));
      this.#known.set(event.id, { ...(known ?? event), markets: [...before, ...joined] });
    }
  }
}

function parametersChanged(
  { instance }: QuotingInstance,
  running: readonly QuotingInstance[],
): readonly (readonly [string, ParameterDifference])[] {
  const before = running.find((one) => one.instance.name === instance.name)?.instance;
  if (before === undefined) return [];
  return [
    ...changedParameters(instance.strategy.params, before.parameters, instance.parameters),
    ...instance.modifiers.flatMap(({ modifier, parameters }, at) =>
      changedParameters(modifier.params, before.modifiers[at]!.parameters, parameters, `${modifier.name}.`),
    ),
  ].map((one) => [`${instance.name}.${differenceText(one)}`, one] as const);
}

/** Who joins and who leaves, in words. */
function membership(
  before: readonly QuotingInstance[],
  after: readonly QuotingInstance[],
): readonly string[] {
  const named = (all: readonly QuotingInstance[]) => new Map(all.map((one) => [one.instance.name, one]));
  const [old, now] = [named(before), named(after)];
  const left = [...old.keys()].filter((name) => !now.has(name));
  const changed = [...now].flatMap(([name, { markets }]) => {
    const known = old.get(name)?.markets;
    if (known === undefined) return [`instance ${name} joins with markets ${markets.join(', ')}`];
    const joining = markets.filter((market) => !known.includes(market));
    const leaving = known.filter((market) => !markets.includes(market));
    return [
      ...(joining.length === 0 ? [] : [`${name}.markets: ${joining.join(', ')} join`]),
      ...(leaving.length === 0 ? [] : [`${name}.markets: ${leaving.join(', ')} leave`]),
    ];
  });
  return [...changed, ...left.map((name) => `instance ${name} leaves: its quotes are withdrawn`)];
}

/** What an engine is to take over. @param running as they quote now @param made of the engine, as it stands */
function changeTo(
  after: EngineOptions,
  made: EngineOptions,
  running: readonly QuotingInstance[],
): ConfigurationChange {
  const before = new Map(configuredEvents(made).map((event) => [event.description.id, same(event)]));
  const quoting = new Map(running.map((one) => [one.instance.name, one]));
  const wanted = new Set(after.instances.map(({ instance }) => instance.name));
  return {
    events: configuredEvents(after).filter((event) => before.get(event.description.id) !== same(event)),
    instances: after.instances.flatMap((owner) => {
      const { instance, markets, limits } = owner;
      const now = quoting.get(instance.name);
      const isNew = now === undefined;
      const change = {
        instance: instance.name,
        params: instance.parameters,
        modifiers: instance.modifiers.map(({ parameters }) => parameters),
        ...((isNew || same(now.markets) !== same(markets)) && { markets }),
        ...((isNew || same(now.limits) !== same(limits)) && { limits }),
      };
      const isSame = parametersChanged(owner, running).length === 0;
      return isSame && !('markets' in change) && !('limits' in change) ? [] : [change];
    }),
    leaving: [...quoting.keys()].filter((name) => !wanted.has(name)),
  };
}

const same = (value: unknown): string => JSON.stringify(value);

function configuredEvents(options: EngineOptions): readonly ConfiguredEvent[] {
  const { events, ownership, learnedGrids, winners, closings, categories, underlyings } = options;
  return events.map((description) => {
    const { id, markets } = description;
    return {
      description,
      ownership: markets.map((market) => [market.id, ownership.get(market.id)!] as const),
      learnedGrids: markets.flatMap((market) => (learnedGrids.includes(market.id) ? [market.id] : [])),
      winners: winners.get(id) ?? null,
      closes: closings.get(id)?.at ?? null,
      category: categories.get(id) ?? null,
      underlying: underlyings.get(id) ?? null,
      informationWindows: options.informationWindows.get(id) ?? [],
    };
  });
}
