/** Everything about a backtest that its scenarios share. */
import { basename } from 'node:path';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { ResolutionMode } from '../../domain/vocabulary.js';
import type { EventConfig, ExchangeConfig } from '../../exchange/contract.js';
import { accountId, eventId, marketId } from '../../exchange/contract/ids.js';
import type { RecordedEvent } from '../../core/engine/observing/describe-run.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../exchange/defaults.js';
import type { RunMarket } from './merged-recordings.js';
import { TOP_N_DEFAULT } from '../../venues/futuur/protocol/limits.js';
import {
  type BacktestSettings,
  type BotSettings,
  type VenueRules,
  venueRulesSchema,
} from '../../settings/index.js';
import type { RecordingSource } from '../../storage/index.js';
import { bundledVenueOf } from '../exchange/exchange.js';
import { refuseSecondWinners } from './second-winners.js';
import { gridNotes, withRecordedEvents } from './recorded-events.js';
import { needlessModes, venueModes } from './resolution-modes.js';
import { scopeNotes } from './recorded-scope.js';
import { notesBeside } from './recording-notes.js';
import { recordedEvents } from './evidence.js';

/** The one account that trades; there is nobody else but the recording. */
export const ACCOUNT = accountId(1);

export interface BacktestStage {
  /** With the events that are really traded. */
  readonly settings: BotSettings;
  readonly backtest: BacktestSettings;
  readonly venue: VenueRules;
  readonly exchange: ExchangeConfig;
  readonly markets: readonly RunMarket[];
  /** Time of the first row of all recordings. */
  readonly start: Micros;
  /** What was done to recordings so that they could be traded on. */
  readonly notes: readonly string[];
  /** Of every event that a recording shows. */
  readonly recorded: ReadonlyMap<EventId, RecordedEvent>;
}

/** A pool of answers for a few replays: no client of a backtest asks again a day later. */
const IDEMPOTENCY_BYTES = 1 << 22;
/** What the simulated exchange remembers; nobody asks it how prices went. */
const RETENTION = { orders: 20_000, trades: 1_000, wagerActions: 1_000, priceSamples: 0 } as const;

/** @throws RecordingError when a recording decides an event otherwise than it can be decided */
export function stageOf(
  given: BotSettings,
  backtest: BacktestSettings,
  recordings: readonly RecordingSource[],
): BacktestStage {
  const settings = backtest.markets === 'recorded' ? withRecordedEvents(given, recordings) : given;
  const venue = venueRulesOf(given);
  const modes = venueModes(settings.events, recordings);
  refuseSecondWinners(settings.events, modes, recordings, backtest.markets);
  return {
    settings,
    backtest,
    venue,
    exchange: exchangeOf(settings, backtest, venue, { recordings, modes }),
    markets: runMarkets(settings, backtest, recordings),
    start: startOf(recordings),
    notes: [
      ...recordings.flatMap(({ name, notes }) => notes.map((note) => `${basename(name)}: ${note}`)),
      ...scopeNotes(settings, recordings),
      ...voidMarkets(settings, recordings),
      ...needlessModes(settings.events, recordings),
      ...(backtest.markets === 'recorded' ? gridNotes(recordings) : absentMarkets(given, recordings)),
    ],
    recorded: recordedEvents(recordings),
  };
}

const startOf = (recordings: readonly RecordingSource[]): Micros =>
  Math.min(...recordings.map(({ firstAt }) => firstAt)) as Micros;

/** A profit of nothing would look like a market in which nothing was earned. */
function voidMarkets({ events }: BotSettings, recordings: readonly RecordingSource[]): readonly string[] {
  const traded = new Set(events.flatMap((event) => event.markets.map(({ id }) => id)));
  const found = recordings.flatMap(({ markets }) => markets.filter((one) => one.resolution === 'void'));
  return found
    .filter((one) => traded.has(one.marketId))
    .map((one) => `market ${one.marketId} ended void: every stake in it came back, whatever was traded`);
}

function absentMarkets({ events }: BotSettings, recordings: readonly RecordingSource[]): readonly string[] {
  const recorded = new Set(recordings.flatMap(({ markets }) => markets.map((one) => one.marketId)));
  const absent = events.flatMap((event) => event.markets).filter(({ id }) => !recorded.has(id));
  return absent.map(({ id }) => `market ${id} is in no recording and was not traded`);
}

const NOWHERE = { restUrl: '', realtime: { key: '', host: '', port: 0 } } as const;

/** Of the venue that the file names, else of its exchange, else the public ones. */
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
      tickUnits: market.tickSize,
      depth: Math.max(1, Math.min(depth ?? Infinity, shownDepth(market.id, recordings))),
    }));
}

/** The shallowest recording of a market decides: what lies behind its levels is unseen. */
function shownDepth(market: MarketId, recordings: readonly RecordingSource[]): number {
  const depths = recordings.flatMap(({ markets }) =>
    markets.filter((one) => one.marketId === market && one.depth > 0).map(({ depth }) => depth),
  );
  return depths.length === 0 ? 1 : Math.min(...depths);
}

/** What recordings, and notes beside them, tell the simulated venue. */
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
  const ends = betEnds(recordings);
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
        betEnd: ends.get(event.id) ?? null,
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
        tickUnits: market.tickSize,
      }),
    ),
  });

/**
 * Betting on an event begins with its first row where others were recorded before: what is not recorded yet is no empty
 * market, and nobody looks at its books until then.
 */
function betStarts(recordings: readonly RecordingSource[]): ReadonlyMap<EventId, Micros> {
  const start = startOf(recordings);
  const starts = new Map<EventId, Micros>();
  for (const { eventId, firstAt } of recordings.flatMap(({ markets }) => markets))
    if (firstAt < (starts.get(eventId) ?? Infinity)) starts.set(eventId, firstAt);
  return new Map([...starts].filter(([, at]) => at > start));
}

/** When betting on events was scheduled to end, where notes beside the recordings say so for all their markets. */
function betEnds(recordings: readonly RecordingSource[]): ReadonlyMap<EventId, Micros | null> {
  const ends = new Map<EventId, Micros | null>();
  for (const source of recordings) {
    const notes = notesBeside(source.name);
    for (const market of source.markets) {
      const end = notes.get(market.marketId)?.betEnd ?? null;
      const known = ends.get(market.eventId);
      ends.set(market.eventId, known === undefined || known === end ? end : null);
    }
  }
  return ends;
}
