/** A bot of many markets and its exchange as processes of their own: started, cut off, reloaded, stopped. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MarketRowJson, StatusJson } from '../../../src/ops/http/contract.js';
import { Metrics } from '../../support/house/bot-sight.js';
import { Child } from '../../support/house/child.js';
import { freePort } from '../../support/process/free-port.js';
import { until } from '../../support/process/until.js';
import { AdminClient, VenueClient } from '../../support/wire/venue-client.js';
import { printFigure } from '../figures.js';
import {
  type Activity,
  ADMIN_TOKEN,
  type BotFile,
  botText,
  ENVIRONMENT,
  exchangeText,
  MARKETS_PER_EVENT,
  ONLOOKER,
} from './files.js';

export interface LiveOptions extends Activity {
  readonly minutes: number;
  readonly markets: number;
  readonly mode: BotFile['mode'];
}

const SAMPLE_MS = 10_000;
const LOOK_MS = 1_000;
/** Of the markets, before a start or a reconnection counts as over. */
const ENOUGH = 0.99;
const PATIENCE_MS = 600_000;
const SHARES = { first: 10, later: 12 } as const;
const SERVED = ['--max-semi-space-size=64', '--v8-pool-size=1'].join(' ');

/** Lives one life, and prints what it took. */
export async function live(options: LiveOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-thousand-'));
  const scene = new Scene(folder, await freePort(), options);
  try {
    await scene.play();
  } finally {
    scene.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Scene {
  private readonly children: Child[] = [];
  private readonly admin: AdminClient;
  private readonly onlooker: VenueClient;
  private readonly samples: Sample[] = [];
  private readonly reconnections: number[] = [];
  private base = '';
  private shares: number = SHARES.first;
  private markets: number;

  constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly options: LiveOptions,
  ) {
    const url = `http://127.0.0.1:${port}`;
    this.markets = options.markets;
    this.admin = new AdminClient(url, ADMIN_TOKEN);
    this.onlooker = new VenueClient(url, ONLOOKER);
  }

  async play(): Promise<void> {
    const { options } = this;
    const isLive = options.mode === 'live';
    const known = options.markets + MARKETS_PER_EVENT;
    writeFileSync(join(this.folder, 'exchange.yaml'), exchangeText(this.port, known, options));
    this.writeBot();
    await this.start(['exchange', 'exchange.yaml', '--json']).event('ready');
    const stated = await this.statedStop();
    const bot = this.start(['run', 'bot.yaml', '--json']);
    const { urls } = (await bot.event('ready')) as { readonly urls: { readonly metrics: string } };
    this.base = urls.metrics.replace(/\/metrics$/, '');
    const guard = isLive ? this.start(['guard', 'bot.yaml', '--json']) : null;
    await guard?.event('keys-work');
    this.say('start until 99 % are quoted', 's', [await this.secondsUntilQuoted(0)]);
    await this.live();
    await this.stop(bot, guard, stated);
  }

  /** Ends what still runs. */
  end(): void {
    for (const child of this.children) child.signal('SIGKILL');
  }

  private start(args: readonly string[]): Child {
    const env = { ...ENVIRONMENT, NODE_OPTIONS: SERVED, XDG_STATE_HOME: join(this.folder, 'state') };
    const child = Child.start(args, { cwd: this.folder, env });
    this.children.push(child);
    return child;
  }

  private writeBot(): void {
    const { port, markets, shares } = this;
    const text = botText({ port, markets, shares, mode: this.options.mode });
    writeFileSync(join(this.folder, 'bot.yaml'), text);
  }

  /** Seconds that a stop takes at most, as `config check` states it. */
  private async statedStop(): Promise<number> {
    const check = this.start(['config', 'check', 'bot.yaml']);
    const exit = await check.exit;
    const line = /stop: .*/.exec(check.said)?.[0] ?? '';
    process.stderr.write(`${check.said.trimEnd()}\n`);
    if (exit !== 0) throw new Error(`config check ended with ${exit}`);
    return Number(/given up after ([\d.]+) s/.exec(line)?.[1]);
  }

  /** Samples every ten seconds; in between the connection is cut, a parameter changes, and an event joins. */
  private async live(): Promise<void> {
    const ends = performance.now() + this.options.minutes * 60_000;
    const deeds = this.deeds();
    const every = (this.options.minutes * 60_000) / (deeds.length + 1);
    let next = performance.now() + every;
    await this.sample();
    this.samples.length = 0;
    while (performance.now() < ends) {
      await pause(SAMPLE_MS);
      await this.sample();
      if (deeds.length === 0 || performance.now() < next) continue;
      next += every;
      await deeds.shift()?.();
    }
    this.printSamples();
  }

  private deeds(): (() => Promise<void>)[] {
    const cuts = Array.from(
      { length: Math.max(2, Math.floor(this.options.minutes / 5)) },
      () => () => this.cut(),
    );
    const reloads = [
      () => this.reload(() => (this.shares = SHARES.later)),
      () => this.reload(() => (this.markets += MARKETS_PER_EVENT)),
    ];
    return [cuts.shift()!, ...reloads, ...cuts];
  }

  private async cut(): Promise<void> {
    const before = (await this.metrics()).value('oddsmith_resyncs_total');
    await this.admin.post('/admin/faults/', { seed: 1, rules: [{ on: 'ws', kind: 'drop_ws', nth: 1 }] });
    await until(
      'the cut to be noticed',
      async () => (await this.metrics()).value('oddsmith_resyncs_total') > before,
    );
    await this.admin.post('/admin/faults/', { rules: [] });
    this.reconnections.push(await this.secondsUntilQuoted(1));
  }

  private async reload(change: () => void): Promise<void> {
    change();
    this.writeBot();
    const since = performance.now();
    const child = this.start(['reload', 'bot.yaml']);
    const exit = await child.exit;
    const line = child.said.replaceAll(/\s+/g, ' ').slice(0, 200);
    process.stderr.write(
      `reload ended with ${exit} after ${Math.round(performance.now() - since)} ms: ${line}\n`,
    );
    if (exit !== 0) throw new Error(`reload ended with ${exit}: ${child.said}`);
    this.say('reload until 99 % are quoted', 's', [await this.secondsUntilQuoted(1)]);
  }

  private async sample(): Promise<void> {
    const metrics = await this.metrics();
    const rows = await this.api<readonly MarketRowJson[]>('markets');
    const both = rows.filter(({ quotes }) => SIDES.every((side) => quotes.some((one) => one.side === side)));
    const delay = metrics.all('oddsmith_event_loop_delay_seconds');
    const delayOf = (name: string): number =>
      1_000 * (delay.find(({ labels }) => labels['statistic'] === name)?.value ?? Number.NaN);
    const one: Sample = {
      at: performance.now(),
      both: (100 * both.length) / this.markets,
      rss: metrics.value('oddsmith_process_resident_memory_bytes') / MIB,
      heap: metrics.value('oddsmith_process_heap_used_bytes') / MIB,
      cpu: metrics.value('oddsmith_process_cpu_seconds_total'),
      p99: delayOf('p99'),
      max: delayOf('max'),
      inputs: metrics.value('oddsmith_inputs_total'),
      requests: metrics.value('oddsmith_requests_total'),
      fills: metrics.value('oddsmith_fills_total'),
    };
    this.samples.push(one);
    const shown = Object.entries(one).map(([name, value]) => `${name} ${Math.round(value * 10) / 10}`);
    process.stderr.write(`${shown.join('  ')}\n`);
  }

  private printSamples(): void {
    const { samples } = this;
    const [first, last] = [samples[0]!, samples.at(-1)!];
    const seconds = (last.at - first.at) / 1_000;
    const of = (name: keyof Sample): number[] => samples.map((one) => one[name]);
    this.say('markets quoted on both sides', '%', of('both'));
    this.say('inputs', '1/s', [(last.inputs - first.inputs) / seconds]);
    this.say('requests', '1/min', [(60 * (last.requests - first.requests)) / seconds]);
    this.say('fills', '1/min', [(60 * (last.fills - first.fills)) / seconds]);
    this.say('processor', 's/s', [(last.cpu - first.cpu) / seconds]);
    this.say('resident memory', 'MiB', of('rss'));
    this.say('heap in use, least of the first third', 'MiB', [least(of('heap'), 0)]);
    this.say('heap in use, least of the last third', 'MiB', [least(of('heap'), 2)]);
    this.say('event loop p99', 'ms', of('p99'));
    this.say('event loop longest', 'ms', of('max'));
    if (this.reconnections.length > 0)
      this.say('reconnection until 99 % are quoted', 's', this.reconnections);
  }

  private async stop(bot: Child, guard: Child | null, stated: number): Promise<void> {
    const { requests } = await this.api<StatusJson>('status');
    process.stderr.write(`allowance: ${JSON.stringify(requests)}\n`);
    const cuts = (await this.admin.get('/admin/counts/')).at('realtime.cut');
    process.stderr.write(`connections that the exchange cut: ${JSON.stringify(cuts)}\n`);
    const since = performance.now();
    const exit = await bot.end('SIGTERM');
    this.say('stop', 's', [(performance.now() - since) / 1_000]);
    this.say('stop, most that config check states', 's', [stated]);
    this.say('exit code', '', [exit ?? Number.NaN]);
    this.say('orders left at the venue', '', [await this.ordersLeft()]);
    if (guard === null) return;
    const alarms = ['alarm', 'fence-raised'].flatMap((name) => guard.events(name));
    this.say('alarms of the guard', '', [alarms.length]);
    this.say('exit code of the guard', '', [(await guard.end('SIGTERM')) ?? Number.NaN]);
  }

  private async ordersLeft(): Promise<number> {
    let left = 0;
    for (const status of ['processing', 'open', 'partial_filled'])
      left += (await this.onlooker.get('/orders/', { status, limit: 1 })).number('pagination.total');
    return left;
  }

  /** @param least seconds to wait before the first look */
  private async secondsUntilQuoted(least: number): Promise<number> {
    const since = performance.now();
    await pause(least * 1_000);
    for (;;) {
      const quoted = (await this.metrics())
        .all('oddsmith_markets')
        .find(({ labels }) => labels['state'] === 'quoted');
      if ((quoted?.value ?? 0) >= ENOUGH * this.markets) return (performance.now() - since) / 1_000;
      if (performance.now() - since > PATIENCE_MS)
        throw new Error(`only ${quoted?.value} markets are quoted`);
      await pause(LOOK_MS);
    }
  }

  private async metrics(): Promise<Metrics> {
    return new Metrics(await (await fetch(`${this.base}/metrics`)).text());
  }

  private async api<Answer>(path: string): Promise<Answer> {
    return (await (await fetch(`${this.base}/api/${path}`)).json()) as Answer;
  }

  private say(figure: string, unit: string, values: readonly number[]): void {
    const name = `${this.options.mode}-${this.options.markets}`;
    printFigure({ bench: 'thousand', case: name, engine: 'oddsmith', figure, unit, values });
  }
}

const SIDES = ['bid', 'ask'] as const;
const MIB = 1_048_576;

interface Sample {
  readonly at: number;
  readonly both: number;
  readonly rss: number;
  readonly heap: number;
  readonly cpu: number;
  readonly p99: number;
  readonly max: number;
  readonly inputs: number;
  readonly requests: number;
  readonly fills: number;
}

/** The least of a third of the values: what a collection left over. */
function least(values: readonly number[], third: 0 | 2): number {
  const size = Math.max(1, Math.floor(values.length / 3));
  return Math.min(...(third === 0 ? values.slice(0, size) : values.slice(-size)));
}
