/** What is walked: each is set up and warmed up, and then runs exactly once. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { houseOf } from '../bench/engine/house.js';
import { orderRequest } from '../bench/exchange/requests.js';
import { APP_KEY, startVenue } from '../bench/exchange/venue.js';
import { AgreeableTransport } from '../bench/execution/agreeable-transport.js';
import { bookText, fillText, orderText, type VenueOrder } from '../bench/execution/frames.js';
import { eventsOf, LADDER, openStage, type Stage } from '../bench/execution/stage.js';
import { VenuePacedClock } from '../bench/execution/venue-paced-clock.js';
import { Coverage, pathOf, type Step } from './coverage.js';
import { startTrace } from './tracing.mjs';

export const WALKS = ['book', 'fill', 'rest', 'backtest'] as const;

export interface Walk {
  readonly walk: (typeof WALKS)[number];
  readonly files: number;
  readonly functions: number;
  readonly path: readonly Step[];
}

const WARM_UP = 300;
/** Among as many moves there is one fill: the venue's word on holdings knows of none. */
const RARE = 50;
const ROOT = join(import.meta.dirname, '../..');

export async function measured(walk: Walk['walk']): Promise<Walk> {
  const path = await WAYS[walk]();
  const functions = path.reduce((sum, step) => sum + step.functions.length, 0);
  return { walk, files: path.length, functions, path };
}

const WAYS: Readonly<Record<Walk['walk'], () => Promise<readonly Step[]>>> = {
  book: () => quoted((bot) => bot.move()),
  fill: () => quoted((bot) => bot.fill()),
  rest: ordered,
  backtest: () => Promise.resolve(backtested()),
};

/** Runs it so often that all is as it mostly is, and once more. */
async function quoted(said: (bot: QuotingBot) => string): Promise<readonly Step[]> {
  const coverage = new Coverage();
  const bot = await QuotingBot.open();
  for (let time = 0; time < WARM_UP; time++) {
    bot.hear(bot.move());
    await bot.settle();
    if (time % RARE > 0) continue;
    bot.hear(said(bot));
    await bot.settle();
  }
  const text = said(bot);
  coverage.take();
  const trace = startTrace();
  const orders = bot.hear(text);
  const path = pathOf(coverage.take(), trace);
  if (orders === 0) throw new Error('no order was sent');
  await bot.settle();
  await bot.close();
  return path;
}

/** A bot of one market with ten levels a side, at a venue that does whatever it is asked. */
class QuotingBot {
  readonly #transport: AgreeableTransport;
  readonly #clock = new VenuePacedClock();
  readonly #event: number;
  readonly #market: number;
  #stage: Stage | null = null;
  #sent = 0;
  #mid = 45;
  #resting: readonly VenueOrder[] = [];

  private constructor() {
    this.#transport = new AgreeableTransport((items) => (this.#sent += items));
    const [event] = eventsOf(HOUSE);
    this.#event = event!.id;
    this.#market = event!.markets[0]!;
  }

  static async open(): Promise<QuotingBot> {
    const bot = new QuotingBot();
    const doors = { nested: 'python', sync: 'group', transport: bot.#transport, clock: bot.#clock } as const;
    bot.#stage = await openStage({ house: HOUSE, ...doors });
    return bot;
  }

  /** @returns what the venue says when the book moves by ten ticks */
  move(): string {
    this.#mid = 100 - this.#mid;
    this.#transport.venue.shows(this.#market, this.#mid);
    return bookText(this.#event, this.#market, this.#mid, Date.now());
  }

  /** @returns what the venue says when half of the newest order is filled */
  fill(): string {
    return fillText(this.#resting.at(-1)!, Date.now());
  }

  /** @returns how many orders were handed to the transport before this returned */
  hear(text: string): number {
    this.#sent = 0;
    this.#stage!.receive(text);
    return this.#sent;
  }

  /** Whatever the venue says after that, and time for the next request. */
  async settle(): Promise<void> {
    await turn();
    this.#clock.setForward(ALLOWED_EVERY_MS);
    const told = this.#transport.venue.told.splice(0);
    if (told.length > 0) this.#resting = told;
    for (const order of told) this.#stage!.receive(orderText(order, Date.now()));
    await turn();
  }

  close(): Promise<void> {
    return this.#stage!.close();
  }
}

const HOUSE = houseOf(1, LADDER);
/** 2,000 requests a minute. */
const ALLOWED_EVERY_MS = 30;

/**
 * One signed order over a connection that is kept alive, from its bytes on the socket to the whole answer. It trades, and
 * somebody has subscribed to its event.
 */
async function ordered(): Promise<readonly Step[]> {
  const coverage = new Coverage();
  const venue = await startVenue();
  const subscriber = await subscribed(venue.port);
  const socket = connect({ port: venue.port, host: '127.0.0.1', noDelay: true });
  for (let time = 0; time < WARM_UP; time++) await exchanged(socket, orderRequest(1));
  for (let time = 0; time < WARM_UP; time++) {
    const request = orderRequest(1);
    await pause(SETTLED_MS);
    coverage.take();
    const trace = startTrace();
    const answer = await exchanged(socket, request);
    const scripts = coverage.take();
    if (!answer.includes('"filled"')) continue;
    socket.destroy();
    subscriber.terminate();
    await venue.close();
    return pathOf(scripts, trace);
  }
  throw new Error('no order was filled');
}

const SETTLED_MS = 100;

async function subscribed(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/${APP_KEY}?protocol=7`);
  await once(socket, 'message');
  socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel: 'event-1' } }));
  await once(socket, 'message');
  return socket;
}

function exchanged(socket: Socket, request: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('data', (bytes) => {
      const answer = bytes.toString();
      if (answer.startsWith('HTTP/1.1 20')) resolve(answer);
      else reject(new Error(answer));
    });
    socket.write(request);
  });
}

/** The command as a person starts it, in a process of its own. */
function backtested(): readonly Step[] {
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-walk-'));
  try {
    const coverageFolder = join(folder, 'coverage');
    const env = {
      ...process.env,
      NODE_V8_COVERAGE: coverageFolder,
      ODDSMITH_WALK_TRACE: join(folder, 'trace'),
    };
    const tracing = join(import.meta.dirname, 'tracing.mjs');
    const command = ['dist/src/cli/main.js', 'backtest', 'config/backtest.yaml', '--json', '--out', folder];
    const run = spawnSync(process.execPath, ['--import', tracing, ...command], { cwd: ROOT, env });
    if (run.status !== 0) throw new Error(`the backtest ended with ${run.status}: ${run.stderr.toString()}`);
    const scripts = readdirSync(coverageFolder).flatMap((file) => {
      const { result } = JSON.parse(readFileSync(join(coverageFolder, file), 'utf8')) as {
        readonly result: readonly Profiler.ScriptCoverage[];
      };
      return result;
    });
    const trace = JSON.parse(readFileSync(join(folder, 'trace.0'), 'utf8')) as [string, number[]][];
    return pathOf(scripts, new Map(trace));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
