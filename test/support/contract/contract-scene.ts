/** What contract tests begin with: an exchange, its accounts as clients, an administrator, events of their own. */
import { exchangeUnderTest, type ExchangeUnderTest } from './exchange-under-test.js';
import { RealtimeClient } from '../wire/realtime-client.js';
import { AdminClient, VenueClient, type WireAnswer } from '../wire/venue-client.js';
import type { Plain } from '../wire/venue-signer.js';

export type AccountName =
  'alice' | 'bob' | 'carol' | 'hidden' | 'abroad' | 'unverified' | 'unconfirmed' | 'blocked' | 'poor';

/** Ids of `test/contract/exchange.yaml`. */
export const ACCOUNT_IDS: Readonly<Record<AccountName, number>> = {
  alice: 1,
  bob: 2,
  carol: 3,
  hidden: 4,
  abroad: 5,
  unverified: 6,
  unconfirmed: 7,
  blocked: 8,
  poor: 9,
};

export interface TestMarket {
  readonly event: number;
  readonly market: number;
}

type Input = Readonly<Record<string, Plain>>;

export class ContractScene {
  private readonly opened: RealtimeClient[] = [];

  private constructor(readonly exchange: ExchangeUnderTest) {}

  static async start(changes?: Parameters<typeof exchangeUnderTest>[0]): Promise<ContractScene> {
    return new ContractScene(await exchangeUnderTest(changes));
  }

  /** @param key which of the account's: by default its own; alice has a further one */
  as(name: AccountName, key: 'own' | 'guard' = 'own'): VenueClient {
    const pair = key === 'own' ? name : `${name}_${key}`;
    return new VenueClient(this.exchange.restUrl, { publicKey: `pk_${pair}`, privateKey: `sk_${pair}` });
  }

  get nobody(): VenueClient {
    return new VenueClient(this.exchange.restUrl, null);
  }

  get admin(): AdminClient {
    return new AdminClient(this.exchange.restUrl, this.exchange.adminToken);
  }

  /** A new event whose markets nobody else trades. @returns one entry per market */
  async event(markets = 1, settings: Input = {}, marketSettings: Input = {}): Promise<readonly TestMarket[]> {
    const event = freshId();
    const ids = Array.from({ length: markets }, freshId);
    const answer = await this.admin.post('/admin/events/', {
      id: event,
      title: `Event ${event}`,
      ...settings,
      markets: ids.map((id) => ({ id, title: `Market ${id}`, ...marketSettings })),
    });
    if (answer.status !== 200) throw new Error(`event refused: ${answer.text}`);
    return ids.map((market) => ({ event, market }));
  }

  /** A new event with one market. */
  async market(settings: Input = {}, marketSettings: Input = {}): Promise<TestMarket> {
    const [only] = await this.event(1, settings, marketSettings);
    return only!;
  }

  /** Places a limit order in play money. @returns its id */
  async place(name: AccountName, market: TestMarket, order: Input): Promise<number> {
    const answer = await this.order(name, market, order);
    if (answer.status !== 201) throw new Error(`order refused: ${answer.text}`);
    return answer.number('id');
  }

  /** Sends a limit order in play money; the input takes precedence over every default. */
  order(name: AccountName, market: TestMarket, order: Input): Promise<WireAnswer> {
    return this.as(name).post('/orders/', { ...orderInput(market), ...order });
  }

  /** Gives the account long shares of the market by minting them against the other account. */
  async holding(name: AccountName, other: AccountName, market: TestMarket, shares: string): Promise<void> {
    await this.place(other, market, { position: 'short', price: 0.5, shares });
    await this.place(name, market, { position: 'long', price: 0.5, shares });
  }

  /** A realtime connection, established. */
  async realtime(): Promise<RealtimeClient> {
    const client = this.realtimeAt('?protocol=7&client=contract&version=1.0.0');
    await client.socketId();
    return client;
  }

  /** A realtime connection with a query of its own, not yet established. */
  realtimeAt(query: string): RealtimeClient {
    const client = RealtimeClient.open(`${this.exchange.realtimeUrl}${query}`);
    this.opened.push(client);
    return client;
  }

  /** A connection subscribed to public channels and, when an account is named, to its private one. */
  async listening(channels: readonly string[], name?: AccountName): Promise<RealtimeClient> {
    const client = await this.realtime();
    for (const channel of channels) await client.subscribe(channel);
    if (name !== undefined) await this.subscribePrivately(client, name);
    return client;
  }

  async subscribePrivately(client: RealtimeClient, name: AccountName): Promise<void> {
    const channel = `private-user-${ACCOUNT_IDS[name]}`;
    const answer = await this.authorise(name, channel, await client.socketId());
    await client.subscribe(channel, String(answer.at('auth')));
  }

  authorise(name: AccountName, channel: string, socketId: string): Promise<WireAnswer> {
    return this.as(name).form('/v2.0/pusher/auth/', { channel_name: channel, socket_id: socketId });
  }

  async close(): Promise<void> {
    for (const client of this.opened) client.close();
    await this.exchange.close();
  }
}

/** A limit order in play money as it is sent: ten shares, long, for half a unit each. */
export const orderInput = ({ market }: TestMarket) => ({
  market,
  side: 'bid',
  currency: 'OOM',
  position: 'long',
  price: 0.5,
  shares: '10',
});

/** Unlike any id used before, also against an exchange that outlives this process. */
let lastId = Date.now() * 100 + Math.floor(Math.random() * 100);
export const freshId = (): number => ++lastId;
