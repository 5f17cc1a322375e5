/** New parameters: a sweep finds them, a canary tries them beside the present ones, and the bot takes them over while it runs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeCanary } from '../../src/runs/canary/judgement.js';
import { promoteIn } from '../../src/runs/canary/outcome.js';
import { sweepConfiguration } from '../../src/cli/commands/sweep.js';
import { currencyUnits } from '../../src/domain/units.js';
import { type BotSettings, loadBotSettings } from '../../src/settings/index.js';
import type { SweepReport } from '../../src/report/sweep-report.js';
import { ROOT } from '../../test/support/project/small-house.js';
import { ran } from '../../test/support/screen/told-command.js';
import type { SimulatedBot } from '../../test/support/simulation/simulated-bot.js';
import { World } from '../../test/support/simulation/world.js';

const SLICES = 12;

/** @param folder files of the story are written there */
export async function newParameters(say: (line: string) => void, folder: string) {
  const file = join(folder, 'bot.yaml');
  const shipped = readFileSync(join(ROOT, 'config', 'sweep.yaml'), 'utf8');
  writeFileSync(
    file,
    shipped.replace('recordings/', join(ROOT, 'config', 'recordings', '/')) + `stateDir: ${folder}\n`,
  );
  const told = await ran(() =>
    sweepConfiguration(file, {
      set: [
        'sweep.windows=2',
        'sweep.parameters={"instances.rain.params.halfSpread": ["0.01", "0.03"]}',
        'report.write=false',
      ],
      json: true,
      threads: 1,
    }),
  );
  const { ranking, candidates } = JSON.parse(told.text) as SweepReport;
  const found = String(candidates[ranking[0]!.candidate]!.values[0]);
  say(`A sweep on the recording ranks halfSpread ${found} first; the file has 0.02.`);

  const params = { halfSpread: found };
  const [now, next] = [await session(same), await session((settings) => changed(settings, found))];
  const samples: { now: number; next: number }[] = [];
  for (let slice = 0; slice <= SLICES; slice += 1) {
    samples.push({ now: profitOf(now.bot), next: profitOf(next.bot) });
    await now.world.run(4_000);
    await next.world.run(4_000);
  }
  const verdict = judgeCanary(samples, null);
  say(`A canary compares both in ${verdict.slices} slices of time: ${verdict.outcome}. ${verdict.text}`);

  await promoteIn(file, { instance: 'rain', params, for: 60_000, promote: 'by-hand' });
  const { settings } = loadBotSettings(file, {});
  const written = settings.instances[0]?.params['halfSpread'];
  const orders = now.bot.view.counts.ordersCreated;
  const answer = await now.bot.configure(changed(now.world.botSettings, String(written)));
  await now.world.run(5_000);
  const { name } = settings.instances[0]!;
  say(
    `A person promotes it all the same: the file says ${String(written)}, and the running bot takes it over.`,
  );
  now.bot.stop();
  await now.world.runUntil('the bot has ended', () => now.bot.end !== null, 120_000);
  return { found, written, name, slices: verdict.slices, orders, answer, outcome: now.bot.end!.outcome };
}

const same = (settings: BotSettings): BotSettings => settings;

const changed = (settings: BotSettings, halfSpread: string): BotSettings => ({
  ...settings,
  instances: settings.instances.map((one) =>
    one.name === 'rain' ? { ...one, params: { ...one.params, halfSpread } } : one,
  ),
});

/** The same seed: what moves the market moves both. */
async function session(settings: (settings: BotSettings) => BotSettings) {
  const world = new World({ seed: 9 });
  return { world, bot: await world.start({ settings }) };
}

const profitOf = ({ view }: SimulatedBot): number => currencyUnits(view.profit);
