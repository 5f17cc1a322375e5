/** The report of a backtest counts the calls that its venue saw; whoever hears the same inputs counts the same. */
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { RunAnalysis } from '../../src/analytics/analysis.js';
import { RunAnalyst } from '../../src/analytics/run-analyst.js';
import { openScenario } from '../../src/runs/backtest/scenario-session.js';
import { setupOf } from '../../src/runs/backtest/backtest-setup.js';
import { MergedRecordings } from '../../src/runs/backtest/merged-recordings.js';
import type { ScenarioRun } from '../../src/runs/backtest/scenario-run.js';
import type { Stamped } from '../../src/domain/inputs.js';
import { type Micros, micros } from '../../src/domain/units.js';
import { Engine } from '../../src/core/engine/engine.js';
import { describeRun } from '../../src/core/engine/observing/describe-run.js';
import { severalObservers } from '../../src/core/engine/observing/observer.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import { RateLimit } from '../../src/exchange-server/http/rate-limit.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { openRecording } from '../../src/storage/index.js';
import { ROOT } from '../support/project/small-house.js';

/** A scenario before its first row, with what its engine is made of and an analyst that hears it. */
interface Opened {
  readonly run: ScenarioRun;
  readonly options: EngineOptions;
  readonly analyst: RunAnalyst;
  /** What was taken in before each decision; the last is not over yet. */
  readonly observations: Stamped[][];
}

const loaded = loadBotSettings(join(ROOT, 'config', 'backtest.yaml'), {});
const recording = await openRecording(join(ROOT, 'config/recordings/synthetic-rain.ndjson.gz'));
const setup = setupOf(loaded.settings, loaded.settings.backtest!, [recording]);

const analystOf = (options: EngineOptions): RunAnalyst =>
  new RunAnalyst(describeRun(options, { scenario: 'expected', startedAt: setup.start, assumptions: [] }));

async function opened(): Promise<Opened> {
  const observations: Stamped[][] = [[]];
  const listener = {
    took: (stamped: Stamped) => void observations.at(-1)!.push(stamped),
    did: () => void observations.push([]),
  };
  const heard: Pick<Opened, 'options' | 'analyst'>[] = [];
  const run = await openScenario(setup, loaded.source, 'expected', 'test', (options) => {
    const analyst = analystOf(options);
    heard.push({ options, analyst });
    return { observer: severalObservers([analyst, listener]) };
  });
  return { run, ...heard[0]!, observations };
}

/** @returns what the report says, and for how many calls the venue asked its limit: those that are signed */
async function played({ run, analyst }: Opened): Promise<{ analysis: RunAnalysis; signed: number }> {
  const take = vi.spyOn(RateLimit.prototype, 'take');
  for await (const range of new MergedRecordings([recording], setup.markets).ranges())
    Array.from(run.take(range));
  const { outcome, at } = run.finish();
  expect(outcome).toBe('clean');
  const signed = take.mock.calls.length;
  take.mockRestore();
  return { analysis: analyst.end(at, (market) => run.engine.depth(market)), signed };
}

/** The same inputs into an engine of its own, as from a tape. */
function replayed({ options }: Opened, observations: readonly Stamped[][], at: Micros): RunAnalysis {
  const analyst = analystOf(options);
  const engine = new Engine(options, setup.start, analyst);
  for (const observation of observations)
    for (const [index, stamped] of observation.entries())
      if (index < observation.length - 1) engine.take(stamped);
      else engine.step(stamped);
  return analyst.end(at, (market) => engine.depth(market));
}

it('counts calls as the venue does, and so does a replay of its inputs', async () => {
  const [one, other] = [await opened(), await opened()];
  const { analysis, signed } = await played(one);
  const { total, byKind } = analysis.requests;
  const { 'read-event': unsigned = 0, identify, 'authorize-channel': joins } = byKind;
  expect([identify, joins]).toEqual([1, 1]);
  expect(total - unsigned - identify! - joins!).toBe(signed);
  expect(total).toBe(Object.values(byKind).reduce((sum, calls) => sum + calls, 0));
  const again = replayed(other, one.observations, micros(analysis.endedAt));
  expect(again.requests).toEqual(analysis.requests);
  expect(again.total.sent).toEqual(analysis.total.sent);
});
