/** What comes later in a recording changes nothing of what a backtest decided before. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const FEED_MS = 25;

interface Line {
  readonly t: number;
  readonly bid?: readonly (readonly [number, number])[];
  readonly ask?: readonly (readonly [number, number])[];
  readonly price?: number;
  readonly taker_side?: 'bid' | 'ask' | null;
}

const ALL = gunzipSync(readFileSync(join(ROOT, 'config/recordings/synthetic-rain.ndjson.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);
/** Milliseconds; lines of this time are the last that both recordings share. */
const CUT = ALL[Math.floor(ALL.length / 3)]!.t;
const LINES = ALL.filter(({ t }) => t < CUT + 20_000);

const turned = (price: number): number => Math.round((1 - price) * 10_000) / 10_000;

/** The same market seen from its other side: every price, taker and best level is another. */
function mirrored(line: Line): Line {
  const { bid, ask, price, taker_side: taker } = line;
  if (price !== undefined)
    return { ...line, price: turned(price), taker_side: taker === 'bid' ? 'ask' : 'bid' };
  if (bid === undefined || ask === undefined) return line;
  const levels = (side: typeof bid) => side.map(([p, shares]) => [turned(p), shares] as const);
  return { ...line, bid: levels(ask), ask: levels(bid) };
}

interface Decision {
  readonly scenario: string;
  /** When it was decided, milliseconds. */
  readonly at: number;
  readonly line: string;
}

async function decisionsOn(lines: readonly Line[], strategy: string): Promise<readonly Decision[]> {
  const file = join(scratchFolder(), 'recording.ndjson');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const overrides = [
    `backtest.recordings=[${file}]`,
    `backtest.latency.feedMs=${FEED_MS}`,
    `instances.rain.strategy=${strategy}`,
    'instances.rain.params={halfSpread: 0.01}',
  ];
  const decisions: Decision[] = [];
  await runBacktest({
    ...loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, overrides),
    watch: (scenario) => {
      let at = 0;
      return {
        took: (stamped) => void (at = stamped.at / 1_000),
        decided: (line) => void decisions.push({ scenario, at, line }),
      };
    },
  });
  return decisions;
}

describe('a backtest knows nothing that is still to come', () => {
  it.each(['fixed-spread', 'inventory-skew'])('decided by %s', async (strategy) => {
    const futures = [LINES, LINES.map((line) => (line.t > CUT ? mirrored(line) : line))];
    const [one, other] = await Promise.all(futures.map((lines) => decisionsOn(lines, strategy)));
    for (const scenario of ['pessimistic', 'expected', 'optimistic']) {
      const [before, changed] = [one!, other!].map((decisions) =>
        decisions.filter((decision) => decision.scenario === scenario),
      );
      const known = before!.filter(({ at }) => at <= CUT + FEED_MS);
      expect(known.length).toBeGreaterThan(200);
      expect(changed!.slice(0, known.length)).toEqual(known);
      // It would have been noticed: soon after the cut they go apart.
      const apart = before!.findIndex(({ line }, index) => line !== changed![index]?.line);
      expect(before![apart]!.at).toBeLessThan(CUT + 5_000);
    }
  });
});
