/** The schema of paper trading: starting cash, and what the simulated venue does, with the keys of a backtest. */
import { z } from 'zod';
import { backtestSchema, SCENARIOS, type ScenarioName } from './backtest-schema.js';

const { balance, latency, duplicateWindowMs, processingDelayMs, scenarios } = backtestSchema.shape;

/** What names of paper accounts begin with; no venue's own account is called so. */
export const PAPER_ACCOUNT = 'paper';

export const paperSchema = z
  .strictObject({
    account: z
      .string()
      .regex(/^paper(-[a-z0-9]+)*$/, 'expected paper, or a name that begins with paper-, such as paper-wide')
      .default(PAPER_ACCOUNT)
      .describe('name of the paper account; each has a state folder of its own'),
    balance,
    scenario: z
      .enum(SCENARIOS)
      .nullable()
      .default(null)
      .describe('how fills are believed to come; null: backtest.headline, else pessimistic'),
    latency,
    duplicateWindowMs,
    processingDelayMs,
    scenarios: scenarios.describe('how fills are believed to come, as in backtest.scenarios'),
  })
  .prefault({});

type PaperSettings = z.output<typeof paperSchema>;

interface Scenarios {
  readonly paper: Pick<PaperSettings, 'scenario'>;
  readonly backtest: { readonly headline: ScenarioName } | null;
}

/** The scenario that fills the orders of a paper run. */
export const paperScenarioOf = ({ paper, backtest }: Scenarios): ScenarioName =>
  paper.scenario ?? backtest?.headline ?? 'pessimistic';
