/** Asks the venue for the markets that a file selects. Public reads alone. */
import type { Clock } from '../core/ports/clock.js';
import type { Logger } from '../core/ports/logger.js';
import { UsageError } from '../domain/errors.js';
import type { Micros } from '../domain/units.js';
import {
  type BotSettings,
  type Chosen,
  type ChosenMarket,
  chosenMarkets,
  expanded,
  isSelecting,
  NOTHING_CHOSEN,
  ofShard,
  type Loaded,
  recheckedSettings,
  type VenueSettings,
} from '../settings/index.js';
import { accountPaths, knownAccount } from '../ops/state/account-folder.js';
import { keptSelection } from '../ops/state/selection-file.js';
import type { SelectSettings } from '../settings/select-schema.js';
import type { Instant } from '../settings/scalars.js';
import { PRICE_ONE } from '../domain/units.js';
import type { RestClient } from '../venues/futuur/rest/rest-client.js';
import { openPublicRest } from './live/connections.js';
import { tickUnitsOf } from './live/engine-options.js';
import { offeredMarkets, openMarkets, told } from './offered-markets.js';

/** Books that are read to find one market that is narrow enough. */
const BOOKS_PER_MARKET = 5;

/** What a selection asks with. */
export interface Asking extends Loaded<BotSettings> {
  readonly venue: VenueSettings;
  readonly clock: Clock;
  /** Told of the markets of each instance; null: nobody is. */
  readonly logger: Pick<Logger, 'info'> | null;
}

/** The settings of a run, and what the venue chose for them; null: they select nothing. */
export interface Selected {
  readonly settings: BotSettings;
  readonly chosen: Chosen | null;
}

/**
 * The settings with the markets that the venue offers for them now, those of one shard where a shard is stated. Markets of
 * the run before are watched.
 * @param mayBeIdle a bot that runs goes on without an instance for which there is no market now
 * @throws UsageError when an instance is left without markets; VenueUnreachableError; SettingsError
 */
export async function selectedSettings(
  { settings, source, venue, clock, logger }: Asking,
  mayBeIdle = false,
): Promise<Selected> {
  if (!isSelecting(settings)) return { settings: ofShard(settings), chosen: null };
  const rest = openPublicRest(venue, clock);
  try {
    const kept = keptSelection(accountPaths(settings, venue, knownAccount(settings, venue)));
    const now = await chooseMarkets(rest, settings, clock.now(), kept);
    const chosen = { ...now, watched: watchedAfter(kept, settings, now) };
    const found = recheckedSettings(expanded(settings, chosen), source);
    const idle = found.instances.find(({ markets }) => markets.length === 0);
    if (idle !== undefined && !mayBeIdle)
      throw new UsageError(
        `the venue offers no open market for instance ${idle.name} of ${source.file}; oddsmith markets lists what there ` +
          'is: widen select, or name markets',
      );
    const own = ofShard(found);
    for (const { name, markets } of own.instances)
      logger?.info('markets of an instance', { instance: name, markets: markets.join(' ') });
    return { settings: own, chosen };
  } finally {
    await rest.close();
  }
}

/** Markets of an earlier choice that are not chosen any more. */
export function watchedAfter(before: Chosen, settings: BotSettings, now: Chosen): readonly ChosenMarket[] {
  const known = new Set(chosenMarkets(expanded(settings, now)).map(({ marketId }) => marketId));
  const left = [...before.whole, ...Object.values(before.selected).flat(), ...before.watched];
  return left.filter(({ marketId }) => !known.has(marketId) && known.add(marketId));
}

type Reads = Pick<RestClient, 'events' | 'event' | 'book'>;

/**
 * What the venue offers now for the wishes of a file.
 * @param before a market of it that still fits goes before those with more turnover: quotes do not move to and fro
 * @throws VenueUnreachableError, UsageError
 */
export async function chooseMarkets(
  rest: Reads,
  settings: BotSettings,
  now: Micros,
  before: Chosen = NOTHING_CHOSEN,
): Promise<Chosen> {
  const whole: ChosenMarket[] = [];
  for (const { id, isWhole } of settings.events) {
    if (!isWhole) continue;
    const event = told(await rest.event(id, tickUnitsOf(settings)), `event ${id}`);
    whole.push(...openMarkets(event, now).map((market) => ({ eventId: id, marketId: market.id })));
  }
  const named = expanded(settings, { ...NOTHING_CHOSEN, whole });
  const taken = new Set<string>(named.instances.flatMap(({ markets }) => markets));
  const selected: Record<string, readonly ChosenMarket[]> = {};
  for (const { name, select } of settings.instances) {
    if (select === null) continue;
    const fitting = (most: number, ids?: readonly string[]): Promise<readonly ChosenMarket[]> =>
      most === 0
        ? Promise.resolve([])
        : offeredFor(rest, settings, select, { now, most, without: taken, ids });
    const known = (before.selected[name] ?? []).map(({ marketId }) => marketId);
    const staying = await fitting(Math.min(known.length, select.max), known);
    for (const { marketId } of staying) taken.add(marketId);
    selected[name] = [...staying, ...(await fitting(select.max - staying.length))];
    for (const { marketId } of selected[name]) taken.add(marketId);
  }
  return { whole, selected, watched: [] };
}

/** Markets that fit one selection. */
async function offeredFor(
  rest: Reads,
  { currencyMode }: BotSettings,
  select: SelectSettings,
  {
    now,
    most,
    without,
    ids,
  }: {
    readonly now: Micros;
    readonly most: number;
    readonly without: ReadonlySet<string>;
    readonly ids: readonly string[] | undefined;
  },
): Promise<readonly ChosenMarket[]> {
  const isBookless = select.maxSpread === null;
  const filter = {
    search: select.search,
    categories: select.categories,
    closesAfter: timeOf(select.closesAfter, now),
    closesBefore: timeOf(select.closesBefore, now),
    minVolume: select.minVolume,
    maxSpread: select.maxSpread === null ? null : select.maxSpread / PRICE_ONE,
    ...(ids !== undefined && { ids }),
    without,
    most,
    limit: isBookless ? most : most * BOOKS_PER_MARKET,
    isBookless,
  };
  const { events } = await offeredMarkets(rest, currencyMode, filter, now);
  return events.flatMap(({ eventId, markets }) => markets.map(({ marketId }) => ({ eventId, marketId })));
}

/** @param now to which durations are added */
export function timeOf(instant: Instant | null | undefined, now: Micros): Micros | null {
  if (instant === null || instant === undefined) return null;
  return ('at' in instant ? instant.at : now + instant.afterMs * 1_000) as Micros;
}
