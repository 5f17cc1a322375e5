/** Harbour under test: in process, in virtual time. */
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';
import { VirtualClock } from '../support/clocks/virtual-clock.js';
import { eventId, type MarketId, marketId } from '../../src/domain/ids.js';
import { type Micros, micros } from '../../src/domain/units.js';
import { Host } from '../support/simulation/host.js';
import { CALM, Network } from '../support/simulation/network.js';
import { HarbourClient } from '../support/second-venue/client.js';
import { HarbourFeed } from '../support/second-venue/feed.js';
import { HarbourLine } from '../support/second-venue/line.js';
import { HARBOUR } from '../support/second-venue/profile.js';
import { HarbourService } from '../support/second-venue/service.js';
import type { Venue, VenueAbilities, VenueUnderTest } from './venue-under-test.js';

const BEGINNING = micros(1_767_225_600_000_000);
const MAKER = 'maker';
const [EVENT, YES, OTHER] = ['RAIN', 'RAIN-TODAY', 'RAIN-TOMORROW'] as const;
const LATE_US = 60_000_000;

const ABILITIES: VenueAbilities = {
  gapsSeenBy: 'sequence',
  postOnly: true,
  ownShares: true,
  tickChanges: true,
  throttlesWithoutTerm: true,
  settlements: ['long', 'short', 'void', 'reversal'],
};

export const harbour: Venue = { name: 'harbour', profile: HARBOUR, abilities: ABILITIES, open };

function open(clockAheadMs = 0): Promise<VenueUnderTest> {
  const clock = new VirtualClock(BEGINNING);
  const network = new Network(clock, seededRandom(1));
  const host = new Host(clock);
  const service = new HarbourService({
    now: () => clock.now() + lateUs,
    events: [{ event: EVENT, name: 'Rain', exclusive: false }],
    markets: [YES, OTHER].map((market) => ({ event: EVENT, market, name: market, tick: 100 })),
    accounts: { [MAKER]: 1_000_000_000, buyer: 1_000_000_000_000, seller: 1_000_000_000_000 },
    secrets: { [MAKER]: 'secret' },
  });
  const { harbour } = service;
  let lateUs = -clockAheadMs * 1_000;
  let isListening = true;
  let strangers = 0;
  const line = new HarbourLine({ host, network, service: () => (isListening ? service : null) });
  const clientWith = (secret: string): HarbourClient =>
    new HarbourClient({ line, clock, account: MAKER, secret, timeoutMs: 2_000 });
  const client = clientWith('secret');
  const feed = new HarbourFeed({
    line,
    clock,
    events: [EVENT],
    account: MAKER,
    prove: (text) => client.sign(text),
  });
  const pass = async (ms: number): Promise<void> => {
    const until = (clock.now() + ms * 1_000) as Micros;
    await settled();
    for (let next = clock.nextAt; next !== null && next <= until; next = clock.nextAt) {
      clock.advanceTo(next > clock.now() ? next : clock.now());
      harbour.beat();
      await settled();
    }
    clock.advanceTo(until);
    harbour.beat();
  };
  const setMarket = (id: MarketId, change: Parameters<typeof harbour.setMarket>[1]): void =>
    harbour.setMarket(id, change);
  return Promise.resolve({
    profile: HARBOUR,
    abilities: ABILITIES,
    eventId: eventId(EVENT),
    markets: [marketId(YES), marketId(OTHER)],
    clock,
    feed,
    client,
    strangersClient: clientWith('another secret'),
    pass,
    until: async (what, isTrue) => {
      for (let ms = 0; ms < 20_000; ms += 5) {
        if (isTrue()) return;
        await pass(5);
      }
      throw new Error(`not within 20 s: ${what}`);
    },
    close: () => {
      feed.close();
      return Promise.resolve();
    },
    standing: () =>
      harbour.orders(MAKER).map(({ id, market, side, price, size, filled }) => ({
        id,
        marketId: marketId(market),
        side: side === 'buy' ? 'bid' : 'ask',
        price,
        remaining: size - filled,
      })),
    stranger: ({ marketId: market, side, price, shares: size }) => {
      const cid = `stranger-${++strangers}`;
      const way = side === 'bid' ? 'buy' : 'sell';
      const order = {
        cid,
        market,
        side: way,
        price,
        size,
        reduce: false,
        post: false,
        expires: null,
      } as const;
      const placed = harbour.place(side === 'bid' ? 'buyer' : 'seller', order);
      if (!placed.ok) throw new Error(`the stranger's order was refused: ${placed.word}`);
    },
    cut: () => line.cut('cut by the test'),
    listen: (isOn) => {
      isListening = isOn;
      if (!isOn) line.cut('the venue is away');
    },
    loseMessages: (count) => done(() => (line.loses = count)),
    jumbleMessages: (isOn) =>
      done(
        () =>
          (network.weather = isOn ? { ...CALM, frameTwice: 0.5, frameLate: 0.5, frameLateMs: 100 } : CALM),
      ),
    loseAnswer: () =>
      done(() => {
        line.isDeaf = true;
        network.after(50, () => (line.isDeaf = false));
      }),
    delayAnswers: (ms) => done(() => (line.answersTakeMs = ms)),
    delayMessages: (ms) => done(() => (line.messagesTakeMs = ms)),
    throttle: (retryMs) => done(() => (service.throttles = { left: 1, retryMs })),
    signLate: (isOn) => done(() => (lateUs = isOn ? LATE_US : 0)),
    setTrading: (id, isOn) => setMarket(id, { state: isOn ? 'open' : 'halted' }),
    settle: (id, as) => harbour.settle(id, ({ long: 'yes', short: 'no', void: 'void' } as const)[as]),
    reverse: (id) => harbour.reverse(id),
    setTick: (id, tick) => setMarket(id, { tick }),
    deposit: (amount) => harbour.deposit(MAKER, amount),
  });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const done = (act: () => unknown): Promise<void> => {
  act();
  return Promise.resolve();
};
