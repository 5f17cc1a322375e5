import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, loadBotSettings, seededRandom, SystemClock } from 'oddsmith';
import { expect, it } from 'vitest';
import { Bot } from '../../src/runs/live/bot.js';
import { bundledVenueOf, runExchange } from '../../src/runs/exchange/exchange.js';
import { checkParity, isIdentical } from '../../src/runs/replay/replay.js';
import { readReport } from '../../src/report/report-files.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

it('runs over sockets without keys, says PAPER everywhere, and replays identically', async () => {
  const { settings, source } = loadBotSettings('config/demo.yaml', {});
  const clock = new SystemClock();
  const lines: string[] = [];
  const exchange = await runExchange({
    settings: { ...settings.exchange!, port: 0 },
    file: source.file,
    clock,
    random: seededRandom(1),
    logger: createLogger({ level: 'silent' }),
    busyPort: 'use-free-one',
    start: clock.now(),
  });
  const venue = {
    ...bundledVenueOf(settings.exchange!, exchange.server),
    publicKey: 'none',
    privateKey: 'none',
  };
  const stateDir = scratchFolder();
  try {
    const bot = await Bot.start({
      settings: {
        ...settings,
        mode: 'paper',
        venue,
        stateDir,
        tape: { ...settings.tape, record: true },
        http: { host: '127.0.0.1', port: 0, token: null },
      },
      venue,
      source,
      clock,
      random: seededRandom(1),
      logger: createLogger({ level: 'info', style: 'json', write: (line) => lines.push(line) }),
      runId: 'paper-1',
    });
    await expect.poll(() => bot.view().markets.some(({ quotes }) => quotes.length > 0)).toBe(true);
    expect(bot.view().isPaper).toBe(true);
    const metrics = await (await fetch(`${bot.url}/metrics`)).text();
    const values = metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(values.filter((line) => !line.includes('mode="paper"'))).toEqual([]);
    const folder = bot.folder!;
    bot.stop('seen enough');
    expect((await bot.ended).outcome).toBe('clean');
    expect(lines.filter((line) => line.includes('"msg":"PAPER'))).toHaveLength(2);
    expect(readReport(folder)).toMatchObject({ mode: 'paper', title: 'PAPER paper-1' });
    expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).toMatchObject({ mode: 'paper' });
    expect(isIdentical(await checkParity(folder))).toBe(true);
    const [account] = readdirSync(join(stateDir, 'accounts')).filter((name) => name.endsWith('-paper'));
    expect(existsSync(join(stateDir, 'accounts', account!, 'paper.json'))).toBe(true);
  } finally {
    await exchange.close();
  }
});
