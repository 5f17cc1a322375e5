/** Faults, ledger, trades and counts. */
import type { MarketId } from '../../domain/ids.js';
import type { ExchangeCore } from '../../exchange/contract.js';
import { type FaultPlan, faultProblem } from '../../venues/simulated/models/faults.js';
import type { FieldProblems } from '../../venues/futuur/protocol/errors.js';
import { integer, readQuery } from '../../venues/futuur/protocol/query.js';
import { type Answer, answered, refused, refusedFields } from '../http/answer.js';
import { faultsBody } from './bodies.js';
import type { AdminParts, AdminRoute } from './route.js';
import { ledgerBody, tradeBody } from './views.js';

const TRADES_QUERY = { market: integer() };

export const operationRoutes = ({ exchange, faults, counts }: AdminParts): readonly AdminRoute[] => [
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
  if (market !== null && exchange.eventOf(market) === null)
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
