/**
 * Makes config/recordings/synthetic-rain.ndjson.gz: ten minutes of the bundled exchange under a virtual clock, with a
 * competing maker, noise and one who knows, to resolution. Run it with: npx tsx test/support/tape/make-recording.ts
 */
import * as ids from '../../../src/domain/ids.js';
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { accountId, eventId, marketId } from '../../../src/exchange/contract/ids.js';
import type { RecordedLine } from '../../../src/domain/recorded.js';
import { micros, money, type Micros, priceUnits, shares } from '../../../src/domain/units.js';
import type { BookLevelView, Command } from '../../../src/exchange/contract.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import {
  CompetingMaker,
  InformedTrader,
  NoiseTrader,
  type Participant,
  type Trader,
} from '../../../src/exchange/participants/index.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { writeNeutralLine } from './neutral-lines.js';

const FILE = 'config/recordings/synthetic-rain.ndjson.gz';
const SEED = 11;
const START = micros(Date.UTC(2026, 0, 5, 12) * 1_000);
const HORIZON = 10 * 60_000_000;
const END = micros(START + HORIZON);
const PAYOUT = micros(END + 5_000_000);
const DEPTH = 10;
const EVENT = eventId(300);
const MARKET = marketId(3001);

const account = (id: number, username: string) =>
  accountConfig({ id: accountId(id), username, balances: { OOM: money(1_000_000_000_000) } });

const exchange = new Exchange(
  exchangeConfig({
    accounts: [account(1, 'rival'), account(2, 'crowd'), account(3, 'insider')],
    events: [
      eventConfig({
        id: EVENT,
        title: 'Rain',
        betEnd: END,
        markets: [marketConfig({ id: MARKET, title: 'Yes' })],
      }),
    ],
  }),
);

const random = seededRandom(SEED);
const trader = (id: number): Trader => ({
  account: accountId(id),
  currency: 'OOM',
  markets: [{ id: MARKET, tickUnits: 100, minAmount: money(10_000) }],
});
const sizes = (min: number, max: number) => ({ sizeMin: shares(min * 100), sizeMax: shares(max * 100) });
const insider = new InformedTrader(
  trader(3),
  { ratePerS: 0.5, ...sizes(5, 40), probability: 0.55, horizonMicros: HORIZON },
  random.fork('insider'),
  START,
);
const participants: readonly Participant[] = [
  new CompetingMaker(
    trader(1),
    { halfSpread: priceUnits(200), ...sizes(20, 80), opinions: [0.55] },
    random.fork('rival'),
    START,
  ),
  new NoiseTrader(trader(2), { ratePerS: 2, ...sizes(1, 20) }, random.fork('crowd'), START),
  insider,
];

const lines: RecordedLine[] = [];
const place = (at: Micros) => ({ at, eventId: ids.eventId(EVENT), marketId: ids.marketId(MARKET) });
const status = (at: Micros, word: 'open' | 'closed' | 'resolved', resolution: 'long' | 'short' | null) =>
  lines.push({ ...place(at), kind: 'status', status: word, resolution, inPlay: false });

function execute(command: Command, at: Micros): void {
  for (const event of exchange.execute(command, at).events) {
    for (const participant of participants) participant.observe?.(event);
    if (event.kind !== 'trade') continue;
    const { price, shares: amount, takerBookSide } = event;
    lines.push({ ...place(at), kind: 'trade', price, shares: amount, takerSide: takerBookSide });
  }
}

let shown = '';
function recordBook(at: Micros): void {
  const book = exchange.book(MARKET, 'play_money', 'long', null);
  if (book === null) return;
  const side = (levels: readonly BookLevelView[]) => ({
    prices: levels.slice(0, DEPTH).map((level) => level.price),
    shares: levels.slice(0, DEPTH).map((level) => level.shares),
  });
  const picture = { bids: side(book.bids), asks: side(book.asks) };
  const text = JSON.stringify(picture);
  if (text !== shown) lines.push({ ...place(at), kind: 'book', ...picture });
  shown = text;
}

/** The participant that is due first, in the order of the list where several are. */
function nextOf(): { readonly participant: Participant; readonly at: Micros } | null {
  let next: { readonly participant: Participant; readonly at: Micros } | null = null;
  for (const participant of participants) {
    const at = participant.nextDue();
    if (at !== null && (next === null || at < next.at)) next = { participant, at };
  }
  return next !== null && next.at < END ? next : null;
}

status(START, 'open', null);
for (let next = nextOf(); next !== null; next = nextOf()) {
  for (const command of next.participant.act(next.at, exchange)) execute(command, next.at);
  recordBook(next.at);
}
status(END, 'closed', null);
status(PAYOUT, 'resolved', insider.resolvesLong(MARKET) ? 'long' : 'short');

mkdirSync('config/recordings', { recursive: true });
writeFileSync(FILE, gzipSync(`${lines.map(writeNeutralLine).join('\n')}\n`, { level: 9 }));
process.stderr.write(`${FILE}: ${lines.length} lines\n`);
