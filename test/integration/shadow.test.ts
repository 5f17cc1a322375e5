import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calibrate } from '../../src/runs/calibrate.js';
import { shadowOf } from '../../src/runs/shadow/shadow.js';
import { shadowLines } from '../../src/cli/commands/shadow.js';
import { scenariosOf } from '../../src/settings/index.js';
import { cutTape, TapeReader } from '../../src/storage/index.js';
import { recordedSession, type Session } from '../support/tape/recorded-session.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { timerTape } from '../support/tape/tape.js';

const PATIENCE_MS = 120_000;

let stateDir = '';
let session: Session;
beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), 'shadow-'));
  session = await recordedSession({
    stateDir,
    runId: 'shadow-1',
    isEnough: ({ counts }) => counts.fills > 8 && counts.decisions > 100,
  });
}, PATIENCE_MS);
afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

describe('the shadow of a session over the wire', () => {
  it('knows every order and share that the bot knew of, and the same twice', async () => {
    const shadow = await shadowOf(session.folder);
    const { figures } = shadow;
    const { counts } = session.view;
    expect(figures.orders + figures.leftOut.length).toBe(counts.ordersCreated + counts.ordersReplaced);
    expect(figures.real.fills).toBeGreaterThan(0);
    expect(figures.scenarios.map(({ name }) => name)).toEqual(['pessimistic', 'expected', 'optimistic']);
    for (const { matched, missed, onlySimulated, simulated } of figures.scenarios) {
      expect(matched + missed).toBeCloseTo(figures.real.shares, 6);
      expect(matched + onlySimulated).toBeCloseTo(simulated.shares, 6);
    }
    expect(figures.ways.request!.count).toBeGreaterThan(0);
    expect(JSON.stringify(await shadowOf(session.folder))).toBe(JSON.stringify(shadow));
  });

  it('prints a page that ends in YAML for a backtest', async () => {
    const text = shadowLines(await shadowOf(session.folder)).join('\n');
    expect(text).toContain('shadow of run shadow-1');
    const yaml = parse(text.slice(text.indexOf('# Quantiles'))) as {
      readonly backtest: { readonly latency: { readonly requestMs: readonly number[] }; scenarios?: unknown };
    };
    expect(yaml.backtest.latency.requestMs).toHaveLength(21);
    expect(() => scenariosOf(yaml.backtest.scenarios)).not.toThrow();
  });

  it('says of each mark-out how many shares it is of', async () => {
    const shadow = await shadowOf(session.folder);
    const known = (seconds: number, shares: number) => ({
      seconds,
      fills: 2,
      shares,
      profit: 1,
      perShare: 0.01,
      standardError: null,
    });
    const real = [known(1, 100), known(10, 90), known(60, 70), known(300, 5)];
    const scenarios = shadow.figures.scenarios.map((one) => ({
      ...one,
      markOuts: { ...one.markOuts, real },
    }));
    const text = shadowLines({ ...shadow, figures: { ...shadow.figures, scenarios } }).join('\n');
    expect(text).toMatch(/^real +1\.00 +90\.00 +1\.00 +70\.00 +1\.00 +5\.00$/m);
  });

  it('tells calibration of takers, those who met the bot among them', async () => {
    const { figures } = await calibrate([session.folder], { step: 100, distances: 5 });
    const shadow = await shadowOf(session.folder);
    expect(figures.trades).toBeGreaterThanOrEqual(shadow.figures.prints);
    expect(figures.cells.some(({ fills }) => fills > 0)).toBe(true);
    expect(figures.roundTrip!.count).toBeGreaterThan(0);
    const part = join(scratchFolder(), 'part.ndjson');
    await cutTape(session.folder, part, { from: null, to: null, markets: [] });
    const options = { step: 100, distances: 5 };
    expect((await calibrate([part], options)).figures).toEqual(figures);
    await expect(calibrate([session.folder, part], options)).rejects.toThrow(
      /is also in .* at the same time/,
    );
  });

  it('judges how long frames were by those that tell their time to less than a second', async () => {
    const stamped: string[] = [];
    for await (const batch of new TapeReader(session.folder).batches())
      for (const { line } of batch)
        if (line.kind === 'frame' && line.venueAt !== null) stamped.push(line.event);
    const exact = stamped.filter((event) => event !== 'balance-changed').length;
    expect(exact).toBeLessThan(stamped.length);
    const { figures } = await calibrate([session.folder], { step: 100, distances: 5 });
    expect(figures.feed!.count).toBe(exact);
    expect((await shadowOf(session.folder)).figures.ways.feed!.count).toBe(exact);
  });

  it('is refused for a tape without a run', async () => {
    const folder = scratchFolder();
    await timerTape(folder, 3);
    await expect(shadowOf(folder)).rejects.toThrow('the tape holds no run of a bot');
  });
});
