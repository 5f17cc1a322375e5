import type { Subject } from 'rxjs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnswerBody } from '../../../../src/domain/answers.js';
import type { VenueRequest } from '../../../../src/domain/effects.js';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import type { BookInput, EventStatusInput, FeedInput } from '../../../../src/domain/inputs.js';
import type { EventDescription } from '../../../../src/domain/market.js';
import { type Micros, micros, type Money } from '../../../../src/domain/units.js';
import type { ExchangeSnapshot } from '../../../../src/exchange/contract.js';
import * as listed from '../../../../src/exchange/contract/ids.js';
import { accountConfig, exchangeConfig } from '../../../../src/exchange/defaults.js';
import { Exchange } from '../../../../src/exchange/exchange.js';
import { HeardFrames } from '../../../../src/venues/futuur/realtime/feed.js';
import { descriptionCommands } from '../../../../src/venues/simulated/event-commands.js';
import { riskAverse } from '../../../../src/venues/simulated/models/queue.js';
import { untilRefreshed } from '../../../../src/venues/simulated/models/liquidity.js';
import { PaperVenue } from '../../../../src/venues/simulated/paper-venue.js';
import type { Outcome } from '../../../../src/venues/outcome.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';

const START = micros(1_767_225_600_000_000);
const [EVENT, MARKET, OTHER] = [eventId(1), marketId(11), marketId(12)];
const ACCOUNT = listed.accountId(1);

const described = (changes: Partial<EventDescription['markets'][number]> = {}): EventDescription => ({
  id: EVENT,
  title: 'Rain',
  slug: 'rain',
  status: 'open',
  resolutionMode: 'exclusive',
  isLive: false,
  betStart: null,
  betEnd: null,
  eventStart: null,
  eventEnd: null,
  markets: [
    {
      id: MARKET,
      eventId: EVENT,
      title: 'Yes',
      tickUnits: 100,
      status: 'active',
      disabled: false,
      betStart: null,
      betEnd: null,
      resolution: null,
      longLabel: 'Yes',
      shortLabel: 'No',
      ...changes,
    },
  ],
});

/** A venue of two levels a side, and what a client of the paper venue hears of it. */
class Scene {
  readonly clock = new VirtualClock(START);
  readonly real = new HeardFrames();
  readonly heard: FeedInput[] = [];
  readonly faults: string[] = [];
  description = described();
  changes = 0;
  #sent = 0;
  asked: string[] = [];
  /** Until then reads are under way. */
  answering: Promise<void> | undefined;
  bids: readonly (readonly [number, number])[] = [[4_000, 100_00]];
  readonly paper: PaperVenue;
  readonly #perform: ReturnType<PaperVenue['performing']>;

  constructor(tickUnits = 100, snapshot?: ExchangeSnapshot) {
    this.paper = new PaperVenue({
      clock: this.clock,
      feed: { streams: this.real.streams, connect: () => undefined, close: () => undefined },
      client: {
        venueAhead: 0,
        canDate: () => true,
        performing: () => async (request) => {
          const answer = this.#read(request);
          await this.answering;
          return answer;
        },
      },
      events: [
        {
          id: EVENT,
          minAmount: 1 as Money,
          maxAmount: 1_000_000_000_000 as Money,
          markets: [{ id: MARKET, tickUnits }],
        },
      ],
      ...(snapshot && { snapshot }),
      exchange: exchangeConfig({
        duplicateWindowMs: 0,
        accounts: [
          accountConfig({ id: ACCOUNT, username: 'paper', balances: { OOM: 1_000_000_000 as Money } }),
        ],
      }),
      liquidity: { queue: riskAverse, consumption: untilRefreshed },
      crossing: 'ignore',
      staleMs: 5_000,
      account: ACCOUNT,
      mode: 'play_money',
      latency: { feed: () => 0, request: () => 1_000, response: () => 1_000 },
      timeoutMs: 5_000,
      onChange: () => (this.changes += 1),
      onFault: (text) => this.faults.push(text),
    });
    this.#perform = this.paper.performing({
      mode: 'play_money',
      tickUnitsOf: () => 100,
    });

    this.paper.learn(this.description);
    for (const stream of Object.values(this.paper.streams))
      (stream as Subject<FeedInput>).subscribe((input) => this.heard.push(input));
    this.paper.connect();
    this.link('connected');
    this.book();
  }

  link(state: 'connected' | 'lost'): void {
    this.real.tell({ kind: 'link', state, reason: '' });
    this.pass(10);
  }

  pass(ms: number): void {
    this.clock.advanceTo((this.clock.now() + ms * 1_000) as Micros);
  }

  /** The venue publishes its bids; `volume` of the event follows in the same moment. */
  book(volume?: number): void {
    this.real.tell(this.#frame());
    if (volume !== undefined) this.real.tell(status(volume));
    this.pass(100);
  }

  /** @returns what the client is answered */
  async ask(request: VenueRequest): Promise<AnswerBody> {
    const answers: Outcome<AnswerBody>[] = [];
    const sending = { key: `k${(this.#sent += 1)}`, beforeFirstByte: () => undefined, tell: () => undefined };
    void this.#perform(request, sending).then((one) => answers.push(one));
    for (let round = 0; round < 20 && answers.length === 0; round++) {
      await new Promise(setImmediate);
      this.pass(10);
    }
    const [told] = answers;
    if (told?.ok !== true) throw new Error(`no answer: ${JSON.stringify(told)}`);
    return told.value;
  }

  /** A bid of ten shares at 0.40 rests behind the 100 that stand there. */
  async rest(): Promise<void> {
    await this.ask({
      kind: 'create-orders',
      orders: [
        {
          kind: 'limit',
          eventId: EVENT,
          marketId: MARKET,
          side: 'bid',
          position: 'long',
          currency: 'OOM',
          price: 4_000,
          shares: 10_00,
          expiresAt: null,
        },
      ],
    } as unknown as VenueRequest);
  }

  /** Its ten shares are bought: what stood behind them is sold, too. */
  async fill(): Promise<void> {
    this.bids = [
      [4_000, 100_00],
      [3_900, 10_00],
    ];
    this.book(1_000);
    await this.rest();
    this.bids = [];
    this.book(1_000 + 100 * 0.4 + 10 * 0.39);
  }

  get lastBook(): BookInput {
    return this.heard.findLast((input) => input.kind === 'book')!;
  }

  get filled(): number {
    const orders = this.heard.flatMap((input) => (input.kind === 'order' ? [input.report] : []));
    return orders.at(-1)?.filled ?? 0;
  }

  get lastStatus(): string | undefined {
    return this.heard.findLast((input) => input.kind === 'order')?.report.status;
  }

  async cash(): Promise<number> {
    const body = (await this.ask({ kind: 'read-balances' })) as {
      readonly balances: ReadonlyMap<string, number>;
    };
    return body.balances.get('OOM')! / 1_000_000;
  }

  #frame(): BookInput {
    return {
      kind: 'book',
      eventId: EVENT,
      marketId: MARKET,
      mode: 'play_money',
      topN: 5,
      bids: {
        prices: this.bids.map(([price]) => price as never),
        shares: this.bids.map(([, shares]) => shares as never),
      },
      asks: { prices: [6_000 as never], shares: [100_00 as never] },
      venueTime: this.clock.now(),
    };
  }

  #read(request: VenueRequest): Outcome<AnswerBody> {
    this.asked.push(request.kind);
    const sentAt = this.clock.now();
    if (request.kind === 'read-event')
      return { ok: true, value: { kind: 'read-event', event: this.description }, sentAt };
    const { bids, asks, mode } = this.#frame();
    const value = { kind: 'read-book', marketId: MARKET, mode, bids, asks, feePerShare: null } as never;
    return { ok: true, value, sentAt };
  }
}

const status = (volume: number, market: Partial<EventStatusInput['markets'][number]> = {}) =>
  ({
    kind: 'event-status',
    eventId: EVENT,
    status: 'open',
    mode: 'play_money',
    wagerable: true,
    volumePlayMoney: Math.round(volume * 1_000_000),
    volumeRealMoney: null,
    markets: [{ marketId: MARKET, status: 'active', resolution: null, ...market }],
  }) as unknown as EventStatusInput;

describe('a paper venue', () => {
  let scene: Scene;
  beforeEach(() => (scene = new Scene()));

  it('shows the books of the venue with own orders in them', async () => {
    await scene.rest();
    scene.pass(10);
    expect(scene.lastBook.bids).toEqual({ prices: [4_000], shares: [110_00] });
    expect(scene.changes).toBeGreaterThan(0);
  });

  it('fills what the turnover pays for, behind the shares that stood there before', async () => {
    scene.book(1_000);
    await scene.rest();
    scene.bids = [[3_900, 10_00]];
    scene.book(1_000 + 100 * 0.4);
    expect(scene.filled).toBe(0);
    scene.bids = [[3_900, 4_00]];
    scene.book(1_040 + 6 * 0.39);
    expect(scene.filled).toBe(6_00);
  });

  it('fills nothing where shares were cancelled', async () => {
    scene.book(1_000);
    await scene.rest();
    scene.bids = [[3_900, 10_00]];
    scene.book(1_000);
    expect(scene.filled).toBe(0);
    scene.bids = [];
    scene.book(1_000 + 10 * 0.39);
    expect(scene.filled).toBe(10_00);
    expect(await scene.cash()).toBe(1_000 - 4);
    const holdings = await scene.ask({ kind: 'read-holdings' });
    expect(holdings).toMatchObject({ holdings: [{ marketId: MARKET, position: 'long', shares: 10_00 }] });
  });

  it('tells nothing of the account while the connection is lost, and reads the book anew behind it', async () => {
    await scene.rest();
    scene.link('lost');
    const before = scene.heard.length;
    scene.bids = [[3_800, 70_00]];
    scene.pass(1_000);
    expect(scene.heard.length).toBe(before);
    scene.link('connected');
    expect(scene.heard.filter(({ kind }) => kind === 'subscription')).toHaveLength(2);
    const book = await scene.ask({ kind: 'read-book', marketId: MARKET, mode: 'play_money' });
    expect(book).toMatchObject({ bids: { prices: [4_000, 3_800], shares: [10_00, 70_00] } });
  });

  it('fills nothing by what was traded while the connection was lost', async () => {
    scene.bids = [
      [4_000, 100_00],
      [3_900, 10_00],
    ];
    scene.book(1_000);
    await scene.rest();
    scene.link('lost');
    scene.pass(60_000);
    scene.link('connected');
    scene.bids = [];
    scene.book(2_000);
    expect(scene.filled).toBe(0);
  });

  it('ends resting orders where their market is resolved', async () => {
    await scene.rest();
    scene.real.tell(status(1_044, { status: 'resolved', resolution: 5_000 as never }));
    scene.pass(100);
    expect(scene.lastStatus).toBe('canceled');
    const body = await scene.ask({ kind: 'read-orders' } as never);
    expect(body).toMatchObject({ orders: [] });
    expect(await scene.cash()).toBe(1_000);
  });

  it('pays a half, and only once where it goes on', async () => {
    await scene.fill();
    scene.real.tell(status(1_044, { status: 'resolved', resolution: 5_000 as never }));
    scene.pass(100);
    expect(await scene.cash()).toBe(1_000 - 4 + 5);
    expect(await scene.ask({ kind: 'read-holdings' })).toMatchObject({ holdings: [] });
    const again = new Scene(100, scene.paper.snapshot());
    again.real.tell(status(1_044, { status: 'resolved', resolution: 5_000 as never }));
    again.pass(100);
    expect(await again.cash()).toBe(1_000 - 4 + 5);
  });

  it('takes a read for the book where no frame came for longer than a read is old', async () => {
    scene.book();
    scene.bids = [[3_700, 20_00]];
    const read = { kind: 'read-book', marketId: MARKET, mode: 'play_money' } as const;
    expect(await scene.ask(read)).toMatchObject({ bids: { prices: [4_000] } });
    scene.pass(6_000);
    expect(await scene.ask(read)).toMatchObject({ bids: { prices: [3_700], shares: [20_00] } });
  });

  it('pays what the venue resolves, takes it back when that is reversed, and gives back what it makes void', async () => {
    await scene.fill();
    expect(await scene.cash()).toBe(1_000 - 4);
    scene.real.tell(status(1_044, { status: 'resolved', resolution: 'long' }));
    scene.pass(100);
    expect(await scene.cash()).toBe(1_000 - 4 + 10);
    scene.paper.learn({ ...described({ status: 'reversed' }), status: 'reversed' });
    expect(await scene.cash()).toBe(1_000 - 4);

    const other = new Scene();
    await other.fill();
    expect(await other.cash()).toBe(1_000 - 4);
    other.description = described({ status: 'cancelled' });
    // The frame says that there is no outcome: the venue is asked which.
    other.real.tell(status(1_044, { status: 'cancelled', resolution: null }));
    other.pass(100);
    await new Promise(setImmediate);
    expect(other.asked).toContain('read-event');
    expect(await other.cash()).toBe(1_000);
  });

  it('pays anew where a resolution is corrected or gone, also if nobody says that it was reversed', async () => {
    await scene.fill();
    const learn = (event: string, resolution: 'long' | 'short' | null) => {
      const { markets, ...rest } = described({
        status: resolution === null ? 'active' : 'resolved',
        resolution,
      });
      scene.paper.learn({ ...rest, markets, status: event } as EventDescription);
    };
    learn('resolved', 'long');
    expect(await scene.cash()).toBe(1_000 - 4 + 10);
    learn('resolved', 'short');
    expect(await scene.cash()).toBe(1_000 - 4);
    learn('resolved', 'long');
    expect(await scene.cash()).toBe(1_000 - 4 + 10);
    scene.paper.learn({ ...described({ status: 'resolved', resolution: null }), status: 'resolved' });
    expect(await scene.cash()).toBe(1_000 - 4 + 10);
    learn('open', null);
    expect(await scene.cash()).toBe(1_000 - 4);
    await scene.rest();
    expect(scene.lastStatus).toBe('open');
  });

  it.each([
    ['opens the market again', { status: 'active', resolution: null }, 'open', 1_000 - 4],
    ['has another outcome', { status: 'resolved', resolution: 'short' }, 'resolved', 1_000 - 4],
    ['makes it void', { status: 'cancelled', resolution: null }, 'resolved', 1_000],
  ] as const)('asks the venue where a frame after a resolution %s', async (_name, market, event, cash) => {
    await scene.fill();
    scene.real.tell(status(1_044, { status: 'resolved', resolution: 'long' }));
    scene.pass(100);
    expect(await scene.cash()).toBe(1_000 - 4 + 10);
    scene.description = { ...described(market), status: event };
    scene.real.tell(status(1_044, market));
    scene.pass(100);
    await new Promise(setImmediate);
    expect(await scene.cash()).toBe(cash);
  });

  it('takes nothing back where a read is older than the frame that resolved the market', async () => {
    await scene.fill();
    let answer = (): void => undefined;
    scene.answering = new Promise((resolve) => (answer = resolve));
    scene.real.tell(status(1_044, { status: 'resolved', resolution: null }));
    scene.pass(100);
    scene.description = { ...described({ status: 'resolved', resolution: 'long' }), status: 'resolved' };
    scene.real.tell(status(1_044, { status: 'resolved', resolution: 'long' }));
    scene.pass(100);
    expect(await scene.cash()).toBe(1_000 - 4 + 10);
    answer();
    // What is out of date is asked again.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(await scene.cash()).toBe(1_000 - 4 + 10);
    expect(scene.asked).toEqual(['read-event', 'read-event']);
  });

  describe('of an event with two markets', () => {
    type Told = EventDescription['markets'][number];
    let exchange: Exchange;
    beforeEach(() => (exchange = new Exchange(exchangeConfig({}))));
    const learn = (
      ids: readonly (typeof MARKET)[],
      status: string,
      first: Partial<Told>,
      second: Partial<Told>,
    ) => {
      const [market] = described().markets;
      const markets = [
        { ...market!, ...first },
        { ...market!, id: OTHER, ...second },
      ];
      const configured = {
        id: EVENT,
        minAmount: 1 as Money,
        maxAmount: 1_000_000_000_000 as Money,
        markets: ids.map((id) => ({ id, tickUnits: 100 })),
      };
      const told = { ...described(), status, markets } as EventDescription;
      for (const command of descriptionCommands(told, configured, exchange))
        expect(exchange.execute(command, START).outcome).toMatchObject({ ok: true });
      return exchange.event(listed.eventId(EVENT))!.markets.map(({ resolution }) => resolution);
    };
    const over = (resolution: Told['resolution']) => ({ status: 'resolved', resolution }) as const;

    it('pays a market again that left the file, where the other one is corrected', () => {
      learn([MARKET, OTHER], 'resolved', over('long'), over('long'));
      expect(learn([MARKET], 'resolved', over('short'), over('long'))).toEqual(['short', 'long']);
    });

    it('pays both of two exclusive outcomes that win in a dead heat', () => {
      learn([MARKET, OTHER], 'open', over('long'), {});
      expect(learn([MARKET, OTHER], 'resolved', over('long'), over('long'))).toEqual(['long', 'long']);
    });

    it('keeps the outcome of a market that is told without one, where the other one is corrected', () => {
      learn([MARKET, OTHER], 'resolved', over('long'), over(5_000));
      expect(learn([MARKET, OTHER], 'resolved', over('short'), over(null))).toEqual(['short', 5_000]);
    });

    it('pays nothing while the event is reversed, also if its markets still say their outcome', () => {
      learn([MARKET, OTHER], 'resolved', over('long'), over('short'));
      for (let read = 0; read < 3; read++)
        expect(learn([MARKET, OTHER], 'reversed', over('long'), over('short'))).toEqual([null, null]);
      expect(learn([MARKET, OTHER], 'resolved', over('long'), over('short'))).toEqual(['long', 'short']);
    });

    it('trades a market that joins when all markets known before are over', () => {
      learn([MARKET], 'open', over('long'), {});
      expect(learn([MARKET, OTHER], 'open', over('long'), {})).toEqual(['long', null]);
      expect(exchange.event(listed.eventId(EVENT))!.status).toBe('open');
    });
  });

  it('keeps the grid of a market that is known from before, also if the file has another one', () => {
    const again = new Scene(1_000, scene.paper.snapshot());
    again.bids = [[3_000, 50_00]];
    again.book();
    expect(again.lastBook.bids).toEqual({ prices: [3_000], shares: [50_00] });
    expect(again.faults).toEqual([]);
  });

  it('says of a book that is off the grid of the file that it cannot be traded, once', () => {
    scene.bids = [[4_050, 10_00]];
    scene.book();
    scene.bids = [[4_055, 10_00]];
    scene.book();
    expect(scene.faults).toEqual([
      "market 11 cannot be traded on paper: a book shows the price 0.405, which is off its market's grid of 0.01",
    ]);
  });
});
