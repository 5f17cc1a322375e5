/** Futuur's adapter under test, against the bundled exchange on a port of its own. */
import { createConnection, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { accountId, eventId, type MarketId, marketId } from '../../src/domain/ids.js';
import { complement, type Money, type PriceUnits } from '../../src/domain/units.js';
import { bookSide } from '../../src/domain/vocabulary.js';
import * as listed from '../../src/exchange/contract/ids.js';
import type { Command } from '../../src/exchange/contract.js';
import { Exchange } from '../../src/exchange/exchange.js';
import { exchangeConfigOf } from '../../src/runs/exchange/exchange.js';
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';
import { afterDelay, SystemClock } from '../../src/storage/clocks/system-clock.js';
import { FUTUUR } from '../../src/venues/futuur/protocol/profile.js';
import { PACE } from '../../src/venues/futuur/realtime/supervisor.js';
import { PusherFeed } from '../../src/venues/futuur/realtime/feed.js';
import { clientOf } from '../../src/venues/futuur/requests.js';
import { RestClient } from '../../src/venues/futuur/rest/rest-client.js';
import { contractSettings, startServer } from '../support/contract/exchange-under-test.js';
import { AdminClient } from '../support/wire/venue-client.js';
import type { Faulty, Venue, VenueAbilities, VenueUnderTest } from './venue-under-test.js';

const [ALICE, BOB, CAROL] = [1, 2, 3].map(listed.accountId) as [
  listed.AccountId,
  listed.AccountId,
  listed.AccountId,
];
const [EVENT, MARKET, OTHER] = [900, 9_001, 9_002] as const;
const WITHIN_MS = 20_000;
const ALL = { limit: 1_000, offset: 0 };

const ABILITIES: VenueAbilities = {
  gapsSeenBy: 'reads',
  postOnly: false,
  ownShares: true,
  tickChanges: false,
  throttlesWithoutTerm: false,
  settlements: ['long', 'short', 'void', 'reversal'],
};

export const futuur: Venue = { name: 'futuur', profile: FUTUUR, abilities: ABILITIES, open };

const PATHS: Readonly<Record<Faulty, string>> = {
  create: 'POST /orders/batch/',
  replace: 'POST /orders/batch-update/',
  cancel: 'POST /orders/batch-cancel/',
};

type Rule = Readonly<Record<string, string | number>>;

async function open(clockAheadMs = 0): Promise<VenueUnderTest> {
  const clock = new SystemClock({
    wallMs: () => Date.now() + clockAheadMs,
    monotonicMs: () => performance.now(),
    sinceBootMs: () => performance.now(),
    after: afterDelay,
  });
  const settings = { ...contractSettings(), bookCacheMs: 0, processingDelayMs: 0 };
  const exchange = new Exchange(exchangeConfigOf(settings));
  const server = await startServer(settings, new SystemClock(), { exchange });
  const gate = await openGate(server.realtime.port);
  const admin = new AdminClient(server.restUrl, settings.adminToken);
  const made = await admin.post('/admin/events/', {
    id: EVENT,
    title: 'Rain',
    resolutionMode: 'non_exclusive',
    markets: [MARKET, OTHER].map((id) => ({ id, title: String(id) })),
  });
  if (made.status !== 200) throw new Error(`the event was refused: ${made.text}`);
  const restWith = (privateKey: string): RestClient =>
    new RestClient({
      baseUrl: server.restUrl,
      credentials: { publicKey: 'pk_alice', privateKey },
      nested: settings.signing.nested,
      timeoutMs: 1_500,
      clock,
      observe: () => undefined,
    });
  const [rest, stray] = [restWith('sk_alice'), restWith('sk_nobody')];
  const feed = new PusherFeed({
    address: { key: settings.appKey, cluster: null, host: '127.0.0.1', port: gate.port, tls: false },
    events: [eventId(EVENT)],
    account: {
      id: accountId(ALICE),
      authorize: async (channel, socketId) => {
        const outcome = await rest.authorizeChannel({ socket_id: socketId, channel_name: channel });
        return outcome.ok ? { ok: true, auth: outcome.value.auth } : { ok: false, reason: 'refused' };
      },
    },
    clock,
    random: seededRandom(1),
    pace: PACE,
  });
  const rules = new Map<string, Rule | null>();
  /** @param rule null: no more */
  const fault = async (name: string, rule: Rule | null): Promise<void> => {
    rules.set(name, rule);
    const plan = [...rules.values()].filter((one) => one !== null);
    const answer = await admin.post('/admin/faults/', { seed: 1, rules: plan });
    if (answer.status !== 200) throw new Error(`the faults were refused: ${answer.text}`);
  };
  const execute = (command: Command): void => {
    const outcome = server.execute(command) as { readonly ok?: boolean };
    if (outcome.ok === false) throw new Error(`refused: ${JSON.stringify(outcome)}`);
  };
  return {
    profile: FUTUUR,
    abilities: ABILITIES,
    eventId: eventId(EVENT),
    markets: [marketId(MARKET), marketId(OTHER)],
    clock,
    feed,
    client: clientOf(rest.wire),
    strangersClient: clientOf(stray.wire),
    pass: (ms) => pause(ms),
    until: async (what, isTrue) => {
      for (const end = Date.now() + WITHIN_MS; Date.now() < end; await pause(2)) if (isTrue()) return;
      throw new Error(`not within ${WITHIN_MS} ms: ${what}`);
    },
    close: async () => {
      feed.close();
      gate.close();
      await Promise.all([rest.wire.close(), stray.wire.close()]);
      await server.close();
    },
    standing: () =>
      (['processing', 'open', 'partial_filled'] as const).flatMap((status) =>
        exchange.orders(ALICE, { status, ...ALL }).results.map((order) => ({
          id: String(order.id),
          marketId: marketId(order.marketId),
          side: bookSide(order.side, order.position),
          price: order.position === 'long' ? order.price! : complement(order.price!),
          remaining: order.shares - order.filled,
        })),
      ),
    stranger: ({ marketId: id, side, price, shares }) =>
      execute({
        kind: 'place-order',
        account: side === 'bid' ? BOB : CAROL,
        request: null,
        order: {
          marketId: listed.marketId(id),
          eventId: null,
          side: 'bid',
          position: side === 'bid' ? 'long' : 'short',
          currency: 'OOM',
          price: side === 'bid' ? price : complement(price as PriceUnits),
          shares,
          amount: null,
          expiresAt: null,
          cancelConflicting: false,
        },
      }),
    cut: () => gate.cut(),
    listen: (isOn) => gate.listen(isOn),
    loseMessages: async (count) => {
      if (count !== 1) throw new Error('the exchange loses one frame at a time');
      await fault('lose frames', { on: 'ws', kind: 'frame_lose', nth: 1 });
    },
    jumbleMessages: async (isOn) => {
      await fault('late', isOn ? { on: 'ws', kind: 'frame_reorder', probability: 0.5, ms: 40 } : null);
      await fault('twice', isOn ? { on: 'ws', kind: 'frame_dup', probability: 0.5 } : null);
    },
    loseAnswer: (of) => fault('lose answer', { on: PATHS[of], kind: 'lose_answer', nth: 1 }),
    delayAnswers: (ms) =>
      fault('delay', ms === 0 ? null : { on: PATHS.create, kind: 'delay', probability: 1, ms }),
    delayMessages: (ms) =>
      fault('delay frames', ms === 0 ? null : { on: 'ws', kind: 'frame_delay', probability: 1, ms }),
    throttle: (ms) =>
      fault('throttle', { on: PATHS.create, kind: 'rate_limit', nth: 1, ...(ms !== null && { ms }) }),
    // The client learns from the first refusal and signs again; then the clock is another one once more.
    signLate: async (isOn) => {
      const skewed = (nth: number, ms: number): Rule => ({ on: PATHS.create, kind: 'clock_skew', nth, ms });
      await fault('first', isOn ? skewed(1, 90_000) : null);
      await fault('second', isOn ? skewed(2, -90_000) : null);
    },
    setTrading: (id, isOn) =>
      execute({
        kind: 'set-market-status',
        marketId: listed.marketId(id),
        status: isOn ? 'active' : 'paused',
      }),
    settle: (id, resolution) =>
      execute({
        kind: 'resolve-event',
        eventId: listed.eventId(EVENT),
        resolutions: [MARKET, OTHER].map((market) => ({
          marketId: listed.marketId(market),
          resolution: String(market) === id ? resolution : 'short',
        })),
      }),
    reverse: (_id: MarketId) => execute({ kind: 'reverse-event', eventId: listed.eventId(EVENT) }),
    setTick: () => {
      throw new Error('the exchange changes no grid');
    },
    deposit: (amount) =>
      execute({ kind: 'deposit', account: ALICE, currency: 'OOM', amount: amount as Money }),
  };
}

/** A way to the realtime service that can be closed, and on which connections can be cut. */
async function openGate(port: number) {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((near) => {
    if (!isOpen) return void near.destroy();
    const far = createConnection(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    listen: (isOn: boolean): void => {
      isOpen = isOn;
      if (!isOn) cut();
    },
    close: (): void => {
      cut();
      server.close();
    },
  };
}
