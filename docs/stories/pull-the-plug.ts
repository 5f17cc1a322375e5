/** Pull the plug: the bot is killed with quotes in the market, comes back, and then the venue dies, too. */
import { ordersAtVenue } from '../../test/support/simulation/agreement.js';
import { World } from '../../test/support/simulation/world.js';

export async function pullThePlug(say: (line: string) => void) {
  const world = new World({ seed: 3 });
  const first = await world.start();
  await world.run(10_000);
  const left = ordersAtVenue(world).map(({ id }) => Number(id));
  first.kill();
  say(`The bot is killed. ${left.length} orders of it stand, and nobody watches them.`);
  await world.run(5_000);

  const second = await world.start();
  const standing = (): number => ordersAtVenue(world).filter(({ id }) => left.includes(Number(id))).length;
  await world.runUntil('the orders of the dead bot are gone', () => standing() === 0);
  const quotes = (): boolean => ordersAtVenue(world).length > 0;
  await world.runUntil('the bot quotes again', quotes);
  say(`A new bot reads the journal, cancels what the dead one left, and quotes again.`);

  world.killVenue();
  say('The venue goes down.');
  await world.run(10_000);
  const halted = second.view.markets.filter(({ instance }) => instance !== null);
  const quoted = halted.filter((market) => market.halted === null).length;
  say(`The bot quotes ${quoted} of ${halted.length} markets, and tries to connect.`);
  const books = world.restartVenue('disk');
  await world.runUntil(
    'the bot quotes again',
    () => second.view.connection.state === 'connected' && quotes(),
  );
  say(`The venue comes back with the ${books} books. The bot reads everything, and quotes.`);

  second.stop();
  await world.runUntil('the bot has ended', () => second.end !== null, 120_000);
  const { outcome, text } = second.end!;
  say(`Ctrl-C: ${outcome}, ${text}.`);
  return { left: left.length, quoted, outcome, remaining: ordersAtVenue(world).length };
}
