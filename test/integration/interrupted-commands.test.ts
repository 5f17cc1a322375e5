/** What commands say of what they wrote when a person stops them, and what they leave. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backtestConfiguration } from '../../src/cli/commands/backtest.js';
import { calibrateRecordings } from '../../src/cli/commands/calibrate.js';
import { rewriteReport } from '../../src/cli/commands/report.js';
import { cutToPart, exportTables, importRecordings, mergeIntoOne } from '../../src/cli/commands/tape.js';
import { EXIT } from '../../src/domain/errors.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';
import { forgetStopSignals, heardSignals } from '../support/process/stop-signals.js';
import { ran } from '../support/screen/told-command.js';

const RAIN = join(ROOT, 'config', 'recordings', 'synthetic-rain.ndjson.gz');
const FILE = join(ROOT, 'config', 'backtest.yaml');

forgetStopSignals();

/** What the command says to a Ctrl-C that comes right after it began. */
async function interrupted(command: () => Promise<number>): Promise<string> {
  const told = ran(command);
  // A second one would be a person's who has waited long enough.
  while (!heardSignals().includes('SIGINT')) await new Promise(setImmediate);
  process.emit('SIGINT', 'SIGINT');
  const { code, text } = await told;
  expect([code, text.split('\n').length]).toEqual([EXIT.forced, 1]);
  return text;
}

async function tapeOfRain(): Promise<string> {
  const tape = join(scratchFolder(), 'tape');
  await ran(() => importRecordings([RAIN], { out: tape }));
  return tape;
}

it.each([
  ['import', (_tape: string, out: string) => importRecordings([RAIN], { out })],
  ['cut', (tape: string, out: string) => cutToPart(tape, { out, market: [] })],
  ['merge', (tape: string, out: string) => mergeIntoOne([tape], { out })],
])('tape %s leaves nothing', async (_what, command) => {
  const [tape, out] = [await tapeOfRain(), join(scratchFolder(), 'out')];
  expect(await interrupted(() => command(tape, out))).toBe(`interrupted: nothing of it is left in ${out}`);
  expect(existsSync(out)).toBe(false);
});

it('tape export leaves the files that were there', async () => {
  const [tape, out] = [await tapeOfRain(), scratchFolder()];
  expect(await interrupted(() => exportTables(tape, { out }))).toBe(
    `interrupted: nothing of it is left in ${out}`,
  );
  expect(readdirSync(out)).toEqual([]);
});

it('what writes no file says so', async () => {
  const calibrating = () => calibrateRecordings([RAIN], { distances: 5 });
  expect(await interrupted(calibrating)).toBe('interrupted: no parameters are found, and no file is written');
});

it('a report is what it was', async () => {
  const out = scratchFolder();
  const told = await ran(() => backtestConfiguration(FILE, { set: [], json: true, out, threads: 1 }));
  const { runId } = JSON.parse(told.text) as { readonly runId: string };
  expect(await interrupted(() => rewriteReport(join(out, runId), { tried: 2 }))).toBe(
    'interrupted: nothing is written, the report is what it was',
  );
});

it('signals do what they do to any process once a command is over', async () => {
  await ran(() => calibrateRecordings([RAIN], { distances: 5 }));
  expect(heardSignals()).toEqual([]);
});
