import { accountId, eventId, marketId } from '../domain/ids.js';
import type { ExchangeConfig } from '../exchange/contract.js';
import type { ExchangeSettings } from '../settings/index.js';

type EventSettings = ExchangeSettings['events'][number];
type AccountSettings = ExchangeSettings['accounts'][number];

/** Comments appear about five seconds after posting (specification 8). */
const COMMENT_DELAY_MS = 5_000;
/** Levels per `order-book-update` (specification 8). */
const TOP_N = 5;
/** Idempotency records are kept for a day, in memory at most 256 MB (facts, limits). */
const IDEMPOTENCY = { keptMs: 86_400_000, bytes: 256 * 1024 * 1024 } as const;

/** What the core of the exchange needs of its settings; listeners, keys and faults stay with the server. */
export function exchangeConfigOf(settings: ExchangeSettings): ExchangeConfig {
  return {
    duplicateWindowMs: settings.duplicateWindowMs,
    processingDelayMs: settings.processingDelayMs,
    commentDelayMs: COMMENT_DELAY_MS,
    topN: TOP_N,
    fees: settings.fees,
    idempotency: IDEMPOTENCY,
    accounts: settings.accounts.map(accountConfigOf),
    events: settings.events.map(eventConfigOf),
  };
}

function accountConfigOf(account: AccountSettings): ExchangeConfig['accounts'][number] {
  const { publicKey: _publicKey, privateKey: _privateKey, ...rest } = account;
  return { ...rest, id: accountId(account.id), following: account.following.map(accountId) };
}

/** An event of the file, or of the admin interface, in the exchange's own terms. */
export function eventConfigOf(event: EventSettings): ExchangeConfig['events'][number] {
  return {
    id: eventId(event.id),
    title: event.title,
    slug: event.slug ?? slugOf(event.title),
    description: event.description,
    resolutionMode: event.resolutionMode,
    category: event.category ?? { id: 0, name: 'General' },
    isBinary: event.isBinary ?? event.markets.length === 1,
    betStart: event.betStartDate,
    betEnd: event.betEndDate,
    eventStart: event.eventStartDate,
    eventEnd: event.eventEndDate,
    tax: event.tax,
    minAmount: event.minAmount,
    maxAmount: event.maxAmount,
    markets: event.markets.map(marketConfigOf),
  };
}

export function marketConfigOf(
  market: EventSettings['markets'][number],
): ExchangeConfig['events'][number]['markets'][number] {
  return {
    id: marketId(market.id),
    title: market.title,
    tickUnits: market.tickSize,
    longLabel: market.longLabel,
    shortLabel: market.shortLabel,
  };
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
