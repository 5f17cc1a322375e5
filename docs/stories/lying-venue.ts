/** A lying venue: answers are lost or half true, books are old, lists are empty, frames vanish. In the end both sides agree. */
import { expectAgreement } from '../../test/support/simulation/agreement.js';
import { CALM, STORM } from '../../test/support/simulation/network.js';
import { World } from '../../test/support/simulation/world.js';

const LIES = [
  { on: 'POST /orders/batch/', kind: 'lose_answer', probability: 0.1 },
  { on: 'POST /orders/batch-update/', kind: 'error_after', probability: 0.1 },
  { on: 'POST /orders/batch/', kind: 'half_applied', probability: 0.05 },
  { on: 'GET /markets/{id}/book/', kind: 'stale_book', probability: 0.3 },
  { on: 'GET /orders/', kind: 'empty_list', probability: 0.2 },
  { on: 'GET /wagers/', kind: 'html_answer', probability: 0.2 },
] as const;

export async function lyingVenue(say: (line: string) => void) {
  const world = new World({ seed: 5 });
  const bot = await world.start();
  await world.run(10_000);
  say(`The bot trades: ${bot.view.counts.fills} fills in ten seconds.`);

  world.network.weather = STORM;
  world.venue.faults.replace({ seed: 5, rules: LIES });
  await world.run(60_000);
  const lies = [...world.struck.values()].reduce((sum, count) => sum + count, 0);
  const { fills } = bot.view.counts;
  say(`For a minute the venue lies ${lies} times, and a storm takes frames. ${fills} fills by now.`);

  world.venue.faults.replace({ seed: 0, rules: [] });
  world.network.weather = CALM;
  await world.run(150_000);
  bot.stop();
  await world.runUntil('the bot has ended', () => bot.end !== null, 180_000);
  await world.run(2_000);
  expectAgreement(world, bot);
  const { outcome, text } = bot.end!;
  say(`It tells the truth again. Orders, holdings and cash agree to the last unit. ${outcome}, ${text}.`);
  return { lies, fills, outcome };
}
