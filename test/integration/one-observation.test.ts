/** What reaches the bot of a backtest at one time is taken in together before it decides. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openScenario } from '../../src/runs/backtest/scenario-session.js';
import { setupOf } from '../../src/runs/backtest/backtest-setup.js';
import { MergedRecordings } from '../../src/runs/backtest/merged-recordings.js';
import type { Stamped } from '../../src/domain/inputs.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { openRecording } from '../../src/storage/index.js';
import { ROOT } from '../support/project/small-house.js';

/** @returns the inputs of every decision, in order */
async function observationsOf(...overrides: readonly string[]): Promise<readonly (readonly Stamped[])[]> {
  const observations: Stamped[][] = [];
  let open: Stamped[] = [];
  const observer = {
    took: (stamped: Stamped) => void open.push(stamped),
    did: () => {
      observations.push(open);
      open = [];
    },
  };
  const { settings, source } = loadBotSettings(join(ROOT, 'config', 'backtest.yaml'), {}, overrides);
  const recording = await openRecording(join(ROOT, 'config', 'recordings', 'synthetic-rain.ndjson.gz'));
  const setup = setupOf(settings, settings.backtest!, [recording]);
  const scenario = await openScenario(setup, source, 'expected', 'test', () => ({ observer }));
  for await (const range of new MergedRecordings([recording], setup.markets).ranges())
    Array.from(scenario.take(range));
  expect(scenario.finish().outcome).toBe('clean');
  return observations;
}

const kindsOf = (observation: readonly Stamped[]): ReadonlySet<string> =>
  new Set(observation.map(({ input }) => input.kind));

/** From the wire: neither a timer, nor a command, nor the answer to what never left. */
const arrived = ({ input }: Stamped): boolean =>
  input.kind === 'answer' ? input.sentAt !== null : input.kind !== 'timer' && input.kind !== 'command';

it('an order, the book it led to and the answer of one time lead to one decision', async () => {
  const observations = await observationsOf();
  const kinds = observations.map(kindsOf);
  const together = kinds.filter((all) => ['order', 'book', 'answer'].every((one) => all.has(one)));
  expect(together.length).toBeGreaterThan(50);
  for (const observation of observations) expect(new Set(observation.map(({ at }) => at)).size).toBe(1);
  const heard = observations.filter((observation) => observation.every(arrived)).map(([first]) => first!.at);
  expect(new Set(heard).size).toBe(heard.length);
});

it('an answer that takes longer than a frame comes by itself', async () => {
  const observations = await observationsOf('backtest.latency={feedMs: 20, requestMs: 25, responseMs: 40.5}');
  const answers = observations.filter((observation) => kindsOf(observation).has('answer'));
  const alone = answers.filter(({ length }) => length === 1);
  expect(alone.length).toBeGreaterThan(0.9 * answers.length);
});
