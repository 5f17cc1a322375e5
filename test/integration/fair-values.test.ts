/** A bot on the bundled exchange, over the wire, that quotes around values from outside. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bot, createLogger, loadBotSettings, seededRandom, startDemo, SystemClock } from 'oddsmith';
import { describe, expect, it } from 'vitest';
import { printValues } from '../../src/cli/commands/tape.js';
import { explainOrder } from '../../src/runs/explain/explain.js';
import { checkParity, isIdentical } from '../../src/runs/replay/replay.js';
import { surveyTape } from '../../src/storage/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ran } from '../support/screen/told-command.js';
import { linesOf } from '../support/tape/tape.js';

const TOKEN = 'a-token-of-my-own';
const [RAIN, ASHFORD, BRACKLEY] = ['1001', '2001', '2002'];
const WAIT = { timeout: 20_000, interval: 20 };

/** A bot whose values get too old after so long. */
async function started(maxAgeMs: number) {
  const folder = scratchFolder();
  const path = join(folder, 'values.csv');
  writeFileSync(path, 'market,probability,confidence\n');
  const { settings, source } = loadBotSettings('config/fair-values.yaml', { ODDSMITH_HTTP_TOKEN: TOKEN });
  const [file, push] = settings.fairValues;
  if (file?.kind !== 'file' || push?.kind !== 'push') throw new Error('the example has two sources');
  const brackley = push.markets.filter(({ id }) => id === BRACKLEY);
  const code = `setInterval(() => console.log(JSON.stringify({ market: 'brackley', probability: 0.4 })), 200)`;
  const { exchange, bot } = await startDemo({
    settings: {
      ...settings,
      stateDir: folder,
      fairValues: [
        { ...file, path, maxAgeMs },
        { ...push, maxAgeMs, markets: push.markets.filter(({ id }) => id === ASHFORD) },
        {
          ...push,
          kind: 'process',
          name: 'program',
          maxAgeMs,
          markets: brackley,
          command: [process.execPath, '-e', code],
        },
      ],
      exchange: { ...settings.exchange!, port: 0, participants: [] },
      http: { ...settings.http, port: 0 },
      tape: { ...settings.tape, flushMs: 100 },
    },
    source,
    recording: null,
    clock: new SystemClock(),
    random: seededRandom(settings.seed),
    logger: createLogger({ level: 'silent' }),
    runId: 'fair-values',
  });
  return { path, exchange, bot };
}

/** Best prices of the bot in a market, in ticks of a cent. */
const quotes = (bot: Bot, market: string) => {
  const found = bot.view().markets.find(({ marketId }) => marketId === market)!;
  const prices = (side: string) =>
    found.quotes.filter((quote) => quote.side === side).map(({ price }) => Math.round(price / 100));
  return { bids: prices('bid'), asks: prices('ask'), halted: found.halted };
};

describe('a bot with fair values from outside', () => {
  it('quotes around them, moves with them, withdraws when they are too old, and is replayed', async () => {
    const { path, exchange, bot } = await started(5_000);
    try {
      await expect
        .poll(() => quotes(bot, RAIN), WAIT)
        .toEqual({ bids: [], asks: [], halted: 'fair-value-missing' });
      appendFileSync(path, 'rain,0.52,1\n');
      await expect.poll(() => quotes(bot, RAIN), WAIT).toEqual({ bids: [50], asks: [54], halted: null });
      appendFileSync(path, 'rain,0.6,0.8\n');
      await expect.poll(() => quotes(bot, RAIN), WAIT).toEqual({ bids: [57], asks: [63], halted: null });
      await expect
        .poll(() => quotes(bot, RAIN), WAIT)
        .toEqual({ bids: [], asks: [], halted: 'fair-value-stale' });

      expect(bot.view().notices).toContainEqual(
        expect.objectContaining({
          code: 'fair-value-stale',
          text: 'the fair value of model is older than 5000 ms: nothing is quoted until a newer one comes',
        }),
      );

      expect(bot.fairValue({ market: 'ashford', probability: 0.3 })).toBeNull();
      await expect.poll(() => quotes(bot, ASHFORD), WAIT).toEqual({ bids: [28], asks: [32], halted: null });
      const send = async (token: string, body: string) =>
        (
          await fetch(`${bot.url}/fair-values`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}` },
            body,
          })
        ).status;
      expect(await send('another-token-0001', '{"market": "ashford", "probability": 0.5}')).toBe(401);
      expect(await send(TOKEN, '{"market": "ashford", "probability": 0.35}')).toBe(200);
      await expect.poll(() => quotes(bot, ASHFORD), WAIT).toMatchObject({ bids: [33], asks: [37] });
      expect(await send(TOKEN, 'market,probability\nashford,35\n')).toBe(422);
      expect(bot.fairValue({ market: 'ashford', name: 'elo', value: 1_500 })).toBeNull();
      expect(bot.fairValue({ market: 'rain', probability: 0.3 })).toBe(
        'expected one of ashford, found market rain',
      );
      expect(bot.fairValue({ market: 'ashford', probability: NaN })).toBe(
        'expected a number from 0 to 1, found probability NaN',
      );

      expect(quotes(bot, BRACKLEY)).toEqual({ bids: [38], asks: [42], halted: null });
      const metrics = await (await fetch(`${bot.url}/metrics`)).text();
      expect(metrics).toContain('oddsmith_fair_values_total{source="model",outcome="accepted"} 2');
      expect(metrics).toContain('oddsmith_fair_values_total{source="desk",outcome="not-a-probability"} 2');
      expect(metrics).toContain('oddsmith_fair_source_up{source="program"} 1');
      bot.stop('seen enough');
      expect((await bot.ended).outcome).toBe('clean');
    } finally {
      await exchange.close();
    }
    const parity = await checkParity(bot.folder!);
    expect(parity.divergence).toBeNull();
    expect(isIdentical(parity)).toBe(true);
    expect(parity.replayedHash).toBe(bot.decisionHash);
    const lines = await linesOf(bot.folder!);
    const said = lines.flatMap((line) =>
      line.kind === 'input' && line.input.kind === 'outside' ? line.input.values : [],
    );
    expect(said.filter(({ kind }) => kind === 'signal')).toMatchObject([
      { marketId: ASHFORD, name: 'elo', value: 1_500 },
    ]);
    const taped = said.flatMap((value) => (value.kind === 'fair-value' ? [[value.marketId, value.p]] : []));
    expect(taped.filter(([market]) => market !== BRACKLEY)).toEqual([
      [RAIN, 0.52],
      [RAIN, 0.6],
      [ASHFORD, 0.3],
      [ASHFORD, 0.35],
    ]);
    const { text } = await ran(() => printValues(bot.folder!));
    const [first] = text
      .split('\n')
      .map((line) => line && (JSON.parse(line) as Record<string, unknown>))
      .filter(isRain);
    expect(first).toMatchObject({ market: RAIN, probability: 0.52, confidence: 1 });
    expect(Number(first!['arrived'])).toBeGreaterThanOrEqual(Number(first!['time']));

    const survey = await surveyTape(bot.folder!);
    expect(survey.markets.find(({ market }) => market === RAIN)!.fairValues).toBe(2);
    const { story } = await explainOrder(bot.folder!, {
      order: { kind: 'request', requestId: (await firstRequest(bot.folder!))!, item: 0 },
      scenario: 'pessimistic',
    });
    expect(story?.asked?.setting?.fair?.source).toMatch(/model|program/);
  });
});

const isRain = (value: Record<string, unknown> | ''): value is Record<string, unknown> =>
  value !== '' && value['market'] === RAIN;

/** Of the first create on the tape. */
async function firstRequest(folder: string): Promise<number | undefined> {
  for (const line of await linesOf(folder))
    if (line.kind === 'decision' && line.decision.kind === 'create-orders') return line.decision.requestId;
  return undefined;
}
