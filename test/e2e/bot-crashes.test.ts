/**
 * SIGKILL of the bot, of the exchange and of both, at random moments under load. More rounds than the five of every
 * run, with their totals:
 *
 *   ODDSMITH_CRASH_ROUNDS=50 npm run test:e2e -- bot-crashes
 */
import { expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';
import { CrashRounds } from '../support/house/crash-rounds.js';
import { House } from '../support/house/house.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const ROUNDS = Number(process.env['ODDSMITH_CRASH_ROUNDS'] ?? 5);
const SEED = Number(process.env['ODDSMITH_CRASH_SEED'] ?? 1);
const ROUND_MS = 120_000;
/** Files that a journal keeps, times the bytes of each. */
const JOURNAL_BOUND = 4 * 16 * 1_048_576;

it(
  `bot and exchange agree after each of ${ROUNDS} kills`,
  async () => {
    const house = await House.build(scratchFolder());
    onTestFinished(() => house.tearDown());
    const totals = await new CrashRounds(house, seededRandom(SEED)).run(ROUNDS);
    process.stdout.write(`${JSON.stringify(totals)}\n`);
    expect(totals).toMatchObject({
      rounds: ROUNDS,
      keysTwice: 0,
      ordersUnknown: 0,
      sumsNotZero: 0,
      differences: [],
      exitCode: 0,
    });
    expect(totals.keys).toBeGreaterThan(5 * ROUNDS);
    expect(totals.journalBytes).toBeLessThan(JOURNAL_BOUND);
  },
  ROUND_MS * (ROUNDS + 1),
);
