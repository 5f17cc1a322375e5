/** One seed: a house, what befalls it, and what the auditor says to that. */
import { join } from 'node:path';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { Auditor } from '../auditor/auditor.js';
import type { Finding } from '../auditor/rule.js';
import { statementOf } from './statement-of.js';
import { charterOf } from './charter.js';
import { ALONE, companyOf } from './company.js';
import { type Edition, LATEST } from '../edition.js';
import { Machine } from '../host.js';
import { type Seam, UNCHANGED } from '../seam.js';
import { type HouseWorld, World, type WorldOptions } from '../world.js';
import { Director } from './director.js';
import { Disk } from './disk.js';
import { Draws } from './draws.js';
import type { Story } from './happening.js';
import { withFavourites } from './favourites.js';
import { handsOf } from './hands.js';
import { withHabits } from './habits.js';
import { type House, houseOf } from './house.js';
import { leapsOf } from './leaps.js';
import { joined, storyOf } from './story.js';
import { turnsOf } from './turns.js';
import { Watch, type Watching } from './watch.js';

export interface SeedReport {
  readonly seed: number;
  readonly virtualMs: number;
  /** Faults injected, by kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly requests: number;
  readonly findings: readonly Finding[];
}

export interface SeedOptions {
  /** What outlives a process of the bot lies here while the seed runs. */
  readonly folder: string;
  readonly seam?: Seam;
  /** A world with another venue, which has play money alone; nobody watches over its bot. */
  readonly makeWorld?: (options: WorldOptions) => HouseWorld;
  /** The latest when left out. */
  readonly edition?: Edition;
  /** Stops at the first finding. */
  readonly isImpatient?: boolean;
  /** Reads along. */
  readonly onWorld?: (world: World, story: Story) => void;
}

export async function runSeed(seed: number, options: SeedOptions): Promise<SeedReport> {
  const edition = options.edition ?? LATEST;
  const isOther = options.makeWorld !== undefined;
  const { house, story, isWhole, watching } = drawn(seed, edition, isOther);
  const built = { seed, exchange: house.exchange, opinion: house.opinion };
  const futuur = isOther ? null : new World(built);
  const world = futuur ?? options.makeWorld!(built);
  if (futuur !== null) options.onWorld?.(futuur, story);
  const machine = new Machine(world.clock, story.clock);
  const { folder, seam = UNCHANGED } = options;
  const disk = new Disk({ folder, isWhole });
  const watch =
    watching === null || futuur === null
      ? null
      : new Watch({ ...watching, world: futuur, house, machine, folder: join(folder, 'state') });
  const director = new Director({ world, house, machine, seam, seed, disk, watch, edition });
  const auditor = new Auditor({
    charter: charterOf(house.bot(world.botSettings), world.exchangeSettings, story),
    exchange: () => world.venue.exchange,
    statement: () => statementOf(director.runs.latest),
  });
  world.record.listen(auditor.note);
  const play = new Play(world, director, auditor, {
    isImpatient: options.isImpatient === true,
    leaves: isOther,
  });
  const findings = await play.perform(story);
  if (auditor.quotedHoursOf429 > 0) director.quotesWereTurnedAway();
  return { seed, findings, ...totals(world, director, watch) };
}

interface Drawn {
  readonly house: House;
  readonly story: Story;
  /** Of what outlives a process of the bot. */
  readonly isWhole: boolean;
  /** null: nobody does. */
  readonly watching: Watching | null;
}

/** Each from a stream of its own, so that what is added later changes nothing of what was drawn before. */
function drawn(seed: number, edition: Edition, hasOneCurrency: boolean): Drawn {
  const random = seededRandom(`scenario ${seed}`);
  const draws = (name: string): Draws => new Draws(random.fork(name));
  const any = edition === 1 ? ALONE : companyOf(draws('account'));
  const company = hasOneCurrency ? { ...ALONE, hasPerson: any.hasPerson } : any;
  const plain = houseOf({ house: draws('house'), guards: draws('guards'), company });
  const isWild = edition > 2 && draws('edition').chance(0.5);
  const usual = isWild ? withHabits(plain, draws('habits')) : plain;
  const house = edition > 4 && draws('favourites').chance(0.35) ? withFavourites(usual) : usual;
  const story = storyOf(draws('story'), draws('rare'));
  const turns = isWild ? turnsOf(draws('turns'), story.troubleMs) : [];
  const hands = handsOf(draws('hands'), { company, markets: house.sharedMarkets, forMs: story.troubleMs });
  const leaps = edition > 3 ? leapsOf(draws('leaps'), story.troubleMs) : [];
  const isWhole = edition > 1 && draws('disk').chance(0.3);
  const watching = isWild ? watchingOf(draws('watch')) : null;
  return { house, story: [hands, turns, leaps].reduce(joined, story), isWhole, watching };
}

const watchingOf = (draws: Draws): Watching => ({
  silenceMs: draws.oneOf([null, null, 1_500, 5_000]),
  clearsAfterMs: draws.whole(500, 8_000),
});

const MINUTE_MS = 60_000;
/** A frame that was lost is made up for by a routine read of the account, and one more that confirms it. */
const SOON_MS = 80_000;
/** With a drift of 200 ppm, and a moment for what comes of it. */
const SLOWEST = 0.999;

class Play {
  constructor(
    private readonly world: HouseWorld,
    private readonly director: Director,
    private readonly auditor: Auditor,
    private readonly manner: { readonly isImpatient: boolean; readonly leaves: boolean },
  ) {}

  async perform(story: Story): Promise<readonly Finding[]> {
    const { director } = this;
    await director.start();
    let nowMs = 0;
    for (const { atMs, happening } of story.happenings) {
      await this.world.run(atMs - nowMs);
      nowMs = atMs;
      if (this.isOver) return this.end();
      await director.perform(happening);
    }
    await this.world.run(story.troubleMs - nowMs);
    await director.calm();
    if (story.turnedAwayMs > 0) await this.turnAway(story.turnedAwayMs);
    await this.world.run(SOON_MS);
    this.judgeHoldings();
    await this.world.run(story.quietMs - SOON_MS);
    this.judgeQuiet();
    if (this.manner.leaves) await this.leave();
    return this.end();
  }

  /** The bot is stopped, and withdraws everything. */
  private async leave(): Promise<void> {
    const { director, auditor, world } = this;
    const bot = director.runs.latest;
    if (bot === null || bot.end !== null) return;
    bot.stop();
    await this.world.run(MINUTE_MS);
    const outcome = (bot as { readonly end: { readonly outcome: string } | null }).end?.outcome ?? 'none';
    const left = auditor.working.length;
    if (outcome !== 'clean' || left > 0)
      auditor.find('withdrawal', `the stop ended ${outcome}, and ${left} orders stand`, world.now);
  }

  /** The silence begins while quotes stand, and is over by the clock of the bot, however slowly that goes. */
  private async turnAway(forMs: number): Promise<void> {
    await this.world.run(MINUTE_MS);
    this.director.turnAway(forMs);
    await this.world.run(MINUTE_MS);
    this.director.turnAway(null);
    await this.world.run(forMs / SLOWEST);
  }

  private get isOver(): boolean {
    return this.manner.isImpatient && this.auditor.findings.length > 0;
  }

  private judgeHoldings(): void {
    const { director, auditor, world } = this;
    const bot = director.runs.latest;
    // One that is leaving reads what it holds once nothing of it stands.
    const statement = bot?.view.phase === 'stopping' ? null : statementOf(bot);
    if (statement !== null) auditor.auditHoldings(statement, world.now);
  }

  private judgeQuiet(): void {
    const { director, auditor, world } = this;
    const statement = statementOf(director.runs.latest);
    if (statement !== null) auditor.auditQuiet(statement, world.now);
    else if (!director.runs.isFencedForGood) auditor.find('quiet', 'no bot runs at the end', world.now);
  }

  private end(): readonly Finding[] {
    const { director, auditor, world } = this;
    director.runs.close();
    for (const text of director.runs.broken) auditor.find('house', text, world.now);
    return auditor.findings;
  }
}

function totals(
  world: HouseWorld,
  director: Director,
  watch: Watch | null,
): Pick<SeedReport, 'virtualMs' | 'faults' | 'kills' | 'requests'> {
  const faults = Object.fromEntries(
    [...world.struck, ...world.network.mishaps, ...director.happened, ...(watch?.happened ?? [])].toSorted(
      ([a], [b]) => (a < b ? -1 : 1),
    ),
  );
  return {
    virtualMs: Math.round((world.now - world.startedAt) / 1_000),
    faults,
    kills: director.runs.kills,
    requests: world.transport.seen.length,
  };
}
