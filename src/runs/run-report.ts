/** The report of a run, from its folder: as it was written when the run ended, or made from its tape. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunAnalyst } from '../analytics/run-analyst.js';
import { UsageError } from '../domain/errors.js';
import type { Micros } from '../domain/units.js';
import { type EngineObserver, severalObservers } from '../core/engine/observing/observer.js';
import type { EngineOptions } from '../core/engine/options.js';
import {
  copyFillTables,
  FillNotes,
  fillNotesFile,
  hasFillTables,
  writeFillTables,
} from '../report/fill-table.js';
import { hasReport, readReport } from '../report/report-files.js';
import { reportOf, type RunReport, titlesOf } from '../report/run-report.js';
import { makeFolder } from '../storage/files/whole-files.js';
import { describePlace } from '../storage/tape/tape-files.js';
import type { EngineStart } from '../storage/tape/records.js';
import type { PlacedLine } from '../storage/tape/tape-reader.js';
import { readRunFile, type RunFile } from '../storage/recordings/run-file.js';
import { cashFacts, liveAnalyst, stoppedFacts, titleOf, withTitles } from './live/live-report.js';
import { checkParity, isIdentical, type Parity, replayTape, type ReplayVisitor } from './replay/replay.js';

/** A fact of a report that was made from a tape, and how it ends where the run has not ended as far as is known. */
const MADE_FROM = 'made from';
const UNENDED = ', where it ends: the run was killed or still runs';

/**
 * A run that was killed, that still runs or that wrote no report has one all the same where it recorded itself.
 * @param folder of the run
 * @param onNews told when the report or its tables of fills are made from the tape, or why these cannot be
 * @param fillsInto folder that gets the tables of fills; left out: none does
 * @throws UsageError when there is neither, or the tape is no longer decided alike; TapeError when it is damaged
 */
export async function reportOfRun(
  folder: string,
  onNews: (text: string) => void,
  fillsInto?: string,
): Promise<RunReport> {
  const run = existsSync(join(folder, 'tape')) ? readRunFile(folder) : null;
  if (run === null || (run.outcome !== null && hasReport(folder))) {
    const written = readReport(folder);
    if (run === null || !isOfPart(written)) {
      if (fillsInto !== undefined) await placeFillTables(folder, run, onNews, fillsInto);
      return written;
    }
  }
  onNews('the report is made from the tape of the run');
  return reportFromTape(folder, run, fillsInto);
}

/** Whether it was made while the run went on. */
const isOfPart = ({ facts }: RunReport): boolean =>
  facts.some(({ name, value }) => name === MADE_FROM && value.endsWith(UNENDED));

/** Of a report that is there, which is read whether its tables can be made or not. */
async function placeFillTables(
  folder: string,
  run: RunFile | null,
  onNews: (text: string) => void,
  into: string,
): Promise<void> {
  if (run !== null && !hasFillTables(folder))
    try {
      onNews('the tables of fills are made from the tape of the run');
      await reportFromTape(folder, run, into);
      return;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      onNews(`a table of fills is missing and cannot be made; the report stays as it is: ${error.message}`);
    }
  copyFillTables(folder, into);
}

async function reportFromTape(folder: string, run: RunFile, fillsInto?: string): Promise<RunReport> {
  requireIdentical(await checkParity(folder));
  const hearing = new Hearing(fillsInto);
  const { engine } = await replayTape(folder, hearing);
  const { fills: notes } = hearing;
  notes?.close();
  const analysis = withTitles(
    hearing.analyst.end(hearing.at, (market) => engine.depth(market)),
    engine.view(),
  );
  const fills =
    fillsInto === undefined || notes === null
      ? null
      : await writeFillTables(fillsInto, [notes.path], analysis.scenario, titlesOf([analysis]));
  const end = `${new Date(hearing.at / 1_000).toISOString()}${run.outcome === null ? UNENDED : ''}`;
  const facts = [
    { name: 'configuration', value: run.configFile },
    { name: 'seed', value: String(run.seed) },
    { name: 'decisions', value: engine.decisionHash },
    ...stoppedFacts(engine),
    ...cashFacts(engine),
    { name: MADE_FROM, value: `its tape, up to ${end}` },
  ];
  const mode = run.mode === 'paper' ? 'paper' : 'live';
  return reportOf({ title: titleOf(run.runId, mode), mode, facts, scenarios: [analysis], fills });
}

/** An engine that decides otherwise would report on another run. */
function requireIdentical(parity: Parity): void {
  if (isIdentical(parity)) return;
  const { gap, changed } = parity;
  const reason =
    gap === null
      ? `the engine decides otherwise today${changed.map((file) => `; the strategy has changed: ${file}`).join('')}`
      : `lines are missing at ${describePlace(gap.place)}`;
  throw new UsageError(`no report can be made from the tape: ${reason}`);
}

class Hearing implements ReplayVisitor {
  at = 0 as Micros;
  fills: FillNotes | null = null;
  #analyst: RunAnalyst | null = null;

  constructor(private readonly fillsInto: string | undefined) {}

  get analyst(): RunAnalyst {
    if (this.#analyst === null) throw new UsageError('the tape holds no run of a bot');
    return this.#analyst;
  }

  get observer(): EngineObserver {
    return this.fills === null ? this.analyst : severalObservers([this.analyst, this.fills]);
  }

  begins(options: EngineOptions, { startedAt }: EngineStart): void {
    const analyst = (this.#analyst = liveAnalyst(options, startedAt));
    if (this.fillsInto === undefined) return;
    makeFolder(this.fillsInto);
    const { description } = analyst;
    this.fills = new FillNotes(fillNotesFile(this.fillsInto, description.scenario, process.pid), description);
  }

  line({ line }: PlacedLine): void {
    this.at = line.at;
  }
}
