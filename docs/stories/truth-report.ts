/** The truth report: what paper and shadow would have been filled, beside what the venue filled. */
import { join } from 'node:path';
import { RunRecorder } from '../../src/runs/recording/run-recorder.js';
import { bundledVenueOf } from '../../src/runs/exchange/exchange.js';
import { shadowOf } from '../../src/runs/shadow/shadow.js';
import { paperBesideLive } from '../../test/support/simulation/paper-sessions.js';
import { World } from '../../test/support/simulation/world.js';

const ADDRESS = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };

/** @param stateDir the recorded run is written there */
export async function truthReport(say: (line: string) => void, stateDir: string) {
  const { live, paper, table } = await paperBesideLive(1, 1);
  say('A minute with the same file and seed, live and on paper, an exchange each:');
  table.split('\n').forEach(say);

  const folder = await recorded(stateDir);
  const { figures } = await shadowOf(folder);
  say('A recorded run, its orders given to three simulated venues afterwards:');
  const shadow = figures.scenarios.map(({ name, simulated }) => ({ name, shares: simulated.shares }));
  for (const { name, shares } of shadow) say(`${name.padEnd(12)} ${shares.toFixed(2).padStart(10)} shares`);
  say(`${'the venue'.padEnd(12)} ${figures.real.shares.toFixed(2).padStart(10)} shares`);
  return { live, paper, shadow, real: figures.real.shares };
}

async function recorded(stateDir: string): Promise<string> {
  const world = new World({ seed: 1 });
  const settings = { ...world.botSettings, stateDir };
  const recorder = new RunRecorder({
    settings,
    venue: bundledVenueOf(world.exchangeSettings, ADDRESS),
    source: world.source,
    clock: world.clock,
    runId: 'truth',
    onFault: (error) => {
      throw error;
    },
  });
  const bot = await world.start({
    settings: () => settings,
    engine: (made) => {
      recorder.begins(made, world.now, 1);
      return made;
    },
    observer: recorder,
    onFrame: (frame, input) => recorder.frame(frame, input),
  });
  await world.run(60_000);
  bot.stop();
  await world.runUntil('the bot has ended', () => bot.end !== null);
  const decisions = { count: bot.view.counts.decisions, hash: bot.engine.decisionHash };
  recorder.ended(bot.end!, world.now, decisions);
  await recorder.close();
  return join(stateDir, 'runs', 'truth');
}
