/** What strategies remember of their markets, on the disk: a bot that starts again goes on from there. */
import { z } from 'zod';
import type { Logger } from '../../core/ports/logger.js';
import type { PlainJson } from '../../core/strategy/contract.js';
import { type Kept, SIGNALS, type StrategyInstance } from '../../core/strategy/instance.js';
import { replaceFile, replaceFileLater } from '../../storage/files/whole-files.js';
import { acquireLock } from '../../storage/state/lock-file.js';
import { UsageError } from '../../domain/errors.js';
import { statePlaces, type StatePaths, type StateSettings } from './account-folder.js';
import { textOf, StateUnreadableError } from './risk-file.js';

/** One line of the file. */
export interface KeptStrategyState {
  readonly instance: string;
  /** Or {@link SIGNALS}. */
  readonly strategy: string;
  readonly stateVersion: string;
  /** Market or event. */
  readonly id: string;
  readonly state: PlainJson;
}

const HEAD = z.object({ kind: z.literal('strategy-states'), version: z.literal(1), lines: z.int() });
const LINE = z.object({
  instance: z.string(),
  strategy: z.string(),
  stateVersion: z.string(),
  id: z.string(),
  state: z.json(),
});

const headOf = (lines: number): string => JSON.stringify({ kind: 'strategy-states', version: 1, lines });
const textOfLines = (lines: readonly string[]): string => `${[headOf(lines.length), ...lines].join('\n')}\n`;

/**
 * What earlier runs left; nothing where there is no file.
 * @throws StateUnreadableError for a file that is damaged; an error of the file system
 */
export function readStrategyStates(path: string): readonly KeptStrategyState[] {
  const text = textOf(path);
  if (text === null) return [];
  try {
    const [head = '', ...lines] = text.trimEnd().split('\n');
    const states = lines.map((line) => LINE.parse(JSON.parse(line)));
    if (HEAD.parse(JSON.parse(head)).lines !== states.length) throw new Error('lines are missing');
    return states;
  } catch (cause) {
    throw new StateUnreadableError(
      `${path} should hold what strategies remember, and cannot be read: they begin anew`,
      { cause },
    );
  }
}

/**
 * Hands instances what they left in an earlier run, where strategy and version are the same.
 * @returns what the file held; nothing where it cannot be read, which is logged
 */
export function restoreStrategyStates(
  path: string,
  instances: readonly StrategyInstance[],
  logger: Pick<Logger, 'info' | 'warn'>,
): readonly KeptStrategyState[] {
  const found = readOrBeginAnew(path, logger);
  for (const keeper of keepersOf(instances)) {
    const { name, strategy, stateVersion } = keeper;
    const left = found.filter((one) => isAbout(keeper, one));
    const [other] = left.filter((one) => !isOf(keeper, one));
    if (other !== undefined)
      logger.warn(
        `instance ${name} begins with the initial state: what is kept is of ${named(other)}, not of ${named({ strategy: strategy.name, stateVersion })}`,
      );
    const mine = left.filter((one) => isOf(keeper, one));
    if (mine.length === 0) continue;
    keeper.restore(Object.fromEntries(mine.map(({ id, state }) => [id, state])));
    const whose = strategy.name === SIGNALS ? 'signals' : 'state';
    logger.info(`instance ${name} goes on with the ${whose} that an earlier run left`, {
      markets: mine.length,
    });
  }
  return found;
}

function readOrBeginAnew(path: string, logger: Pick<Logger, 'warn'>): readonly KeptStrategyState[] {
  try {
    return readStrategyStates(path);
  } catch (error) {
    logger.warn((error as Error).message);
    return [];
  }
}

const keepersOf = (instances: readonly StrategyInstance[]): readonly Kept[] =>
  instances.flatMap((instance) => [instance, instance.keptSignals]);

/** Whether it was left by the same instance, by its strategy or by its signals. */
const isAbout = ({ name, strategy }: Kept, kept: KeptStrategyState): boolean =>
  kept.instance === name && (kept.strategy === SIGNALS) === (strategy.name === SIGNALS);

const isOf = (keeper: Kept, kept: KeptStrategyState): boolean =>
  isAbout(keeper, kept) &&
  kept.strategy === keeper.strategy.name &&
  kept.stateVersion === keeper.stateVersion;

const named = ({
  strategy,
  stateVersion,
}: {
  readonly strategy: string;
  readonly stateVersion: string | null;
}): string =>
  stateVersion === null ? `${strategy} without stateVersion` : `${strategy}, stateVersion ${stateVersion}`;

export interface StrategyStatesOptions {
  readonly path: string;
  readonly instances: readonly StrategyInstance[];
  /** What the file held at the start. */
  readonly found: readonly KeptStrategyState[];
  readonly logger: Pick<Logger, 'error'>;
}

/** A state and its line. */
interface Line {
  readonly state: PlainJson;
  readonly text: string;
}

/** Lines that are made and written in one go: trading goes on in between. */
const AT_ONCE = 500;

/**
 * Keeps the file up to date, every second beat at most. It is written in pieces while trading goes on, which waits neither for a
 * disk nor for ten thousand lines. A kill loses what changed within the last second; while the disk is full the old file stays.
 */
export class StrategyStatesFile {
  #kept: readonly Kept[];
  /** As written last, by who keeps it and id; those of other instances stay as they were found. */
  readonly #lines = new Map<string, Map<string, Line>>();
  /** The file is not what it should be, whatever changes. */
  #isOwed: boolean;
  #hasFailed = false;
  #writing: Promise<void> | null = null;
  #beats = 0;

  constructor(private readonly options: StrategyStatesOptions) {
    const { instances, found } = options;
    const keepers = keepersOf(instances);
    this.#kept = keepers.filter(({ stateVersion }) => stateVersion !== null);
    const stays = found.filter((one) => {
      const owner = keepers.find((keeper) => isAbout(keeper, one));
      return owner === undefined || isOf(owner, one);
    });
    for (const one of stays)
      this.#linesOf(one.instance, one.strategy).set(one.id, { state: one.state, text: JSON.stringify(one) });
    this.#isOwed = stays.length !== found.length;
  }

  /** An instance joined the run, in the place of one of its name that left. */
  joins(instance: StrategyInstance): void {
    this.#kept = [
      ...this.#kept.filter(({ name }) => name !== instance.name),
      ...keepersOf([instance]).filter(({ stateVersion }) => stateVersion !== null),
    ];
  }

  /** Called with every beat. */
  review(): void {
    this.#beats += 1;
    if (this.#writing === null && this.#beats % 2 === 0 && this.#hasChanged()) this.#writing = this.#write();
  }

  /** The run is over: the last states are written before anything else is. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#hasChanged()) await this.#write();
  }

  #hasChanged(): boolean {
    if (this.#isOwed) return true;
    for (const keeper of this.#kept) {
      const lines = this.#linesOf(keeper.name, keeper.strategy.name);
      for (const [id, state] of keeper.states()) if (lines.get(id)?.state !== state) return true;
    }
    return false;
  }

  #linesOf(instance: string, strategy: string): Map<string, Line> {
    const key = JSON.stringify([instance, strategy]);
    const lines = this.#lines.get(key) ?? new Map<string, Line>();
    this.#lines.set(key, lines);
    return lines;
  }

  async #write(): Promise<void> {
    const { path, logger } = this.options;
    this.#isOwed = false;
    try {
      await replaceFileLater(path, this.#pieces());
      this.#hasFailed = false;
    } catch (error) {
      this.#isOwed = true;
      const what =
        'what strategies remember cannot be written down; a restart would go on from an older state';
      if (!this.#hasFailed) logger.error(what, { path, err: error });
      this.#hasFailed = true;
    } finally {
      this.#writing = null;
    }
  }

  /** The states of one moment. Only what changed is made text again. */
  async *#pieces(): AsyncGenerator<string> {
    const changed = this.#kept.flatMap((keeper) => this.#changedOf(keeper));
    const isNew = changed.filter(({ lines, id }) => !lines.has(id)).length;
    let count = isNew;
    for (const lines of this.#lines.values()) count += lines.size;
    yield `${headOf(count)}\n`;
    for (let from = 0; from < changed.length; from += AT_ONCE) {
      for (const { lines, id, state, begin } of changed.slice(from, from + AT_ONCE))
        lines.set(id, { state, text: `${begin}${JSON.stringify(id)},"state":${JSON.stringify(state)}}` });
      await turn();
    }
    const texts = [...this.#lines.values()].flatMap((lines) => [...lines.values()]);
    for (let from = 0; from < texts.length; from += AT_ONCE)
      yield texts
        .slice(from, from + AT_ONCE)
        .map(({ text }) => `${text}\n`)
        .join('');
  }

  #changedOf(keeper: Kept) {
    const { name, strategy, stateVersion } = keeper;
    const lines = this.#linesOf(name, strategy.name);
    const head = { instance: name, strategy: strategy.name, stateVersion };
    const begin = `${JSON.stringify(head).slice(0, -1)},"id":`;
    return [...keeper.states()]
      .filter(([id, state]) => lines.get(id)?.state !== state)
      .map(([id, state]) => ({ lines, id, state, begin }));
  }
}

/** Lets everything else of the event loop go first. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export interface StateSelection {
  readonly instance?: string;
  /** Market or event. */
  readonly market?: string;
}

/**
 * Removes what strategies remember.
 * @returns how many states were removed at each path
 * @throws LockHeldError while the bot of the account runs; UsageError where several accounts may be meant; an error of the
 *   file system
 */
export function resetStrategyStates(
  settings: StateSettings,
  { instance, market }: StateSelection,
): ReadonlyMap<string, number> {
  const places = statePlaces(settings).filter(({ strategyStates }) => textOf(strategyStates) !== null);
  // Shards of one account have one kill switch.
  const accounts = new Set(places.map(({ kill }) => kill));
  if (settings.venue !== null && accounts.size > 1)
    throw new UsageError(
      `${places.map(({ folder }) => folder).join(' and ')}: several accounts are known at the venue, and no bot has run ` +
        'with this key yet. Start it once, or remove strategy-states.ndjson in the folder that is meant',
    );
  const isMeant = (one: KeptStrategyState): boolean =>
    (instance === undefined || one.instance === instance) && (market === undefined || one.id === market);
  return new Map(places.map((paths) => [paths.strategyStates, removeAt(paths, isMeant)]));
}

function removeAt(
  { lock, name, strategyStates: path }: StatePaths,
  isMeant: (one: KeptStrategyState) => boolean,
): number {
  const held = acquireLock(lock, name);
  try {
    const found = readableIn(path);
    const left = found.filter((one) => !isMeant(one));
    replaceFile(path, textOfLines(left.map((one) => JSON.stringify(one))));
    return found.length - left.length;
  } finally {
    held.release();
  }
}

/** A damaged file holds nothing that could be kept. */
function readableIn(path: string): readonly KeptStrategyState[] {
  try {
    return readStrategyStates(path);
  } catch (error) {
    if (error instanceof StateUnreadableError) return [];
    throw error;
  }
}
