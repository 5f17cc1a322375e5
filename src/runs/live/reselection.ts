/** Markets that join and leave while a bot runs: the venue is asked now and then, and heard about no longer than needed. */
import type { EngineView } from '../../core/engine/observing/view.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import { OddsmithError } from '../../domain/errors.js';
import type { EventId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { ReloadAnswer } from '../../ops/state/running-bot.js';
import type { Feed } from '../../venues/port.js';
import { ofShard } from '../../settings/index.js';
import type { Selected } from '../selection.js';
import type { Wanted } from './reload.js';

/** How soon it is looked whether a question is to be asked at all. */
const IDLE_MS = 10_000;

export interface ReselectionParts {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Time from one question to the next; null: none is asked now, which a file taken over may change. */
  readonly everyMs: () => number | null;
  /** The settings with what the venue offers now. */
  readonly select: () => Promise<Selected>;
  readonly take: (found: Selected) => Promise<ReloadAnswer>;
  /** Keeps the file from becoming another one between the question and the change. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

/** @returns a function that ends it */
export function reselecting(parts: ReselectionParts): () => void {
  const { clock } = parts;
  let cancel = (): void => undefined;
  let isOver = false;
  const next = (): void => {
    if (isOver) return;
    const everyMs = parts.everyMs();
    cancel = clock.at((clock.now() + (everyMs ?? IDLE_MS) * 1_000) as Micros, () => {
      if (everyMs === null) next();
      else void parts.inTurn(() => reselected(parts, () => isOver)).finally(next);
    });
  };
  next();
  return () => {
    isOver = true;
    cancel();
  };
}

/** A venue that does not answer changes nothing. */
async function reselected({ logger, select, take }: ReselectionParts, isOver: () => boolean): Promise<void> {
  try {
    const found = await select();
    if (isOver()) return;
    const { changes, refused, problem } = await take(found);
    if (problem !== null || refused.length > 0)
      logger.warn(`markets of the venue were not taken over: ${problem ?? refused.join('; ')}`);
    else if (changes.length > 0) logger.info('markets of the venue were taken over', { changes });
  } catch (error) {
    if (!(error instanceof OddsmithError)) throw error;
    logger.warn(`the markets stay as they are: ${error.message}`);
  }
}

/** How often it is looked whether an event that left is over. */
const LOOK_EVERY_US = 10_000_000;

export interface ListeningParts {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly feed: Pick<Feed, 'follow'>;
  readonly inUse: () => Pick<Wanted, 'settings' | 'stated'>;
  readonly view: () => Pick<EngineView, 'markets'>;
}

/**
 * Which events a bot listens to: those that its file names, those of markets that it quotes, and those of which it still has
 * shares or orders. So an event that left is heard until it is flat, and again if shares of it come by other hands.
 */
export class Listening {
  #isChanging = false;
  #lookAt = 0;

  constructor(private readonly parts: ListeningParts) {}

  /** Other settings are in force from now on. */
  changed(): void {
    this.#isChanging = true;
    this.#follow();
  }

  /** Several times a second. */
  beat(): void {
    if (this.#isChanging && this.parts.clock.monotonic() >= this.#lookAt) this.#follow();
  }

  #follow(): void {
    const { clock, feed, inUse, view } = this.parts;
    this.#lookAt = clock.monotonic() + LOOK_EVERY_US;
    feed.follow?.([...eventsHeard(inUse(), view())]);
  }
}

function eventsHeard(
  { settings, stated }: ReturnType<ListeningParts['inUse']>,
  { markets }: Pick<EngineView, 'markets'>,
): ReadonlySet<EventId> {
  const quoted = new Set(settings.instances.flatMap((instance) => instance.markets));
  const chosen = settings.events.filter((event) => event.markets.some(({ id }) => quoted.has(id)));
  const occupied = markets.filter(
    ({ inventory: { long, short }, quotes }) => long > 0 || short > 0 || quotes.length > 0,
  );
  return new Set([
    ...[...ofShard(stated.settings).events, ...chosen].map(({ id }) => id),
    ...occupied.map(({ eventId }) => eventId),
  ]);
}
