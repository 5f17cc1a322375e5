/** From a frame received to its orders acknowledged by the bundled exchange, in another process on this machine. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { Answer } from '../../../src/domain/answers.js';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import {
  type HttpRequest,
  openTransport,
  type Transport,
} from '../../../src/venues/futuur/rest/transport.js';
import { houseOf } from '../engine/house.js';
import { serve } from '../exchange/served.js';
import { BUILT_PROGRAM, NODE_OPTIONS } from '../processes.js';
import { EVENTS, privateKey, publicKey } from '../exchange/venue.js';
import { ACCOUNT, bookText, orderText } from './frames.js';
import { openStage, type Stage } from './stage.js';

export const SYNCS = ['group', 'before-send'] as const;
export type Sync = (typeof SYNCS)[number];

/** Microseconds. `post` is an undici POST of the same bytes to a handler that does nothing, one after each round trip. */
export interface WireTimes {
  readonly p50: number;
  readonly p99: number;
  readonly postP50: number;
  readonly postP99: number;
}

/** Before as many V8 has compiled neither side whole. */
const WARM_UP = 5_000;
const COUNTED = 4_000;
const MIDS = [45, 46] as const;
/**
 * Frames are invented, and reads show the book of the exchange, which is another one. So now and then the bot takes its book
 * for wrong and quotes nothing. A frame without an answer by then is sent again, and only that one counts.
 */
const GIVE_UP_MS = 10_000;
const MOST_TRIES = 3;
/** One order a side: both move with the mid. */
const ONE_LEVEL = { halfSpread: '0.025', levels: 1 };

export async function measureWire(sync: Sync): Promise<WireTimes> {
  const served = await serve();
  const origin = `http://127.0.0.1:${served.port}`;
  const spy = new Spy(openTransport({ origin, connections: 8, answerBytes: 1e8 }));
  const keys = { publicKey: publicKey(ACCOUNT), privateKey: privateKey(ACCOUNT) };
  const house = houseOf(EVENTS, ONE_LEVEL, { first: 1, perEvent: 1 });
  const acknowledgement = new Acknowledgement();
  const stage = await openStage({
    house,
    nested: 'python',
    sync,
    transport: spy,
    clock: new SystemClock(),
    keys,
    onAnswer: (answer) => acknowledgement.heard(answer),
  });
  const empty = await startEmptyHandler();
  const [ours, posts]: [number[], number[]] = [[], []];
  for (let frame = -EVENTS; frame < WARM_UP + COUNTED; frame++) {
    const us = await roundTrip(stage, acknowledgement, frame + EVENTS);
    const post = await empty.post(spy.last!);
    if (frame < WARM_UP) continue;
    ours.push(us);
    posts.push(post);
  }
  empty.stop();
  await stage.close();
  await spy.close();
  served.stop();
  return { p50: at(ours, 0.5), p99: at(ours, 0.99), postP50: at(posts, 0.5), postP99: at(posts, 0.99) };
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;

async function roundTrip(stage: Stage, acknowledgement: Acknowledgement, frame: number): Promise<number> {
  const { id, markets } = stage.events[frame % stage.events.length]!;
  const mid = MIDS[Math.floor(frame / stage.events.length) % 2]!;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answered = acknowledgement.next();
    const before = performance.now();
    stage.receive(bookText(id, markets[0]!, mid, Date.now()));
    const acknowledged = await Promise.race([answered, pause(GIVE_UP_MS, null, { ref: false })]);
    if (acknowledged === null) {
      process.stderr.write(`frame ${frame} of event ${id} led to no order; ${acknowledgement.told()}\n`);
      continue;
    }
    for (const order of ordersOf(acknowledged.answer)) stage.receive(orderText(order, Date.now()));
    return (acknowledged.at - before) * 1_000;
  }
  throw new Error(`frame ${frame} led to no order in ${MOST_TRIES} tries`);
}

/** Waits for answers about orders, one after the other. */
class Acknowledgement {
  #resolve: (acknowledged: { answer: Answer; at: number }) => void = () => undefined;
  #last: readonly Answer[] = [];

  /** The last answers, of whatever kind. */
  told(): string {
    return `the last answers: ${JSON.stringify(this.#last).slice(0, 2_000)}`;
  }

  next(): Promise<{ answer: Answer; at: number }> {
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  heard(answer: Answer): void {
    this.#last = [...this.#last.slice(-4), answer];
    if (isAboutOrders(answer)) this.#resolve({ answer, at: performance.now() });
  }
}

const isAboutOrders = ({ outcome }: Answer): boolean =>
  !outcome.ok || outcome.body.kind === 'create-orders' || outcome.body.kind === 'replace-orders';

/** @throws Error unless both orders were accepted */
function ordersOf({ outcome }: Answer) {
  if (!outcome.ok || !('items' in outcome.body)) throw new Error(JSON.stringify(outcome));
  return outcome.body.items.map((item) => {
    if (!item.ok || typeof item.value === 'string') throw new Error(JSON.stringify(item));
    const { orderId, marketId, eventId, side, position, price, requested } = item.value;
    const terms = {
      id: Number(orderId),
      market: Number(marketId),
      event: Number(eventId ?? 0),
      side,
      position,
    };
    return { ...terms, price: (price ?? 0) / 10_000, shares: requested / 100 };
  });
}

/** Remembers the last request with a body. */
class Spy implements Transport {
  last: { path: string; headers: Readonly<Record<string, string>>; body: string } | null = null;

  constructor(private readonly transport: Transport) {}

  send(request: HttpRequest): ReturnType<Transport['send']> {
    const headers = (): Readonly<Record<string, string>> => {
      const made = request.headers();
      if (request.body !== null) this.last = { path: request.path, headers: made, body: request.body };
      return made;
    };
    return this.transport.send({ ...request, headers });
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

interface EmptyHandler {
  /** @returns microseconds from the call to the end of the answer */
  post(request: NonNullable<Spy['last']>): Promise<number>;
  stop(): void;
}

async function startEmptyHandler(): Promise<EmptyHandler> {
  const file = fileURLToPath(new URL('./empty-handler.ts', import.meta.url));
  const child = fork(file, { execArgv: [...NODE_OPTIONS, '--import', BUILT_PROGRAM] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8, pipelining: 1 });
  return {
    post: async ({ path, headers, body }) => {
      const before = performance.now();
      const answer = await pool.request({ method: 'POST', path, headers: { ...headers }, body });
      await answer.body.text();
      return (performance.now() - before) * 1_000;
    },
    stop: () => {
      void pool.destroy();
      child.disconnect();
    },
  };
}
