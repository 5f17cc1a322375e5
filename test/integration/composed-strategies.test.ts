/** A strategy may call a bundled one with a context that it spread or wrapped: live that is the same as in a test. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextOf } from 'oddsmith/sdk/testing';
import glft from 'oddsmith/strategies/glft';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const START = 1_786_400_000_000;
const line = (seconds: number, rest: object): string =>
  `${JSON.stringify({ t: START + seconds * 1_000, event: 1, market: 11, ...rest })}\n`;
/** A mid that wanders, with takers now and then. */
const RECORDING = [
  line(0, { type: 'status', status: 'open', resolution: null }),
  ...Array.from({ length: 120 }, (_, at) => {
    const mid = Math.round(50 + 6 * Math.sin(at / 9)) / 100;
    const bid = [[Number((mid - 0.02).toFixed(2)), 100]];
    return line(at / 2, { type: 'book', bid, ask: [[Number((mid + 0.02).toFixed(2)), 100]] });
  }),
  ...[10, 25, 40].map((at) => line(at, { type: 'trade', price: 0.6, shares: 5, taker_side: 'bid' })),
  line(61, { type: 'status', status: 'resolved', resolution: 'long' }),
].toSorted((one, other) => JSON.parse(one).t - JSON.parse(other).t);

const composed = (context: string): string => `
import { defineStrategy } from 'oddsmith/sdk';
import glft from 'oddsmith/strategies/glft';

export default defineStrategy({
  ...glft,
  name: 'composed',
  quote: (context) => {
    context.log('asked', { mid: context.book.mid });
    return glft.quote(${context});
  },
});
`;

/** Decisions and what was said to a person, in the pessimistic scenario. */
async function lifeOf(strategy: string) {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'recording.ndjson'), RECORDING.join(''));
  writeFileSync(join(folder, 'composed.ts'), strategy);
  const file = join(folder, 'bot.yaml');
  const reference = strategy === '' ? 'glft' : './composed.ts';
  writeFileSync(
    file,
    `events: [{ id: 1, title: Rain?, markets: [{ id: 11, title: 'Yes' }] }]
instances:
  - name: one
    strategy: ${reference}
    markets: [11]
    limits: { maxPositionShares: 300, maxEventLoss: 200 }
backtest: { recordings: [recording.ndjson] }
`,
  );
  const decided: string[] = [];
  const said: string[] = [];
  await runBacktest({
    ...loadBotSettings(file, {}),
    watch: (scenario) =>
      scenario === 'pessimistic'
        ? {
            decided: (text) => void decided.push(text),
            did: (effects) => {
              for (const effect of effects) if (effect.kind === 'notice') said.push(effect.text);
            },
          }
        : {},
  });
  return { requests: decided.map((text) => (JSON.parse(text) as { request: unknown }).request), said };
}

describe('a strategy that calls a bundled one', () => {
  it.each([
    ['spread', '{ ...context, params: context.params }'],
    ['wrapped', 'Object.create(context, { params: { value: context.params } })'],
  ])('with a context that is %s decides the same, and is heard in the log', async (_how, context) => {
    const alone = await lifeOf('');
    const other = await lifeOf(composed(context));
    expect(alone.requests.length).toBeGreaterThan(20);
    expect(other.requests).toEqual(alone.requests);
    expect(other.said).toContainEqual(expect.stringMatching(/^one: asked \{"mid":0\.\d+\}/));
  });

  it('answers in a test as with the context itself', () => {
    const context = contextOf(glft, { fair: { p: 0.4, ageMs: 0, confidence: 1 } });
    expect(glft.quote({ ...context })).toEqual(glft.quote(context));
  });
});
