/** A bot of many markets in virtual time: whether anything grows within a day, and whether an auditor finds anything. */
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { accountId } from '../../../src/exchange/contract/ids.js';
import { checkBotSettings, SettingsSource } from '../../../src/settings/index.js';
import { Auditor } from '../../support/simulation/auditor/auditor.js';
import { charterOf } from '../../support/simulation/scenario/charter.js';
import { statementOf } from '../../support/simulation/scenario/statement-of.js';
import type { SimulatedBot } from '../../support/simulation/simulated-bot.js';
import { World } from '../../support/simulation/world.js';
import { printFigure } from '../figures.js';
import { Collections } from '../../support/simulation/collections.js';
import { type Activity, type Allowance, botText, eventsOf, exchangeText } from './files.js';

export interface DayOptions extends Activity {
  readonly hours: number;
  readonly markets: number;
}

/** So that most of the day is no request to compare a book with. */
const ALLOWANCE: Allowance = { perMinute: 600, perDay: 120_000 };
const HOUR_MS = 3_600_000;
const EARLY_H = 2;
/** What lives as long as the bot is made within so long. */
const BEGINNING_MS = 60_000;
const SHARES = 10;
/** Whose orders make every book: 0.15 to 0.35, as of one outcome of four, and far more than anybody takes in a day. */
const RESTING = 4;
const WIDE = [
  ['long', 1_500],
  ['short', 6_500],
] as const;
const MANY = 500_000;
const UNEVENTFUL = {
  clock: { aheadMs: 0, driftPpm: 0 },
  happenings: [],
  troubleMs: 0,
  turnedAwayMs: 0,
  quietMs: 0,
} as const;
/** More than chance: a place that has grown by this factor since hour 2 is named. */
const GROWN = 1.5;
const GROWN_BY = 100;

/** Lives so many hours, and prints what they took. */
export async function day(options: DayOptions): Promise<void> {
  const { markets, hours } = options;
  const text = [
    botText({ port: 0, markets, shares: SHARES, mode: 'virtual' }),
    exchangeText(0, markets, options, ALLOWANCE),
  ].join('');
  const { settings } = checkBotSettings(
    SettingsSource.parse(text, join(import.meta.dirname, 'day.yaml'), {}),
  );
  const collections = new Collections();
  const world = new World({ exchange: () => settings.exchange! });
  const auditor = new Auditor({
    charter: charterOf(settings, world.exchangeSettings, UNEVENTFUL),
    exchange: () => world.venue.exchange,
    statement: () => null,
  });
  world.record.listen(auditor.note);
  for (const { markets: ids } of eventsOf(markets))
    for (const marketId of ids)
      for (const [position, price] of WIDE)
        world.place(accountId(RESTING), { marketId, side: 'bid', position, price, shares: MANY });
  const bot = await world.start({ settings: () => settings });
  await world.run(BEGINNING_MS);
  collections.end();
  const say = (figure: string, unit: string, values: readonly number[]): void =>
    printFigure({ bench: 'thousand', case: `virtual-${markets}`, engine: 'oddsmith', figure, unit, values });
  const heaps: number[] = [];
  const shares: number[] = [];
  let early: ReadonlyMap<string, number> = new Map();
  let requests = 0;
  for (let hour = 1; hour <= hours; hour += 1) {
    await world.run(HOUR_MS);
    requests += world.transport.seen.length;
    forget(world, bot);
    auditor.auditHoldings(statementOf(bot)!, world.now);
    const { markets: rows } = bot.view;
    shares.push((100 * rows.filter(({ quotes }) => quotes.length >= 2).length) / rows.length);
    heaps.push(heapInUse());
    if (hour === Math.min(EARLY_H, hours)) early = collections.sizes();
    process.stderr.write(
      `hour ${hour}: heap ${Math.round(heaps.at(-1)!)} MiB, ${requests} requests, ${bot.view.counts.fills} fills, ` +
        `${Math.round(shares.at(-1)!)} % quoted, ${auditor.findings.length} findings, ${Math.round(process.cpuUsage().user / 1e6)} s\n`,
    );
    process.stderr.write(`  ${reasonsOf(bot)}\n`);
    if (bot.broken !== null) throw new Error('the bot broke', { cause: bot.broken });
  }
  const late = collections.sizes();
  for (const [place, size] of late) {
    const before = early.get(place) ?? 0;
    if (size > GROWN * before && size - before > GROWN_BY)
      process.stderr.write(`grew: ${place} from ${before} to ${size}\n`);
  }
  for (const { rule, text: what } of auditor.findings.slice(0, 10))
    process.stderr.write(`${rule}: ${what}\n`);
  say('markets with quotes', '%', shares);
  say('heap, exchange and auditor included', 'MiB', heaps);
  say('entries in Maps and Sets at hour 2', '', [sumOf(early)]);
  say('entries in Maps and Sets at the end', '', [sumOf(late)]);
  say('requests', '', [requests]);
  say('fills', '', [bot.view.counts.fills]);
  say('findings of the auditor', '', [auditor.findings.length]);
}

/** Why markets have fewer than two quotes, and how many for each reason. */
function reasonsOf({ view }: SimulatedBot): string {
  const counts = new Map<string, number>();
  for (const { quotes, halted, refusedBy } of view.markets) {
    if (quotes.length >= 2) continue;
    const reason = halted ?? refusedBy ?? 'waits';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ');
}

/** What the simulation itself writes down is not the bot's memory. */
function forget(world: World, bot: SimulatedBot): void {
  world.takeSnapshot();
  for (const written of [world.transport.seen, world.journal.records, bot.inputs, bot.notices])
    written.length = 0;
}

const sumOf = (sizes: ReadonlyMap<string, number>): number =>
  [...sizes.values()].reduce((sum, one) => sum + one, 0);

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1_048_576;
}
