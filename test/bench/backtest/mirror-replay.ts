import type { BookInput } from '../../../src/domain/inputs.js';
import type { Levels } from '../../../src/domain/levels.js';
import { marketId } from '../../../src/domain/ids.js';
import type { Micros, PriceUnits, Shares } from '../../../src/domain/units.js';
import { Mirror } from '../../../src/core/mirror/mirror.js';
import { MIRROR_SETTINGS } from '../../support/mirror/mirror-settings.js';
import { type RecordingSource, ROW, type TapeBlock } from '../../../src/storage/index.js';
import { eventOf, marketOf } from '../../support/mirror/mirror-driver.js';

const SHOWN = 5;

/** A pass that applies every recorded book, five levels a side, to a mirror, and nothing else. */
export async function mirrorReplay(sources: readonly RecordingSource[]): Promise<() => Promise<number>> {
  const updates: BookInput[] = [];
  for (const source of sources) for await (const block of source.blocks()) push(updates, source, block);
  const events = sources.flatMap(({ markets }) =>
    // Each an event of its own.
    markets.map(({ eventId, marketId: id, tickUnits }) =>
      eventOf({ id: eventId, markets: [marketOf({ id, eventId, tickUnits })] }),
    ),
  );
  const quoted = events.flatMap((event) => event.markets.map(({ id }) => marketId(id)));
  return () => {
    const mirror = new Mirror({
      events,
      quoted,
      learnedGrids: [],
      settings: { ...MIRROR_SETTINGS, bookCacheMs: 3_000 },
    });
    let seq = 0;
    for (const input of updates) {
      mirror.apply({ seq: ++seq, at: input.venueTime, input });
      mirror.drainDirty();
    }
    return Promise.resolve(seq);
  };
}

function push(updates: BookInput[], source: RecordingSource, block: TapeBlock): void {
  for (let row = 0; row < block.rows; row++) {
    if (block.kind[row] !== ROW.book) continue;
    const market = source.markets[block.market[row]!]!;
    const from = block.first[row]!;
    const between = from + block.bids[row]!;
    updates.push({
      kind: 'book',
      eventId: market.eventId,
      marketId: market.marketId,
      mode: 'play_money',
      topN: SHOWN,
      bids: levels(block, from, between),
      asks: levels(block, between, between + block.asks[row]!),
      venueTime: block.at[row]! as Micros,
    });
  }
}

/** As frames give them: small integers where they fit. Spread columns would give numbers in boxes of their own. */
function levels(block: TapeBlock, from: number, to: number): Levels {
  const prices: PriceUnits[] = [];
  const shares: Shares[] = [];
  for (let at = from; at < Math.min(to, from + SHOWN); at++) {
    prices.push(block.prices[at]! as PriceUnits);
    shares.push(smallWhereItFits(block.shares[at]!) as Shares);
  }
  return { prices: prices.slice(), shares: shares.slice() };
}

const smallWhereItFits = (n: number): number => ((n | 0) === n ? n | 0 : n);
