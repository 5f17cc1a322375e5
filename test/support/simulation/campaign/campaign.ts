/** Many seeds on several processes: hands them out, adds up what comes back, and says how to see a failure again. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Edition, LATEST } from '../edition.js';
import { runSeed, type SeedReport } from '../scenario/run-seed.js';
import { canarySeam } from '../canaries/canaries.js';
import { type CampaignOptions, readOptions, UsageProblem } from './options.js';
import { Progress } from './progress.js';
import { Totals } from './totals.js';

const MAIN = join(import.meta.dirname, '../../../simulation/main.mjs');

interface Order {
  readonly seed: number;
  readonly edition: Edition;
  readonly canary: string | null;
}

/** @returns the exit code: 0 nothing was found, 1 something was, 2 for a wrong option */
export async function campaign(args: readonly string[]): Promise<number> {
  try {
    return await run(readOptions(args));
  } catch (error) {
    if (!(error instanceof UsageProblem)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

/** One process of a campaign: runs the seeds it is sent until its parent lets go. */
export async function serve(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-simulate-'));
  try {
    for (let order = await next(); order !== null; order = await next()) {
      const seam = order.canary === null ? {} : { seam: canarySeam(order.canary), isImpatient: true };
      process.send?.(await runSeed(order.seed, { folder, edition: order.edition, ...seam }));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const next = (): Promise<Order | null> =>
  new Promise((resolve) => {
    const done = (): void => resolve(null);
    process.once('disconnect', done);
    process.once('message', (order: Order) => {
      process.off('disconnect', done);
      resolve(order);
    });
  });

async function run(options: CampaignOptions): Promise<number> {
  const totals = new Totals();
  const progress = new Progress(options.seeds.length);
  const left = [...options.seeds].reverse();
  await Promise.all(
    Array.from({ length: Math.min(options.workers, left.length) }, () =>
      work(
        () => nextOrder(left, totals, options),
        (report) => {
          totals.add(report);
          progress.advance(totals.seeds, totals.violations);
          if (report.findings.length > 0) progress.say(explained(report, options));
        },
      ),
    ),
  );
  progress.end();
  process.stdout.write(`${process.stdout.isTTY ? totals.text() : totals.json()}\n`);
  return totals.violations === 0 ? 0 : 1;
}

/** A canary has sung once it is found. */
function nextOrder(left: number[], totals: Totals, { canary, edition }: CampaignOptions): Order | null {
  if (canary !== null && totals.violations > 0) return null;
  const seed = left.pop();
  return seed === undefined ? null : { seed, edition, canary };
}

function work(take: () => Order | null, done: (report: SeedReport) => void): Promise<void> {
  const child = fork(MAIN, [], { env: { ...process.env, ODDSMITH_SIMULATION_WORKER: '1' } });
  return new Promise((resolve, reject) => {
    const hand = (): void => send(child, take());
    child.on('message', (report: SeedReport) => {
      done(report);
      hand();
    });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    hand();
  });
}

function send(child: ChildProcess, order: Order | null): void {
  if (order === null) child.disconnect();
  else child.send(order);
}

function explained({ seed, findings }: SeedReport, { canary, edition }: CampaignOptions): string {
  const [first] = findings;
  const how = `npm run simulate -- --seed ${seed}${edition === LATEST ? '' : ` --edition ${edition}`}${canary === null ? '' : ` --canary ${canary}`}`;
  return `seed ${seed}: ${first?.rule}: ${first?.text}\n  see it again: ${how}`;
}
