import { keepAlive } from './keep-alive.js';
import { orderRequest, readRequest } from './requests.js';
import { serve } from './served.js';

/** Milliseconds of one request of a user. */
export interface MarketsResult {
  readonly p50: number;
  readonly p99: number;
}

const WARM_UP_MS = 5_000;
const MEASURED_MS = 15_000;
/** A round of a maker meets one request of each connection, so a request without a pause would hide it. */
const PAUSE_MS = 10;
const MARKETS = 1_000;
const MAKER = 2;

/** Answers to a user of an exchange with 1,000 markets, while two makers quote all of them and two takers trade. */
export async function measureMarkets(): Promise<MarketsResult> {
  const venue = await serve(new URL('./markets-process.ts', import.meta.url));
  const begin = performance.now() + WARM_UP_MS;
  const durations: number[] = [];
  let made = 0;
  const request = (): Buffer => {
    made += 1;
    const market = String(1 + (made % MARKETS));
    if (made % 3 === 0) return orderRequest(1);
    if (made % 3 === 1) return readRequest(MAKER, `/orders/?market=${market}`, [['market', market]]);
    return readRequest(MAKER, `/markets/${market}/book/?currency_mode=play_money`, [
      ['currency_mode', 'play_money'],
    ]);
  };
  const answered = (ms: number): boolean => {
    const now = performance.now();
    if (now >= begin) durations.push(ms);
    return now < begin + MEASURED_MS;
  };
  await keepAlive(venue.port, request, answered, PAUSE_MS);
  venue.stop();
  durations.sort((a, b) => a - b);
  const quantile = (part: number): number => durations[Math.floor(durations.length * part)] ?? Number.NaN;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}
