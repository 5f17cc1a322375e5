import { keepAlive } from './keep-alive.js';
import { orderRequest } from './requests.js';
import { serve } from './served.js';

/** What one process measured: orders a second, and the milliseconds of one request. */
export interface OrdersResult {
  readonly ordersPerSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const CONNECTIONS = 8;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 3_000;
/** Enough for warm-up and measurement at three times the aim. */
const PRE_SIGNED = 45_000;

/**
 * Sends orders over keep-alive connections for some seconds.
 * @param perRequest 1: single orders, signed as they are sent; more: batches of so many, signed beforehand
 */
export async function measureOrders(perRequest: number): Promise<OrdersResult> {
  const request = perRequest === 1 ? () => orderRequest(1) : preSigned(perRequest);
  const venue = await serve();
  const begin = performance.now() + WARM_UP_MS;
  const durations: number[] = [];
  const answered = (ms: number): boolean => {
    const now = performance.now();
    if (now >= begin) durations.push(ms);
    return now < begin + MEASURED_MS;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => keepAlive(venue.port, request, answered)));
  venue.stop();
  const seconds = (performance.now() - begin) / 1_000;
  durations.sort((a, b) => a - b);
  const quantile = (part: number): number => durations[Math.floor(durations.length * part)] ?? Number.NaN;
  return {
    ordersPerSecond: (durations.length * perRequest) / seconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
  };
}

function preSigned(perRequest: number): () => Buffer {
  const requests = Array.from({ length: PRE_SIGNED }, () => orderRequest(perRequest));
  let next = 0;
  return () => {
    const request = requests[next++];
    if (request === undefined) throw new Error('all pre-signed requests are sent; make more');
    return request;
  };
}
