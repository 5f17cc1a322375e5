/** How much a backtest had to go by: where little is recorded, little is said of a strategy. */
import type { RunAnalysis } from '../../analytics/analysis.js';
import { marketId } from '../../domain/ids.js';
import type { BotSettings } from '../../settings/index.js';
import type { RecordingSource, SurveyedMarket } from '../../storage/index.js';

/** What is recorded of the markets that were traded. */
export interface RecordedScope {
  /** From the first row to the last, what lies between recordings included. */
  readonly seconds: number;
  readonly markets: number;
  readonly books: number;
  readonly trades: number;
  /** Of all figures of the run. */
  readonly currency: string;
  /** Share of the time in which quotes stood on both sides, in the headline's scenario; null where it was not analysed. */
  readonly quotedShare: number | null;
}

type Surveyed = Pick<RecordingSource, 'markets'>;

/** @param headline what the headline's scenario was found to be; undefined: it was not analysed */
export function recordedScope(
  settings: Pick<BotSettings, 'events' | 'currency'>,
  recordings: readonly Surveyed[],
  headline: RunAnalysis | undefined,
): RecordedScope {
  const traded = tradedMarkets(settings, recordings);
  const times = traded.flatMap(({ firstAt, lastAt }) => [firstAt, lastAt]);
  return {
    seconds: times.length === 0 ? 0 : (Math.max(...times) - Math.min(...times)) / 1_000_000,
    markets: new Set(traded.map((market) => market.marketId)).size,
    books: traded.reduce((sum, { books }) => sum + books, 0),
    trades: traded.reduce((sum, { trades }) => sum + trades, 0),
    currency: settings.currency,
    quotedShare: headline?.total.quoting.uptime ?? null,
  };
}

/** Why a backtest may show no fills at all. */
export function scopeNotes(
  settings: Pick<BotSettings, 'events'>,
  recordings: readonly Surveyed[],
): readonly string[] {
  const traded = tradedMarkets(settings, recordings);
  if (traded.length === 0 || traded.some(({ trades }) => trades > 0)) return [];
  return ['no trades are recorded: resting orders fill only where a level of the book crosses them'];
}

function tradedMarkets(
  { events }: Pick<BotSettings, 'events'>,
  recordings: readonly Surveyed[],
): readonly SurveyedMarket[] {
  const traded = new Set(events.flatMap((event) => event.markets.map(({ id }) => marketId(id))));
  return recordings.flatMap(({ markets }) => markets.filter((market) => traded.has(market.marketId)));
}
