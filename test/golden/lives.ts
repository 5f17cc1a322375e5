/** Lives of bots in virtual time as golden runs: every request that a bot handed to the network, its fills and its cash. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadBotSettings } from '../../src/settings/index.js';
import { runSeed } from '../support/simulation/scenario/run-seed.js';
import { MAKER, World } from '../support/simulation/world.js';
import { normal, type Outcome } from './runs.js';

const DEMO = fileURLToPath(new URL('../../config/demo.yaml', import.meta.url));
const MONEY = 1_000_000;

/** A life of the simulation, or so many minutes of the demo. */
export interface LifeOrder {
  readonly name: string;
  readonly seed?: number;
  readonly edition?: number;
  readonly demoMinutes?: number;
}

/** One after the other: they share nothing but the process. */
export async function outcomesOf(orders: readonly LifeOrder[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, seed, edition, demoMinutes } of orders) {
    const life = seed === undefined ? await demo(demoMinutes ?? 1) : await simulated(seed, edition);
    outcomes.push({ name, ...life });
  }
  return outcomes;
}

type Life = Omit<Outcome, 'name'>;

/** The bot of the demo on its exchange, without faults. */
async function demo(minutes: number): Promise<Life> {
  const { settings } = loadBotSettings(DEMO, {});
  const world = new World({ seed: 1, exchange: () => settings.exchange! });
  const told = listener(world);
  const bot = await world.start({ settings: () => settings });
  await world.run(minutes * 60_000);
  bot.stop();
  await world.runUntil('the bot has ended', () => bot.end !== null);
  bot.kill();
  return told();
}

async function simulated(seed: number, edition: number | undefined): Promise<Life> {
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-golden-'));
  let told = (): Life => ({ lines: [], fills: 0, profit: 0 });
  try {
    const chosen = edition === undefined ? {} : { edition: edition as 1 };
    const { findings } = await runSeed(seed, {
      folder,
      ...chosen,
      onWorld: (world) => (told = listener(world)),
    });
    const { lines, ...rest } = told();
    return { lines: [...lines, ...findings.map((finding) => JSON.stringify(finding))], ...rest };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Listens from now on. @returns tells what was heard, and the cash that the account has then */
function listener(world: World): () => Life {
  const lines: string[] = [];
  let fills = 0;
  // Of all currencies: it is compared, and counts nothing.
  const cash = (): number =>
    Object.values(world.venue.exchange.account(MAKER)!.wallet).reduce((sum, amount) => sum + amount, 0);
  const before = cash();
  world.record.listen((entry, at) => {
    if (entry.kind === 'handed') {
      const { run, endpoint, path, body } = entry.letter;
      lines.push(
        JSON.stringify(
          normal({ at, run, endpoint, path, body: body.startsWith('{') ? JSON.parse(body) : body }),
        ),
      );
    } else if (entry.kind === 'said')
      for (const event of entry.events)
        if (event.kind === 'trade')
          fills += [event.maker, event.taker].filter(({ account }) => account === MAKER).length;
  });
  return () => ({ lines, fills, profit: (cash() - before) / MONEY });
}
