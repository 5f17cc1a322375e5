/** Fair values of a file in a backtest: each arrives at its time, is quoted around, and gets too old. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainOrder } from '../../src/runs/explain/explain.js';
import type { OrderLine } from '../../src/runs/explain/order-story.js';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const START = 1_786_400_000_000;
const at = (seconds: number): number => START + seconds * 1_000;

const STRATEGY = `import { defineStrategy, NO_QUOTES, quoteAt } from 'oddsmith/sdk';
export default defineStrategy({
  name: 'around',
  params: {},
  quote({ fair }) {
    if (fair === null || fair.ageMs > 8_000) return NO_QUOTES;
    return { bids: [quoteAt(fair.p - 0.1, 10, { fair: fair.p, edge: -0.1 })], asks: [] };
  },
});
`;

const book = (seconds: number, market: number) => ({
  t: at(seconds),
  type: 'book',
  event: 1,
  market,
  bid: [[0.2, 100]],
  ask: [[0.9, 100]],
});
const lines = [0, 30, 60].flatMap((seconds) => [book(seconds, 11), book(seconds, 12)]);

interface Files {
  readonly values: string;
  /** Of the YAML file. */
  readonly more?: string;
  readonly backtest?: string;
}

function filesOf({ values, more = '', backtest = 'fairValues: values.csv' }: Files) {
  const folder = scratchFolder();
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder, 'recording.ndjson'), text);
  writeFileSync(join(folder, 'strategy.ts'), STRATEGY);
  writeFileSync(join(folder, 'values.csv'), values);
  const file = join(folder, 'bot.yaml');
  writeFileSync(
    file,
    `events:
  - id: 1
    title: Who wins?
    markets: [{ id: 11, title: one }, { id: 12, title: other }]
instances:
  - { name: one, strategy: ./strategy.ts, markets: [11, 12], limits: { maxPositionShares: 300, maxEventLoss: 200 } }
${more}
backtest: { recordings: [recording.ndjson], latency: { feedMs: 20 }, ${backtest} }
`,
  );
  return { folder, file };
}

/** What the strategy was asked with: market, seconds since the start, fair value, its age in seconds, or why it was not asked. */
async function asked(files: Files) {
  const { file } = filesOf(files);
  const looks: {
    market: string;
    seconds: number;
    fair: number | null;
    ageMs: number | null;
    halt: string | null;
  }[] = [];
  const result = await runBacktest({
    ...loadBotSettings(file, {}),
    watch: (scenario) => {
      if (scenario !== 'pessimistic') return {};
      let now = 0;
      return {
        took: (stamped) => void (now = stamped.at / 1_000),
        looked: ({ marketId, halt, context: { fair } }) =>
          void looks.push({
            market: marketId,
            seconds: (now - START) / 1_000,
            fair: fair?.p ?? null,
            ageMs: fair?.ageMs ?? null,
            halt,
          }),
      };
    },
  });
  return { result, looks, of: (market: string) => looks.filter((look) => look.market === market) };
}

const HEAD = 'time,market,probability,confidence\n';
const line = (seconds: number, market: number | string, p: number): string =>
  `${at(seconds)},${market},${p},\n`;

describe('a backtest with fair values', () => {
  it('asks the strategy with each value from its time on, not earlier', async () => {
    const { of } = await asked({ values: HEAD + line(-20, 11, 0.3) + line(-5, 11, 0.4) + line(20, 11, 0.6) });
    const looks = of('11').filter(({ fair }) => fair !== null);
    expect(new Set(looks.map(({ fair }) => fair))).toEqual(new Set([0.4, 0.6]));
    expect(looks.filter(({ fair, seconds }) => (fair === 0.6) !== seconds >= 20)).toEqual([]);
    expect(looks.find(({ fair }) => fair === 0.6)).toMatchObject({ seconds: 20, ageMs: 0 });
    expect(looks[0]!.ageMs).toBeGreaterThanOrEqual(5_000);
  });

  it('halts a market before its first value, and at the moment at which the last one is too old', async () => {
    const { of } = await asked({
      values: HEAD + line(10, 'HOME', 0.5),
      more: `fairValues:
  - { name: model, kind: push, maxAgeMs: 15000, markets: [{ id: 11, key: HOME }, { id: 12, key: AWAY }] }`,
    });
    const reasons = (market: string) =>
      of(market).filter(({ halt }) => halt?.startsWith('fair-value') === true);
    const [first] = reasons('11');
    expect([first!.halt, first!.seconds < 10]).toEqual(['fair-value-missing', true]);
    const stale = reasons('11').filter(({ seconds }) => seconds > 10);
    expect(stale[0]!.halt).toBe('fair-value-stale');
    expect(stale[0]!.seconds).toBeCloseTo(25, 3);
    expect(of('11').some(({ halt, seconds }) => halt === null && seconds >= 10 && seconds < 25)).toBe(true);
    expect(of('12').some(({ halt }) => halt === null)).toBe(false);
  });

  it('asks a strategy that looks at the age of a value while nothing comes in', async () => {
    const { of } = await asked({ values: HEAD + line(5, 11, 0.5) });
    const ages = of('11').filter(({ seconds, halt }) => halt === null && seconds > 5 && seconds < 15);
    expect(ages.length).toBeGreaterThan(8);
  });

  it('asks with none where the file wants that', async () => {
    const { of } = await asked({
      values: HEAD + line(10, 11, 0.5),
      more: 'fairValues: [{ name: model, kind: push, maxAgeMs: 15000, whenStale: unknown, markets: [{ id: 11 }] }]',
    });
    const quoted = of('11').filter(({ halt }) => halt === null);
    expect(quoted.find(({ seconds }) => seconds < 10)!.fair).toBeNull();
    expect(quoted.find(({ seconds, fair }) => seconds > 20 && fair === null)!.seconds).toBeCloseTo(25, 3);
    // The other market has no source.
    expect(of('12').find(({ halt }) => halt === null)!.fair).toBe(0.55);
  });

  it('decides nothing by values that are still to come', async () => {
    const values = [1, 12, 25, 31, 44].map((seconds) => line(seconds, 11, 0.3 + seconds / 100));
    const decisionsWith = async (text: string) => {
      const decided: { at: number; line: string }[] = [];
      await runBacktest({
        ...loadBotSettings(filesOf({ values: HEAD + text }).file, {}),
        runId: 'look-ahead',
        watch: (scenario) => {
          let now = 0;
          return {
            took: (stamped) => void (now = stamped.at / 1_000),
            decided: (found) => {
              if (scenario === 'expected') decided.push({ at: now, line: found });
            },
          };
        },
      });
      return decided;
    };
    const one = await decisionsWith(values.join(''));
    const other = await decisionsWith(values.slice(0, 3).join('') + line(31, 11, 0.4) + line(44, 11, 0.8));
    const before = one.filter((decision) => decision.at < at(31));
    expect(before.length).toBeGreaterThan(3);
    expect(other.slice(0, before.length)).toEqual(before);
    expect(other.slice(before.length)).not.toEqual(one.slice(before.length));
    expect(other[before.length]!.at).toBe(at(31));
  });

  it('lets a value arrive when it did, and counts its age from its time', async () => {
    const { of } = await asked({ values: `market,probability,time,arrived\n11,0.4,${at(5)},${at(9)}\n` });
    const [first] = of('11').filter(({ fair }) => fair === 0.4);
    expect(first).toMatchObject({ seconds: 9, ageMs: 4_000 });
  });

  it('asks a strategy with a signal from outside, until it is too old', async () => {
    const more =
      'fairValues: [{ name: ratings, kind: push, signalsOnly: true, markets: [{ id: 11 }, { id: 12 }] }]';
    const values = `market,name,value,time\n11,elo,1500,${at(8)}\n11,elo,1520,${at(20)}\n12,form,3,${at(1)}\n`;
    const { file, folder } = filesOf({ values, more });
    writeFileSync(
      join(folder, 'strategy.ts'),
      STRATEGY.replace(
        'params: {},',
        "params: {}, signals: { elo: { kind: 'external', required: true, maxAgeMs: 10_000 } },",
      ),
    );
    const looks: unknown[] = [];
    let last = '';
    await runBacktest({
      ...loadBotSettings(file, {}),
      watch: (scenario) => {
        let now = 0;
        if (scenario !== 'pessimistic') return {};
        return {
          took: (stamped) => void (now = stamped.at / 1_000),
          looked: ({ marketId, halt, context: { signals, fair } }) => {
            const { elo } = signals;
            const look = JSON.stringify([halt, elo?.value ?? null, fair?.p]);
            if (marketId !== '11' || look === last || (halt !== null && !halt.startsWith('signal'))) return;
            last = look;
            looks.push([
              Math.round((now - START) / 100) / 10,
              halt,
              elo?.value ?? null,
              elo?.count ?? null,
              fair?.p,
            ]);
          },
        };
      },
    });
    expect(looks).toEqual([
      [expect.any(Number), 'signal-missing-elo', null, null, 0.55],
      [8, null, 1_500, 1, 0.55],
      [18, 'signal-expired-elo', null, null, 0.55],
      [20, null, 1_520, 2, 0.55],
      [30, 'signal-expired-elo', null, null, 0.55],
    ]);
  });

  it('takes values of one time as one observation', async () => {
    const values = [5, 20].flatMap((seconds) => [
      line(seconds, 11, 0.3 + seconds / 100),
      line(seconds, 12, 0.6 - seconds / 100),
    ]);
    const together: number[] = [];
    await runBacktest({
      ...loadBotSettings(filesOf({ values: HEAD + values.join('') }).file, {}),
      watch: (scenario) => ({
        took: ({ input }) => {
          if (scenario === 'pessimistic' && input.kind === 'outside') together.push(input.values.length);
        },
      }),
    });
    expect(together).toEqual([2, 2]);
  });

  it('notes what is refused, and refuses a file without any value', async () => {
    const values = HEAD + line(1, 11, 0.5) + line(2, 11, 1.5) + `,11,0.5,\n${line(3, 99, 0.5)}`;
    const { result } = await asked({ values });
    expect(result.setup.notes).toContain(
      'values.csv: 3 values are refused, such as line 3: expected a number from 0 to 1, found probability 1.5',
    );
    await expect(asked({ values: HEAD })).rejects.toThrow(/backtest.fairValues: .*values.csv holds no value/);
    await expect(asked({ values, backtest: 'fairValues: none.csv' })).rejects.toThrow(
      /none.csv cannot be read \(ENOENT\)/,
    );
  });

  it('is refused for sources that nobody gives', async () => {
    const more = 'fairValues: [{ name: model, kind: push, markets: [{ id: 11 }] }]';
    await expect(asked({ values: HEAD, more, backtest: 'depth: null' })).rejects.toThrow(
      /expected a file of values, found none/,
    );
  });

  it('is another run with other values, and is explained with them', async () => {
    const { file, folder } = filesOf({ values: HEAD + line(10, 11, 0.5) });
    const loaded = loadBotSettings(file, {});
    const { runId } = await runBacktest({ ...loaded, out: folder });
    const list: OrderLine[] = [];
    const run = join(folder, runId);
    await explainOrder(run, { order: null, scenario: 'pessimistic', list: (order) => void list.push(order) });
    const { orderId } = list.find((order) => order.orderId !== null)!;
    const order = { kind: 'venue', orderId: orderId! } as const;
    const { story } = await explainOrder(run, { order, scenario: 'pessimistic' });
    expect(story?.asked?.setting?.fair).toEqual({ p: 0.5, ageMs: 0, source: 'backtest' });
    writeFileSync(join(folder, 'values.csv'), HEAD + line(10, 11, 0.6));
    expect((await runBacktest({ ...loaded, out: folder })).runId).not.toBe(runId);
    await expect(explainOrder(run, { order: null, scenario: 'pessimistic' })).rejects.toThrow(
      /values.csv is not what it was when this ran/,
    );
  });
});
