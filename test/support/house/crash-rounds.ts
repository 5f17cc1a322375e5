/** Kills bot and exchange of a house again and again at random moments under load, and counts what that cost. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../../src/core/ports/random.js';
import type { BotSight } from './bot-sight.js';
import type { Child } from './child.js';
import type { House, RunningBot } from './house.js';
import { keysIn } from './venue-log.js';
import { until } from '../process/until.js';

export interface RoundTotals {
  readonly rounds: number;
  readonly botKills: number;
  readonly exchangeKills: number;
  readonly ordersCreated: number;
  readonly fills: number;
  readonly keys: number;
  /** Keys under which the venue created orders more than once. */
  readonly keysTwice: number;
  /** Rounds after which the venue showed orders that the bot did not withdraw. */
  readonly ordersUnknown: number;
  readonly sumsNotZero: number;
  /** Rounds after which the bot's holdings or cash were not the venue's, with both views. */
  readonly differences: readonly string[];
  readonly journalBytes: number;
  /** Of the last bot, which is asked to stop. */
  readonly exitCode: number | null;
}

type Victim = 'bot' | 'exchange' | 'both';

/** Requests of a round before the kill, at most. */
const MOST_REQUESTS = 40;
const SETTLED_MS = 30_000;
const LAST_WORDS = 5_000;

export class CrashRounds {
  #exchange: Child | null = null;
  #bot: RunningBot | null = null;
  readonly #totals = {
    rounds: 0,
    botKills: 0,
    exchangeKills: 0,
    ordersCreated: 0,
    fills: 0,
    ordersUnknown: 0,
    sumsNotZero: 0,
    differences: [] as string[],
    journalBytes: 0,
  };

  constructor(
    private readonly house: House,
    private readonly random: Random,
  ) {}

  async run(rounds: number): Promise<RoundTotals> {
    this.#exchange = await this.house.exchange();
    this.#bot = await this.house.bot();
    for (let round = 0; round < rounds; round++) await this.#round();
    const exitCode = await this.#bot.child.end('SIGTERM');
    await this.#exchange.end('SIGTERM');
    const { keys, twice } = keysIn(this.house.dataDir, join(this.house.dir, 'exchange.yaml'));
    return { ...this.#totals, keys, keysTwice: twice, exitCode };
  }

  async #round(): Promise<void> {
    await this.#load();
    await this.#strike((['bot', 'exchange', 'both'] as const)[this.random.below(3)]!);
    const { sight } = this.#bot!;
    await this.#quotes('after the kill');
    await this.#judge(sight);
    await sight.command('/resume');
    await this.#quotes('after the resume');
    this.#totals.rounds += 1;
  }

  /** @throws Error with what the bot said when it does not */
  async #quotes(when: string): Promise<void> {
    const { child, sight } = this.#bot!;
    try {
      await until(`the bot to quote ${when}`, () => sight.quotes());
    } catch (cause) {
      const shown = (await sight.metrics()).gauges();
      throw new Error(`no quotes ${when}:\n${child.said.slice(-LAST_WORDS)}\n${shown}`, { cause });
    }
  }

  /** Until a random number of requests has left since now. */
  async #load(): Promise<void> {
    const { sight } = this.#bot!;
    const sent = async (): Promise<number> => (await sight.metrics()).value('oddsmith_requests_total');
    const enough = (await sent()) + 1 + this.random.below(MOST_REQUESTS);
    await until('load', async () => (await sent()) >= enough);
  }

  async #strike(victim: Victim): Promise<void> {
    if (victim !== 'exchange') {
      await this.#note();
      await this.#bot!.child.end('SIGKILL');
      this.#totals.botKills += 1;
    }
    if (victim !== 'bot') {
      await this.#exchange!.end('SIGKILL');
      this.#totals.exchangeKills += 1;
      this.#exchange = await this.house.exchange();
    }
    if (victim !== 'exchange') this.#bot = await this.house.bot();
  }

  /** Counts of a run end with its process. */
  async #note(): Promise<void> {
    const metrics = await this.#bot!.sight.metrics();
    this.#totals.ordersCreated += metrics.value('oddsmith_orders_created_total');
    this.#totals.fills += metrics.value('oddsmith_fills_total');
  }

  /** Behind the kill switch nothing moves any more, and both sides can be compared. */
  async #judge(sight: BotSight): Promise<void> {
    const { house } = this;
    await sight.command('/kill');
    if (!(await settles(() => house.isEmpty()))) this.#totals.ordersUnknown += 1;
    const views = async (): Promise<readonly string[]> => {
      const [ledger, metrics] = await Promise.all([house.ledger(), sight.metrics()]);
      return [ledger, metrics].map(({ shares, cash }) => JSON.stringify([sorted(shares), cash]));
    };
    const agree = async (): Promise<boolean> => new Set(await views()).size === 1;
    if (!(await settles(agree))) this.#totals.differences.push((await views()).join(' is not '));
    if ((await house.ledger()).sum !== 0) this.#totals.sumsNotZero += 1;
    this.#totals.journalBytes = Math.max(this.#totals.journalBytes, journalBytes(house));
  }
}

const sorted = (value: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Whether it becomes so within the time that reading again takes. */
async function settles(condition: () => Promise<boolean>): Promise<boolean> {
  try {
    await until('agreement', condition, SETTLED_MS);
    return true;
  } catch {
    return condition();
  }
}

function journalBytes({ dir }: House): number {
  const accounts = join(dir, '.oddsmith', 'accounts');
  return readdirSync(accounts, { recursive: true, encoding: 'utf8' })
    .filter((path) => /[/]journal[/]/.test(path))
    .reduce((sum, path) => sum + statSync(join(accounts, path)).size, 0);
}
