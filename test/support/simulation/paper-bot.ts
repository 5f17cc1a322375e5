/** A paper bot in a world of virtual time: the same edges as of `oddsmith paper`, but for its sockets. */
import type { MemoryJournal } from '../disk/memory-journal.js';
import { bundledVenueOf } from '../../../src/runs/exchange/exchange.js';
import { openPaperVenue } from '../../../src/runs/paper/paper-door.js';
import { PaperState } from '../../../src/runs/paper/paper-state.js';
import type { BotSettings } from '../../../src/settings/index.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { clientOf } from '../../../src/venues/futuur/requests.js';
import { PusherFeed } from '../../../src/venues/futuur/realtime/feed.js';
import { RestClient } from '../../../src/venues/futuur/rest/rest-client.js';
import type { PaperVenue } from '../../../src/venues/simulated/paper-venue.js';
import { Host } from './host.js';
import { wireOptionsOf } from './simulated-bot.js';
import type { SimulatedBot } from './simulated-bot.js';
import { VirtualLine } from './virtual-line.js';
import { VirtualLink } from './virtual-link.js';
import type { World } from './world.js';

const RUN = 'paper';
const ADDRESS = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };

export interface PaperOptions {
  /** Where its account is kept. */
  readonly folder: string;
  readonly journal: MemoryJournal;
  readonly settings: (settings: BotSettings) => BotSettings;
}

export interface PaperBot {
  readonly bot: SimulatedBot;
  readonly venue: PaperVenue;
  /** Writes the account down, as the bot does several times a second. */
  readonly save: () => void;
}

/** What the account begins with, and what its scenario and latency are, where a test says nothing. */
export const onPaper = (settings: BotSettings, paper: Partial<BotSettings['paper']> = {}): BotSettings => ({
  ...settings,
  mode: 'paper',
  paper: { ...settings.paper, latency: { feedMs: 2, requestMs: 2, responseMs: 2 }, ...paper },
});

/** @returns a paper bot that has begun; a second of virtual time has passed */
export async function startPaper(
  world: World,
  { folder, journal, settings: change }: PaperOptions,
): Promise<PaperBot> {
  const settings = change(world.botSettings);
  const venue = bundledVenueOf(world.exchangeSettings, ADDRESS);
  const host = new Host(world.clock);
  const { network, record } = world;
  const { clock } = host;
  const line = new VirtualLine({ run: RUN, host, network, record });
  const transport = world.transport.from({ host, run: RUN });
  const rest = new RestClient({ ...wireOptionsOf(venue, clock, transport), credentials: null });
  const random = seededRandom(settings.seed);
  const feed = new PusherFeed({
    address: venue.realtime,
    events: settings.events.map(({ id }) => id),
    account: null,
    clock,
    random: random.fork('reconnects'),
    open: (link) => new VirtualLink({ line, host, network }, link),
  });
  const state = new PaperState(folder);
  const logger = { info: silent, warn: silent, error: silent } as never;
  const side = {
    feed,
    client: clientOf(rest.wire),
    event: rest.event.bind(rest),
  };
  const opening = openPaperVenue({ settings, venue, clock, random, logger }, side, state, silent);
  await world.run(1_000);
  const paper = await opening;
  const bot = await world.start({
    settings: () => settings,
    host,
    journal,
    edges: () => ({ feed: paper, client: paper, line }),
  });
  return { bot, venue: paper, save: () => state.save(paper.snapshot()) };
}

const silent = (): void => undefined;
