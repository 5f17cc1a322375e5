/** What administrators do in the name of accounts, and the test event. */
import type { AccountId, EventId, MarketId } from '../../exchange/contract/ids.js';
import type { Deposit, SetMarketStatus, LedgerView, TradeRow } from '../../exchange/contract.js';
import type { ExchangeCore } from '../../exchange/exchange.js';
import { readMoney, formatMoney, formatPrice, formatShares } from '../../venues/futuur/protocol/decimals.js';
import { type InputReading, read } from '../http/order-input.js';
import {
  commentBody,
  depositBody,
  eventStatusBody,
  liveBody,
  marketStatusBody,
  resolveBody,
  faultsBody,
  type AdminParts,
  type AdminRequest,
  type AdminRoute,
  commanding,
  made,
} from './route.js';
import { readOptionalTimestamp, formatMicroseconds } from '../../venues/futuur/protocol/timestamps.js';
import { type FaultPlan, faultProblem } from '../../venues/simulated/models/faults.js';
import type { FieldProblems } from '../../venues/futuur/protocol/errors.js';
import { integer, readQuery } from '../../venues/futuur/protocol/query.js';
import { type Answer, answered, refused, refusedFields } from '../http/answer.js';

export const accountRoutes = (parts: AdminParts): readonly AdminRoute[] => [
  commanding(parts, '/admin/accounts/:id/deposit/', readDeposit),
  commanding(parts, '/admin/events/:id/comments/', ({ id, body }) =>
    read(commentBody, body, ({ user, content }) => ({
      kind: 'post-comment',
      eventId: id as EventId,
      account: user as AccountId,
      content,
    })),
  ),
  commanding(parts, '/admin/test-event/', () => ({ ok: true, value: { kind: 'send-test-event' } })),
];

const readDeposit = ({ id, body }: AdminRequest): InputReading<Deposit> =>
  read(depositBody, body, ({ currency, amount }) => ({
    kind: 'deposit',
    account: id as AccountId,
    currency,
    amount: readMoney(amount, 'amount'),
  }));

/** Events and markets: adding them, their status, resolution and live data. */

export const eventRoutes = (parts: AdminParts): readonly AdminRoute[] => [
  commanding(parts, '/admin/events/', ({ body }) =>
    made(parts.readers.event(body), (event) => ({ kind: 'add-event', event })),
  ),
  commanding(parts, '/admin/events/:id/markets/', ({ id, body }) =>
    made(parts.readers.market(body), (market) => ({ kind: 'add-market', eventId: id as EventId, market })),
  ),
  commanding(parts, '/admin/events/:id/status/', ({ id, body }) =>
    read(eventStatusBody, body, ({ status }) => ({
      kind: 'set-event-status',
      eventId: id as EventId,
      status,
    })),
  ),
  commanding(parts, '/admin/markets/:id/status/', readMarketStatus),
  commanding(parts, '/admin/events/:id/resolve/', ({ id, body }) =>
    read(resolveBody, body, ({ resolutions }) => ({
      kind: 'resolve-event',
      eventId: id as EventId,
      resolutions: Object.entries(resolutions).map(([market, resolution]) => ({
        marketId: Number(market) as MarketId,
        resolution,
      })),
    })),
  ),
  commanding(parts, '/admin/events/:id/reverse/', ({ id }) => ({
    ok: true,
    value: { kind: 'reverse-event', eventId: id as EventId },
  })),
  commanding(parts, '/admin/events/:id/live/', ({ id, body }) =>
    read(liveBody, body, ({ isLive, extraData = null }) => ({
      kind: 'set-live',
      eventId: id as EventId,
      isLive,
      extraData,
    })),
  ),
];

/** What the body does not name stays as it is. */
const readMarketStatus = ({ id, body }: AdminRequest): InputReading<SetMarketStatus> =>
  read(marketStatusBody, body, ({ status, disabled, betEndDate }) => ({
    kind: 'set-market-status',
    marketId: id as MarketId,
    ...(status === undefined ? {} : { status }),
    ...(disabled === undefined ? {} : { disabled }),
    ...(betEndDate === undefined ? {} : { betEnd: readOptionalTimestamp(betEndDate, 'betEndDate') }),
  }));

/** Faults, ledger, trades and counts. */

const TRADES_QUERY = { market: integer() };

export const operationRoutes = ({
  exchange,
  faults,
  counts,
  participants,
}: AdminParts): readonly AdminRoute[] => [
  {
    method: 'POST',
    path: '/admin/faults/',
    handle: ({ body }) => {
      if (!faultsBody.accepts(body)) return refusedFields(faultsBody.problems(body));
      const { seed = 1, rules } = body;
      const problems = planProblems({ seed, rules });
      if (Object.keys(problems).length > 0) return refusedFields(problems);
      faults.replace({ seed, rules });
      return answered({});
    },
  },
  {
    method: 'GET',
    path: '/admin/faults/',
    handle: () => answered(faults.plan),
  },
  {
    method: 'GET',
    path: '/admin/participants/',
    handle: () => answered(participants),
  },
  {
    method: 'GET',
    path: '/admin/ledger/',
    handle: () => answered(ledgerBody(exchange.ledger())),
  },
  {
    method: 'GET',
    path: '/admin/counts/',
    handle: () => answered(counts()),
  },
  {
    method: 'GET',
    path: '/admin/trades/',
    handle: ({ pairs }) => {
      const query = readQuery(TRADES_QUERY, pairs);
      if (!query.ok) return refusedFields(query.fields);
      return trades(exchange, (query.values.market ?? null) as MarketId | null);
    },
  },
];

function trades(exchange: ExchangeCore, market: MarketId | null): Answer {
  if (market !== null && exchange.market(market) === null)
    return refused('NotFound', `there is no market ${market}`);
  return answered(exchange.trades(market).map(tradeBody));
}

function planProblems({ rules }: FaultPlan): FieldProblems {
  const problems: Record<string, readonly string[]> = {};
  for (const [index, rule] of rules.entries()) {
    const problem = faultProblem(rule);
    if (problem !== null) problems[`rules.${index}.${problem.field}`] = [problem.message];
  }
  return problems;
}

/** Ledger and trades as the admin interface shows them: money and shares as decimal texts. */

const ledgerBody = ({ accounts, system, sum }: LedgerView): object => ({
  accounts: accounts.map(({ id, currency, cash, locked, shares }) => ({
    id,
    currency,
    cash: formatMoney(cash),
    locked: formatMoney(locked),
    shares: shares.map((holding) => ({
      market: holding.marketId,
      position: holding.position,
      shares: formatShares(holding.shares),
      locked: formatShares(holding.locked),
    })),
  })),
  system: system.map(({ name, currency, amount }) => ({ name, currency, amount: formatMoney(amount) })),
  sum: Object.fromEntries(Object.entries(sum).map(([currency, amount]) => [currency, formatMoney(amount)])),
});

const tradeBody = (trade: TradeRow): object => ({
  id: trade.id,
  market: trade.marketId,
  currency_mode: trade.mode,
  price: formatPrice(trade.price),
  shares: formatShares(trade.shares),
  settlement: trade.settlement,
  taker_book_side: trade.takerBookSide,
  taker_order: trade.takerOrderId,
  maker_order: trade.makerOrderId,
  taker_account: trade.takerAccount,
  maker_account: trade.makerAccount,
  taker_fee: formatMoney(trade.takerFee),
  maker_fee: formatMoney(trade.makerFee),
  timestamp: formatMicroseconds(trade.at),
});
