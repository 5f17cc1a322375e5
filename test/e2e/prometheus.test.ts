/** A real Prometheus scrapes a bot that trades, and answers every query of the dashboards. */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger, loadBotSettings, seededRandom, startDemo, SystemClock } from 'oddsmith';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { freePort } from '../support/process/free-port.js';
import { ROOT } from '../support/project/small-house.js';

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;
const DASHBOARDS = join(ROOT, 'ops', 'grafana', 'dashboards');

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const queries = readdirSync(DASHBOARDS).flatMap((file) => {
  const { panels } = JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as { panels: Panel[] };
  return panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
});

async function tradingBot() {
  const { settings, source } = loadBotSettings(join(ROOT, 'config', 'demo.yaml'), {});
  const demo = await startDemo({
    settings: {
      ...settings,
      stateDir: scratchFolder(),
      exchange: { ...settings.exchange!, port: 0 },
      http: { ...settings.http, port: 0 },
    },
    source,
    recording: null,
    clock: new SystemClock(),
    random: seededRandom(settings.seed),
    logger: createLogger({ level: 'silent' }),
    runId: 'scraped',
  });
  onTestFinished(async () => {
    demo.bot.stop('seen enough');
    await demo.bot.ended;
    await demo.exchange.close();
  });
  return demo.bot;
}

/** The shipped configuration, with this target and every second. @returns its address */
async function prometheusOf(target: string): Promise<string> {
  const folder = scratchFolder();
  const shipped = join(ROOT, 'ops', 'prometheus');
  const config = readFileSync(join(shipped, 'prometheus.yml'), 'utf8')
    .replace('127.0.0.1:9464', target)
    .replace('alerts.yml', join(shipped, 'alerts.yml'))
    .replaceAll(/_interval: \d+s/g, '_interval: 1s');
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ]);
  onTestFinished(async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await gone;
  });
  return `http://${address}`;
}

async function answer(prometheus: string, query: string): Promise<readonly unknown[]> {
  const response = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
  const { status, data } = (await response.json()) as { status: string; data: { result: unknown[] } };
  expect(status, query).toBe('success');
  return data.result;
}

it.skipIf(!hasPrometheus)(
  'every query of the dashboards returns data (skipped where Prometheus is not installed)',
  { timeout: 60_000 },
  async () => {
    const bot = await tradingBot();
    const prometheus = await prometheusOf(new URL(bot.url).host);
    const WAIT = { timeout: 30_000, interval: 250 };
    await expect
      .poll(async () => (await fetch(`${prometheus}/-/ready`).catch(() => null))?.ok ?? false, WAIT)
      .toBe(true);
    await expect.poll(() => answer(prometheus, 'oddsmith_fills_total > 0'), WAIT).toHaveLength(1);
    expect(queries.length).toBeGreaterThan(20);
    for (const { title, expr } of queries) {
      const query = expr.replaceAll('$__rate_interval', '30s');
      await expect
        .poll(async () => (await answer(prometheus, query)).length, { ...WAIT, message: `${title}: ${expr}` })
        .toBeGreaterThan(0);
    }
    const { data } = (await (await fetch(`${prometheus}/api/v1/rules`)).json()) as {
      data: { groups: { rules: { health: string; lastError?: string }[] }[] };
    };
    expect(data.groups[0]?.rules.filter(({ health }) => health === 'err')).toEqual([]);
    expect(await answer(prometheus, 'ALERTS{alertname="OddsmithKilled"}')).toEqual([]);
  },
);
