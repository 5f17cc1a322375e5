/** Prepares a backtest: everything that its scenarios share. */
import { basename } from 'node:path';
import { createHash } from 'node:crypto';
import { importRemarks } from '../../recordings/index.js';
import { UsageError } from '../../domain/errors.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { ResolutionMode } from '../../domain/vocabulary.js';
import type { EventConfig, ExchangeConfig } from '../../exchange/contract.js';
import { accountId, eventId, marketId } from '../../exchange/contract/ids.js';
import type { StatedClose } from '../../core/engine/options.js';
import type { RecordedEvent } from '../../core/engine/observing/describe-run.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../exchange/defaults.js';
import type { RunMarket } from './merged-recordings.js';
import { TOP_N_DEFAULT } from '../../venues/futuur/protocol/profile.js';
import {
  type BacktestSettings,
  type BotSettings,
  firstTickOf,
  isSelecting,
  type VenueRules,
  venueRulesSchema,
} from '../../settings/index.js';
import type { ArrivedValue } from '../fair-values/source-judge.js';
import type { HashedFile } from '../../storage/recordings/run-file.js';
import type { RecordingSource } from '../../storage/recordings/recording.js';
import { bundledVenueOf } from '../exchange/exchange.js';
import { refuseSecondWinners, needlessModes, venueModes, notesBeside, notesHash } from './recording-notes.js';
import { type FairFile, recordedSources, recordedValues } from './recorded-values.js';
import {
  gridNotes,
  withRecordedEvents,
  withRecordedGrids,
  scopeNotes,
  recordedEvents,
  unnoted,
} from './recorded-events.js';

/** The only account that trades. */
export const ACCOUNT = accountId(1);

export interface BacktestSetup {
  /** With the events that are traded. */
  readonly settings: BotSettings;
  readonly backtest: BacktestSettings;
  readonly venue: VenueRules;
  readonly exchange: ExchangeConfig;
  readonly markets: readonly RunMarket[];
  /** Time of the first row of all recordings. */
  readonly start: Micros;
  /** Where fair values come from; null: from the books. */
  readonly fairFile: HashedFile | null;
  /** What comes from there, in order of arrival. */
  readonly fairValues: readonly ArrivedValue[];
  /** Remarks about recordings, in sentences for people. */
  readonly notes: readonly string[];
  /** Every event of the recordings. */
  readonly recorded: ReadonlyMap<EventId, RecordedEvent>;
  /** When betting on them closes, by their notes. */
  readonly closes: ReadonlyMap<EventId, StatedClose>;
}

/** Memory for answers to repeated requests. */
const IDEMPOTENCY_BYTES = 1 << 22;
/** What the simulated exchange remembers. */
const RETENTION = { orders: 1_000, trades: 1_000, wagerActions: 1_000, priceSamples: 0 } as const;

/** @throws RecordingError when a recording decides an event otherwise than it can be decided */
export function setupOf(
  given: BotSettings,
  backtest: BacktestSettings,
  recordings: readonly RecordingSource[],
  fairFile: FairFile | null = null,
): BacktestSetup {
  if (backtest.markets !== 'recorded' && isSelecting(given)) throw new UsageError(ASKS_NO_VENUE);
  const recorded =
    backtest.markets === 'recorded'
      ? withRecordedEvents(given, recordings)
      : withRecordedGrids(given, recordings);
  const fairValues = recordedSources(recorded, fairFile);
  const settings = { ...recorded, fairValues };
  const start = startOf(recordings);
  const valued = recordedValues(fairValues, fairFile, start);
  const venue = venueRulesOf(given);
  const modes = venueModes(settings.events, recordings);
  refuseSecondWinners(settings.events, modes, recordings, backtest.markets);
  return {
    settings,
    backtest,
    venue,
    exchange: exchangeOf(settings, backtest, venue, { recordings, modes }),
    markets: runMarkets(settings, backtest, recordings),
    start,
    fairFile,
    fairValues: valued.values,
    notes: [
      ...recordings.flatMap(({ name, notes }) => notes.map((note) => `${basename(name)}: ${note}`)),
      ...valued.notes,
      ...scopeNotes(settings, recordings),
      ...voidMarkets(settings, recordings),
      ...unnoted(recordings),
      ...importRemarks(recordings.map(({ name }) => name)),
      ...needlessModes(settings.events, recordings),
      ...(backtest.markets === 'recorded' ? gridNotes(recordings) : absentMarkets(given, recordings)),
    ],
    recorded: recordedEvents(recordings),
    closes: recordedCloses(settings, recordings),
  };
}

const ASKS_NO_VENUE =
  'the file selects its markets at the venue, which a backtest does not ask: set backtest.markets: recorded, or name markets';

const startOf = (recordings: readonly RecordingSource[]): Micros =>
  Math.min(...recordings.map(({ firstAt }) => firstAt)) as Micros;

/** A void market pays back what it cost; without a note it would look like a market without profit. */
function voidMarkets({ events }: BotSettings, recordings: readonly RecordingSource[]): readonly string[] {
  const traded = new Set(events.flatMap((event) => event.markets.map(({ id }) => id)));
  const found = recordings.flatMap(({ markets }) => markets.filter((one) => one.resolution === 'void'));
  return found
    .filter((one) => traded.has(one.marketId))
    .map((one) => `market ${one.marketId} ended void: what it had cost came back, whatever was traded`);
}

function absentMarkets({ events }: BotSettings, recordings: readonly RecordingSource[]): readonly string[] {
  const recorded = new Set(recordings.flatMap(({ markets }) => markets.map((one) => one.marketId)));
  const absent = events.flatMap((event) => event.markets).filter(({ id }) => !recorded.has(id));
  return absent.map(({ id }) => `market ${id} is in no recording and was not traded`);
}

const NOWHERE = { restUrl: '', realtime: { key: '', host: '', port: 0 } } as const;

/** Rules of the configured venue, else of the configured exchange, else the public ones. */
export function venueRulesOf({ venue, exchange }: BotSettings): VenueRules {
  if (venue !== null) return venue;
  return exchange === null ? venueRulesSchema.parse({}) : bundledVenueOf(exchange, NOWHERE);
}

function runMarkets(
  { events }: BotSettings,
  { depth }: BacktestSettings,
  recordings: readonly RecordingSource[],
): readonly RunMarket[] {
  return events
    .flatMap((event) => event.markets.map((market) => ({ event, market })))
    .map(({ event, market }, slot) => ({
      slot,
      eventId: event.id,
      marketId: market.id,
      tickUnits: firstTickOf(market.tickSize),
      depth: Math.max(1, Math.min(depth ?? Infinity, shownDepth(market.id, recordings))),
    }));
}

/** The shallowest recording of a market decides: levels behind are unseen. */
function shownDepth(market: MarketId, recordings: readonly RecordingSource[]): number {
  const depths = recordings.flatMap(({ markets }) =>
    markets.filter((one) => one.marketId === market && one.depth > 0).map(({ depth }) => depth),
  );
  return depths.length === 0 ? 1 : Math.min(...depths);
}

/** What recordings and their notes tell the simulated venue. */
interface Recorded {
  readonly recordings: readonly RecordingSource[];
  readonly modes: ReadonlyMap<EventId, ResolutionMode>;
}

function exchangeOf(
  settings: BotSettings,
  backtest: BacktestSettings,
  venue: VenueRules,
  { recordings, modes }: Recorded,
): ExchangeConfig {
  const starts = betStarts(recordings);
  const ends = timesOf(recordings, 'betEnd');
  const balances = { [settings.currency]: backtest.balance };
  return exchangeConfig({
    duplicateWindowMs: backtest.duplicateWindowMs,
    processingDelayMs: backtest.processingDelayMs,
    topN: Math.min(backtest.depth ?? Infinity, TOP_N_DEFAULT),
    fees: venue.fees,
    idempotency: { keptMs: 600_000, bytes: IDEMPOTENCY_BYTES },
    retention: RETENTION,
    accounts: [accountConfig({ id: ACCOUNT, username: 'bot', balances })],
    events: settings.events.map((event) => {
      return eventOf(event, venue, {
        resolutionMode: modes.get(event.id)!,
        betStart: starts.get(event.id) ?? null,
        betEnd: event.closes ?? ends.get(event.id) ?? null,
      });
    }),
  });
}

const eventOf = (
  event: BotSettings['events'][number],
  { minAmount, maxAmount }: VenueRules,
  stated: Pick<EventConfig, 'resolutionMode' | 'betStart' | 'betEnd'>,
): EventConfig =>
  eventConfig({
    id: eventId(event.id),
    title: event.title ?? `Event ${event.id}`,
    minAmount,
    maxAmount,
    ...stated,
    markets: event.markets.map((market) =>
      marketConfig({
        id: marketId(market.id),
        title: market.title ?? `Market ${market.id}`,
        tickUnits: firstTickOf(market.tickSize),
      }),
    ),
  });

/**
 * Betting on an event begins with its first row when other events were recorded before: a market that is not recorded yet
 * is not an empty market.
 */
function betStarts(recordings: readonly RecordingSource[]): ReadonlyMap<EventId, Micros> {
  const start = startOf(recordings);
  const starts = new Map<EventId, Micros>();
  for (const { eventId, firstAt } of recordings.flatMap(({ markets }) => markets))
    if (firstAt < (starts.get(eventId) ?? Infinity)) starts.set(eventId, firstAt);
  return new Map([...starts].filter(([, at]) => at > start));
}

/** A time that the notes state of events; null unless they agree for all their markets. */
function timesOf(
  recordings: readonly RecordingSource[],
  which: 'betEnd' | 'scheduled',
): ReadonlyMap<EventId, Micros | null> {
  const times = new Map<EventId, Micros | null>();
  for (const source of recordings) {
    const notes = notesBeside(source.name);
    for (const market of source.markets) {
      const time = notes.get(market.marketId)?.[which] ?? null;
      const known = times.get(market.eventId);
      times.set(market.eventId, known === undefined || known === time ? time : null);
    }
  }
  return times;
}

/** When betting on events closes by the notes: its end, else the time that it was scheduled for. The file goes first. */
function recordedCloses(
  { events }: BotSettings,
  recordings: readonly RecordingSource[],
): ReadonlyMap<EventId, StatedClose> {
  const ends = timesOf(recordings, 'betEnd');
  const scheduled = timesOf(recordings, 'scheduled');
  return new Map(
    events.flatMap(({ id, closes }) => {
      const at = ends.get(id) ?? scheduled.get(id) ?? null;
      return closes !== null || at === null ? [] : [[id, { at, from: 'recording' }] as const];
    }),
  );
}

/**
 * The run id of a backtest: a hash of configuration, strategies, recordings, their notes, and seed. Paths, keys, folders and
 * ports are left out, so that the same backtest has the same id anywhere.
 * @throws UsageError when notes cannot be read
 */
export function backtestId(
  settings: BotSettings,
  strategies: readonly string[],
  recordings: readonly RecordingSource[],
  fairFile: HashedFile | null,
): string {
  const {
    venue,
    exchange,
    stateDir: _stateDir,
    http: _http,
    log: _log,
    journal: _journal,
    report: _report,
    sweep: _sweep,
    fairValues,
    ...rest
  } = settings;
  const notes = recordings.map(({ name }) => notesHash(name));
  const parts = {
    ...rest,
    ...(rest.backtest !== null && { backtest: withoutFairFile(rest.backtest) }),
    ...(fairValues.length > 0 && { fairValues: fairValues.map(marketsOf) }),
    guard: { ...rest.guard, ...(rest.guard.publicKey !== null && HAS_KEYS) },
    venue: venue === null ? null : withoutKeys(venue),
    exchange: exchange === null ? null : { fees: exchange.fees, rateLimit: exchange.rateLimit },
    strategies,
    recordings: recordings.map(({ sha256 }) => sha256),
    ...(fairFile !== null && { fairFile: fairFile.sha256 }),
    ...(notes.some((hash) => hash !== null) && { notes }),
  };
  return `bt-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`;
}

/** A path; what is in the file counts. */
const withoutFairFile = ({ fairValues: _file, ...backtest }: BacktestSettings): object => backtest;

/** Where a backtest takes its values from is not where a bot would. */
const marketsOf = ({ name, markets, maxAgeMs, whenStale }: BotSettings['fairValues'][number]): object => ({
  name,
  markets,
  maxAgeMs,
  whenStale,
});

/** A guard with its own keys leaves the bot its allowance. The keys themselves do not matter. */
const HAS_KEYS = { publicKey: '', privateKey: '' };

function withoutKeys({
  publicKey: _public,
  privateKey: _private,
  ...venue
}: NonNullable<BotSettings['venue']>) {
  return venue;
}
