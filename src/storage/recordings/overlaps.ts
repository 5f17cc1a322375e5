import type { MarketId } from '../../domain/ids.js';
import { RecordingError } from './recording-error.js';
import type { SurveyedMarket } from './survey.js';

/** From when to when somebody tells of a market. */
export type ToldMarket = Pick<SurveyedMarket, 'marketId' | 'firstAt' | 'lastAt' | 'line'>;

/** A recording and its markets. */
export interface ToldRecording {
  readonly name: string;
  readonly markets: readonly ToldMarket[];
}

/**
 * Two recordings of one market at one time would show its trades twice and its books in turns.
 * @throws RecordingError naming the second of the two, and its line
 */
export function refuseOverlaps(recordings: readonly ToldRecording[]): void {
  const seen = new Map<MarketId, { readonly name: string; readonly market: ToldMarket }[]>();
  for (const { name, markets } of recordings)
    for (const market of markets) {
      const others = seen.get(market.marketId) ?? [];
      const other = others.find((one) => overlap(one.market, market));
      if (other !== undefined)
        throw new RecordingError(
          name,
          market.line,
          `market ${market.marketId} stands in ${other.name} at the same time; a market has one recording at a time`,
        );
      seen.set(market.marketId, [...others, { name, market }]);
    }
}

/** One that begins where the other ends may be of the same rows: which of them stand in both cannot be known. */
const overlap = (one: ToldMarket, other: ToldMarket): boolean =>
  one.firstAt <= other.lastAt && other.firstAt <= one.lastAt;
