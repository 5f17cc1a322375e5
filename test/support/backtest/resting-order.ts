/** One order that rests through a whole recording, and what traded at its price or through it by the recording alone. */
import { MergedRecordings } from '../../../src/runs/backtest/merged-recordings.js';
import { MarketData } from '../../../src/runs/backtest/market-data.js';
import type { MarketId } from '../../../src/domain/ids.js';
import { accountId, eventId, marketId } from '../../../src/exchange/contract/ids.js';
import type { RecordedLine } from '../../../src/domain/recorded.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import type { Command, ExchangeEvent } from '../../../src/exchange/contract.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import { CAUTIOUS } from '../../../src/venues/simulated/models/liquidity.js';
import { front, power, type QueueModel, riskAverse } from '../../../src/venues/simulated/models/queue.js';
import type { RecordingSource, SurveyedMarket } from '../../../src/storage/index.js';

/** Of the long side; price units, share units. */
export interface RestingOrder {
  readonly marketId: MarketId;
  readonly side: 'bid' | 'ask';
  readonly price: number;
  readonly shares: number;
}

const ACCOUNT = accountId(1);
const RICH = 1_000_000_000_000_000 as Money;

/** As the three scenarios have it. */
const BELIEFS: readonly (readonly [QueueModel, 'fill' | 'ignore'])[] = [
  [riskAverse, 'ignore'],
  [power(1), 'fill'],
  [front, 'fill'],
];

/**
 * Share units filled under the three scenarios, pessimistic first; the order stands before the first book.
 * @param depth levels a side that are believed, of a recording that may show more
 */
export const filledUnderScenarios = (
  source: RecordingSource,
  order: RestingOrder,
  depth = Infinity,
): Promise<number[]> =>
  Promise.all(BELIEFS.map(([queue, crossing]) => filled(source, order, { queue, crossing, depth })));

async function filled(
  source: RecordingSource,
  order: RestingOrder,
  {
    queue,
    crossing,
    depth,
  }: { readonly queue: QueueModel; readonly crossing: 'fill' | 'ignore'; readonly depth: number },
): Promise<number> {
  const exchange = exchangeFor(source.markets, queue);
  let now = source.firstAt;
  let count = 0;
  const markets = source.markets.map((market, slot) => ({
    slot,
    ...market,
    depth: Math.max(1, Math.min(depth, market.depth)),
  }));
  const take = (events: readonly ExchangeEvent[]): void => {
    for (const event of events)
      if (event.kind === 'trade' && event.maker.account === ACCOUNT) count += event.shares;
  };
  const target = { show: (command: Command) => take(exchange.execute(command, now).events) };
  const marketData = new MarketData({ markets, mode: 'play_money', crossing, target });
  rest(exchange, order, now);
  for await (const { rows, from, to } of new MergedRecordings([source], markets).ranges())
    for (let row = from; row < to; row++) {
      const at = rows.block.at[row]! as Micros;
      if (at > now) marketData.close();
      now = at;
      marketData.row(rows, row);
    }
  marketData.close();
  return count;
}

/** A bid buys long, an ask buys short at one minus its price. */
function rest(exchange: Exchange, { marketId: id, side, price, shares }: RestingOrder, at: Micros): void {
  const outcome = exchange.execute(
    {
      kind: 'place-order',
      account: ACCOUNT,
      request: null,
      order: {
        marketId: marketId(id),
        eventId: null,
        side: 'bid',
        position: side === 'bid' ? 'long' : 'short',
        currency: 'OOM',
        price: side === 'bid' ? price : 10_000 - price,
        shares,
        amount: null,
        expiresAt: null,
        cancelConflicting: false,
      },
    },
    at,
  ).outcome;
  if (!outcome.ok) throw new Error(`the order was refused: ${JSON.stringify(outcome.refusal)}`);
}

const exchangeFor = (markets: readonly SurveyedMarket[], queue: QueueModel): Exchange =>
  new Exchange(
    exchangeConfig({
      accounts: [accountConfig({ id: ACCOUNT, username: 'us', balances: { OOM: RICH } })],
      events: [...new Set(markets.map((market) => market.eventId))].map((id) =>
        eventConfig({
          id: eventId(id),
          title: `Event ${id}`,
          resolutionMode: 'non_exclusive',
          minAmount: 1 as Money,
          maxAmount: RICH,
          markets: markets
            .filter((market) => market.eventId === id)
            .map((market) =>
              marketConfig({ id: marketId(market.marketId), title: 'Yes', tickUnits: market.tickUnits }),
            ),
        }),
      ),
    }),
    { ...CAUTIOUS, queue },
  );

/** Share units that traded at an order's price or through it. */
export function tradedAtOrThrough(
  lines: readonly RecordedLine[],
  { marketId: id, side, price }: RestingOrder,
): number {
  let traded = 0;
  for (const line of lines) {
    if (line.kind !== 'trade' || line.marketId !== id) continue;
    if (side === 'bid' ? line.price <= price : line.price >= price) traded += line.shares;
  }
  return traded;
}
