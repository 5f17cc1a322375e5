/** Exchange, bot, guard and operator as processes of their own on one folder, with sockets in between. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../../src/domain/errors.js';
import { freePort } from '../process/free-port.js';
import { AdminClient, VenueClient } from '../wire/venue-client.js';
import { BotSight } from './bot-sight.js';
import { Child } from './child.js';
import { until } from '../process/until.js';

const MAKER = 1;
const START_TRIES = 5;
const KEYS = { publicKey: 'pk_maker', privateKey: 'sk_maker' };
/** Further keys of the same account: a guard's, and one to look on with. */
const GUARD_KEYS = { publicKey: 'pk_guard', privateKey: 'sk_guard' };
const ONLOOKER_KEYS = { publicKey: 'pk_onlooker', privateKey: 'sk_onlooker' };
const ADMIN_TOKEN = 'house-of-processes';
const TOKEN = 'a-token-of-the-house';
const ENV = {
  ODDSMITH_PRIVATE_KEY: KEYS.privateKey,
  ODDSMITH_GUARD_PRIVATE_KEY: GUARD_KEYS.privateKey,
  HOUSE_TOKEN: TOKEN,
};

export interface HouseOptions {
  /** Arrivals of hitting traders a second. */
  readonly trafficPerS: number;
  /** Seconds by which a signature may be old: what a guard waits for. */
  readonly clockWindowS: number;
  /** Requests that the exchange takes of each key in a day; null: any number. */
  readonly requestsPerDay: number | null;
  readonly guardKey: "the bot's" | 'its own';
}

const DEFAULTS: HouseOptions = {
  trafficPerS: 5,
  clockWindowS: 2,
  requestsPerDay: null,
  guardKey: "the bot's",
};

const rateLimitOf = ({ requestsPerDay: perDay }: HouseOptions): string =>
  perDay === null ? 'null' : `{ perMinute: ${perDay}, perDay: ${perDay} }`;

const exchangeFile = (options: HouseOptions, dataDir: string): string => `exchange:
  adminToken: ${ADMIN_TOKEN}
  dataDir: ${dataDir}
  snapshotEvery: 1000000000
  clockWindowS: ${options.clockWindowS}
  rateLimit: ${rateLimitOf(options)}
  accounts:
    - { id: 1, username: maker, email: maker@example.org, publicKey: pk_maker, privateKey: sk_maker, keys: [{ publicKey: pk_guard, privateKey: sk_guard }, { publicKey: pk_onlooker, privateKey: sk_onlooker }], balances: { OOM: "100000" } }
    - { id: 2, username: rival, email: rival@example.org, publicKey: pk_rival, privateKey: sk_rival, balances: { OOM: "1000000" } }
    - { id: 3, username: crowd, email: crowd@example.org, publicKey: pk_crowd, privateKey: sk_crowd, balances: { OOM: "1000000" } }
  events:
    - { id: 1, title: Event, markets: [{ id: 11, title: A }, { id: 12, title: B }, { id: 13, title: C }] }
  participants:
    - { kind: maker, account: 2, markets: [11, 12, 13], halfSpread: '0.03', sizeMin: '20', sizeMax: '60' }
    - { kind: noise, account: 3, markets: [11, 12, 13], ratePerS: ${options.trafficPerS}, sizeMin: '1', sizeMax: '12' }
`;

const GUARD_KEY_LINES = `, publicKey: ${GUARD_KEYS.publicKey}, privateKey: '\${ODDSMITH_GUARD_PRIVATE_KEY}'`;

const botFile = ({ clockWindowS, guardKey }: HouseOptions, port: number): string => `venue:
  name: house
  baseUrl: http://127.0.0.1:${port}
  realtime: { key: local, host: 127.0.0.1, port: ${port}, tls: false }
  publicKey: pk_maker
  privateKey: \${ODDSMITH_PRIVATE_KEY}
  clockWindowS: ${clockWindowS}
  bookCacheMs: 0
  rateLimit: { perMinute: 60000, perDay: 50000000 }
guard: { silenceMs: 2000, requestsPerMinute: 600${guardKey === 'its own' ? GUARD_KEY_LINES : ''} }
http:
  port: 0
  token: \${HOUSE_TOKEN}
events:
  - id: 1
    title: Event
    markets: [{ id: 11 }, { id: 12 }, { id: 13, ownership: shared }]
instances:
  - name: first
    strategy: inventory-skew
    markets: [11, 12, 13]
    params: { halfSpread: '0.015', shares: 10, range: 100, priceSkew: '0.03' }
    limits: { maxPositionShares: 400, maxEventLoss: 900, maxLoss: 100000 }
`;

export interface RunningBot {
  readonly child: Child;
  readonly sight: BotSight;
}

export class House {
  /** The maker's account, with a key that nobody else uses. */
  readonly venue: VenueClient;
  /** The same with the bot's key. */
  readonly asBot: VenueClient;
  readonly admin: AdminClient;
  readonly dataDir: string;
  /** What its bots leave with the user lies here, and not where bots of other tests find it. */
  readonly userState: string;
  readonly #children: Child[] = [];

  private constructor(
    readonly dir: string,
    readonly port: number,
  ) {
    const base = `http://127.0.0.1:${port}`;
    this.venue = new VenueClient(base, ONLOOKER_KEYS);
    this.asBot = new VenueClient(base, KEYS);
    this.admin = new AdminClient(base, ADMIN_TOKEN);
    this.dataDir = join(dir, 'venue');
    this.userState = join(dir, 'user');
  }

  static async build(dir: string, options: Partial<HouseOptions> = {}): Promise<House> {
    const house = new House(dir, await freePort());
    const chosen = { ...DEFAULTS, ...options };
    writeFileSync(join(dir, 'exchange.yaml'), exchangeFile(chosen, house.dataDir));
    writeFileSync(join(dir, 'bot.yaml'), botFile(chosen, house.port));
    return house;
  }

  async exchange(): Promise<Child> {
    const child = this.run(['exchange', 'exchange.yaml', '--port', String(this.port), '--json']);
    await child.event('ready');
    return child;
  }

  /** A bot that quotes. @param through as of {@link Child.start} */
  async bot(through?: string): Promise<RunningBot> {
    const bot = await this.startedBot(through);
    await until('the bot to quote', () => bot.sight.quotes());
    return bot;
  }

  /** A bot that may or may not quote. On a busy machine a venue that has just started may answer too late: once more. */
  async startedBot(through?: string, tries = START_TRIES): Promise<RunningBot> {
    const child = this.run(['run', 'bot.yaml', '--json'], through);
    const ready = await child.event('ready').catch((error: unknown) => error);
    if (ready instanceof Error) {
      if (tries <= 1 || (await child.end('SIGKILL')) !== EXIT.venueUnreachable) throw ready;
      return this.startedBot(through, tries - 1);
    }
    const { urls } = ready as Readonly<Record<string, unknown>>;
    return { child, sight: new BotSight((urls as { readonly metrics: string }).metrics, TOKEN) };
  }

  async guard(): Promise<Child> {
    const child = this.run(['guard', 'bot.yaml', '--json']);
    await child.event('keys-work');
    return child;
  }

  run(args: readonly string[], through?: string): Child {
    const env = { ...ENV, XDG_STATE_HOME: this.userState };
    const options = { cwd: this.dir, env, ...(through === undefined ? {} : { through }) };
    const child = Child.start(args, options);
    this.#children.push(child);
    return child;
  }

  /** Kills what still runs. */
  tearDown(): void {
    for (const child of this.#children) child.signal('SIGKILL');
  }

  /** Whether nothing of the maker's can trade any more. */
  async isEmpty(): Promise<boolean> {
    return (await this.ordersAtVenue()).length === 0;
  }

  /** Ids of the maker's orders that may still trade. */
  async ordersAtVenue(): Promise<readonly number[]> {
    const found = new Set<number>();
    for (const status of ['processing', 'open', 'partial_filled']) {
      const page = await this.venue.get('/orders/', { status, limit: 100, ordering: 'id' });
      for (const row of page.list('results')) found.add((row as { readonly id: number }).id);
    }
    return [...found];
  }

  async ledger(): Promise<Ledger> {
    const body = (await this.admin.get('/admin/ledger/')).body as LedgerBody;
    const row = body.accounts.find(({ id, currency }) => id === MAKER && currency === 'OOM');
    const shares = (row?.shares ?? []).filter((holding) => Number(holding.shares) > 0);
    return {
      sum: Number(body.sum['OOM']),
      cash: Number(row?.cash),
      shares: Object.fromEntries(
        shares.map((holding) => [`${holding.market} ${holding.position}`, Number(holding.shares)]),
      ),
    };
  }
}

/** Decimals as numbers: exact for comparison, since both sides read the same text. */
export interface Ledger {
  readonly sum: number;
  readonly cash: number;
  /** By `11 long`; what is zero is left out. */
  readonly shares: Readonly<Record<string, number>>;
}

interface LedgerBody {
  readonly sum: Readonly<Record<string, string>>;
  readonly accounts: readonly {
    readonly id: number;
    readonly currency: string;
    readonly cash: string;
    readonly shares: readonly {
      readonly market: number;
      readonly position: string;
      readonly shares: string;
    }[];
  }[];
}
